"""The paper's refinement: Algorithm 1 with noisy tags in place of attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sapwood.features import FeatureMap, fit_in_blocks, unit_rows
from sapwood.graph import (
    LandmarkBasis,
    LandmarkGraph,
    affinity_matrix,
    landmark_graph,
    nearest_neighbors,
    spectral_basis,
)
from sapwood.models.printed import Printed, solve_printed
from sapwood.progress import report
from sapwood.propagation import propagate_to_images, smooth_coefficients
from sapwood.solvers import Eigen, Rows
from sapwood.tags.inputs import Tags
from sapwood.tags.rows import TagRows

#: The printed objective keeps both of its L1 norms.
PENALTY = "double-l1"


@dataclass(frozen=True)
class PrintedTags:
    """A fitted refinement.

    Attributes
    ----------
    feature_map : FeatureMap or None
        None where the tags themselves are the features.
    W : ndarray of shape (t, d)
        The projection; features become tags by ``X Wᵀ``.
    alpha : ndarray of shape (m, t)
        Coefficients of the smooth tags, ``Ỹ = V_m α``.
    landmarks : tuple of LandmarkGraph and LandmarkBasis, or None
        They extend V_m to new images; without them the projection stands in for Ỹ.
    lambda2, lambda3 : float
    """

    feature_map: FeatureMap | None
    W: np.ndarray
    alpha: np.ndarray
    landmarks: tuple[LandmarkGraph, LandmarkBasis] | None
    lambda2: float
    lambda3: float

    @property
    def add_threshold(self) -> None:
        """There is none: the printed scores have no unit."""

    def refine(self, X: Rows | None, T: Tags | None) -> np.ndarray:
        """Return the refined scores of images that were not fitted, shape (n, t)."""
        features = _features(X, T, self.feature_map)
        projected = features @ self.W.T
        smooth = projected
        if self.landmarks is not None:
            graph, basis = self.landmarks
            smooth = graph.factor(features) @ (basis.mixing @ self.alpha)
        if T is None:
            return smooth
        found = propagate_to_images(
            smooth,
            _given(T),
            self.W,
            projected,
            lambda2=self.lambda2,
            lambda3=self.lambda3,
            start=smooth,
        )
        found.warn_unless_converged("SAP-II", "lower lambda3, or scale features down")
        return found.solution


def learn_printed(
    X: Rows | None, T: Tags, settings: dict[str, Any]
) -> tuple[PrintedTags, np.ndarray]:
    """Run Algorithm 1 on features and tags, the rows of both of unit length (tags: L1).

    Parameters
    ----------
    X : Rows of shape (n, d) or None
    T : sparse array of shape (n, t)
    settings : dict
        Resolved parameters.

    Returns
    -------
    PrintedTags
    ndarray of shape (n, t)
        Y*.
    """
    report("features")
    feature_map = None if X is None else fit_in_blocks(X, settings["features"])
    features = _features(X, T, feature_map)
    basis, landmarks = _basis(features, settings)
    report("learning")
    names = ("lambda1", "lambda2", "lambda3", "lambda4")
    problem = Printed(features, _given(T), basis, **{name: settings[name] for name in names})
    found = solve_printed(problem, settings["max_iter"], settings["tol"])
    alpha = smooth_coefficients(found.Y, basis, settings["lambda1"], PENALTY)
    lambdas = (settings["lambda2"], settings["lambda3"])
    return PrintedTags(feature_map, found.W, alpha, landmarks, *lambdas), found.Y


def _features(X: Rows | None, T: Tags | None, feature_map: FeatureMap | None) -> np.ndarray:
    if X is None or feature_map is None:
        return TagRows(T)[:].astype(np.float64)
    return feature_map.transform(np.asarray(X[:]))


def _given(T: Tags) -> np.ndarray:
    return unit_rows(T.toarray().astype(np.float64), norm=1)


def _basis(
    X: np.ndarray, settings: dict[str, Any]
) -> tuple[Eigen, tuple[LandmarkGraph, LandmarkBasis] | None]:
    if settings["graph"] == "landmark":
        own = {"sigma": settings["sigma"], "random_state": settings["seed"]}
        graph, Z_hat = landmark_graph(X, settings["landmarks"], **own)
        basis = graph.basis(settings["m"])
        return Eigen(basis.values, Z_hat @ basis.mixing), (graph, basis)
    neighbors, squared = nearest_neighbors(X, settings["k_g"])
    A = affinity_matrix(neighbors, squared, sigma=settings["sigma"])
    return spectral_basis(A, settings["m"], settings["seed"]), None
