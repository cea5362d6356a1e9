"""What a fit finds, and what both presets do on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from sapwood.features import (
    ATTRIBUTE_MAPS,
    FEATURE_MAPS,
    AttributeMap,
    FeatureMap,
    equally_unlike,
)
from sapwood.graph import (
    affinity_matrix,
    landmark_graph,
    nearest_neighbors,
    normalised_affinity,
    spectral_basis,
)
from sapwood.graph.landmarks import LANDMARKS
from sapwood.models.annotations import Annotations
from sapwood.models.checks import check_mapped
from sapwood.models.parameters import graph_for
from sapwood.progress import report
from sapwood.solvers import Eigen, Factored

#: A landmark stands for this many images at least; with fewer, neighbours are cheaper.
IMAGES_A_LANDMARK = 4


@dataclass(frozen=True)
class Learned:
    """The parts of a fitted model; see `SparseAttributePropagation` for their meaning.

    ``attribute_bound`` is Proposition 1's C1, and ``feature_norm`` the ‖X‖ that goes with it.
    """

    feature_map: FeatureMap
    attribute_map: AttributeMap
    projection: np.ndarray
    comparison: np.ndarray
    forward: np.ndarray
    offset: np.ndarray
    attributes: np.ndarray
    confidence: np.ndarray
    weights: np.ndarray
    reason_codes: np.ndarray
    trace: list[dict[str, float]]
    n_iter: int
    attribute_bound: float
    feature_norm: float
    information: float | None
    usefulness: float | None
    strangeness: float | None
    seen_bias: float
    temperature: float
    unseen_temperature: float
    coordinates: str
    lambda4: float
    attribute_freedom: float
    error_whitening: float
    remoteness: float


def map_features(
    X: np.ndarray, features: str, weight: np.ndarray | None = None
) -> tuple[FeatureMap, np.ndarray]:
    """Fit a named feature map to X, shape (n, d); return it and what it makes of X.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    features : str
    weight : ndarray of shape (n,), optional
        Of each row in the map's statistics.
    """
    report("features")
    fitted = FeatureMap(**FEATURE_MAPS[features])
    return fitted, check_mapped(fitted.fit_transform(X, sample_weight=weight), features)


def graph_of(X: np.ndarray, settings: dict[str, Any]) -> scipy.sparse.csr_array:
    """Return the affinity of mapped features X, shape (n, n)."""
    neighbors, squared = nearest_neighbors(X, min(settings["k_g"], len(X) - 1))
    return affinity_matrix(
        neighbors, squared, sigma=settings["sigma"], symmetrize=settings["symmetrize"]
    )


def basis_of(X: np.ndarray, settings: dict[str, Any]) -> Eigen:
    """Return Σ and V_m of the graph of mapped features X."""
    if graph_for(settings["graph"], len(X)) == "knn":
        return spectral_basis(graph_of(X, settings), settings["m"], settings["seed"])
    graph, Z_hat = landmark_graph(X, **_landmark_settings(len(X), settings))
    basis = graph.basis(settings["m"])
    return Eigen(basis.values, Z_hat @ basis.mixing)


def affinity_of(X: np.ndarray, settings: dict[str, Any]) -> scipy.sparse.csr_array | Factored:
    """Return the normalised affinity ``I - L`` of mapped features X, shape (n, n)."""
    if graph_for(settings["graph"], len(X)) == "knn":
        return normalised_affinity(graph_of(X, settings))
    return Factored(landmark_graph(X, **_landmark_settings(len(X), settings))[1])


def _landmark_settings(n: int, settings: dict[str, Any]) -> dict[str, Any]:
    sigma = settings["sigma"]
    return {
        "p": min(LANDMARKS, max(n // IMAGES_A_LANDMARK, 2)),
        # Landmarks have no scale of their own.
        "sigma": "mean" if sigma == "local" else sigma,
        "random_state": settings["seed"],
    }


def none_is_a_guide(known: Annotations, Z: np.ndarray) -> bool:
    """Tell whether no seen class is a guide to another, so that none can play an unseen one.

    Parameters
    ----------
    known : Annotations
    Z : ndarray of shape (classes, q)
        Coordinates of all classes.
    """
    return known.one_hot or equally_unlike(Z[known.seen])


def coordinates(known: Annotations, attribute_map: str) -> tuple[AttributeMap, np.ndarray]:
    """Fit a named attribute map to the seen classes; return it and what it makes of all."""
    fitted = AttributeMap(**ATTRIBUTE_MAPS[attribute_map]).fit(known.Z[known.seen])
    return fitted, fitted.transform(known.Z)
