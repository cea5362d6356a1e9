"""One function for each preset: mapped features, graph and annotations in, a model's parts out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from sapwood.errors import InputError
from sapwood.features import unit_rows
from sapwood.graph import normalised_affinity, spectral_basis
from sapwood.models.annotations import Annotations
from sapwood.models.attributes import scale_attributes
from sapwood.models.printed import Printed, solve_printed
from sapwood.models.robust import solve_robust
from sapwood.solvers import Eigen


@dataclass(frozen=True)
class Learned:
    """The parts of a fitted model; see `SparseAttributePropagation` for their meaning.

    ``attribute_bound`` is Proposition 1's C1, and ``feature_norm`` the ‖X‖ that goes with it.
    """

    projection: np.ndarray
    forward: np.ndarray
    offset: np.ndarray
    attributes: np.ndarray
    confidence: np.ndarray
    trace: list[dict[str, float]]
    n_iter: int
    attribute_bound: float
    feature_norm: float


def learn_printed(
    X: np.ndarray,
    A: scipy.sparse.csr_array | None,
    known: Annotations,
    weight: np.ndarray,
    settings: dict[str, Any],
) -> Learned:
    """Algorithm 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Mapped features.
    A : sparse array of shape (n, n), or None
        Affinity; None where the steps asked for need no graph.
    known : Annotations
    weight : ndarray of shape (n,)
        Must be constant: the printed objective has no weights.
    settings : dict
        Resolved parameters.
    """
    if (weight != weight[0]).any():
        raise InputError(
            "sample_weight differs between images, and the printed objective has no weights; use "
            "preset='robust'"
        )
    Z = scale_attributes(known.Z, settings["attribute_norm"])
    Y_given = np.zeros((len(X), Z.shape[1]))
    Y_given[known.annotated] = Z[known.codes[known.annotated]]
    nothing = Eigen(np.empty(0), np.empty((len(X), 0)))
    basis = nothing if A is None else spectral_basis(A, settings["m"], settings["seed"])
    names = ("lambda1", "lambda2", "lambda3", "lambda4", "penalty", "steps")
    problem = Printed(X, Y_given, basis, **{name: settings[name] for name in names})
    found = solve_printed(problem, settings["max_iter"], settings["tol"])
    similarity = unit_rows(found.Y) @ unit_rows(Z[known.seen]).T
    # The mean length of the seen classes' vectors turns scaled attributes back into units.
    unit = _mean_length(known.Z[known.seen]) / _mean_length(Z[known.seen])
    return Learned(
        projection=found.W,
        forward=unit * found.W,
        offset=np.zeros(Z.shape[1]),
        attributes=unit * found.Y,
        confidence=np.clip(similarity.max(axis=1), 0.0, 1.0),
        trace=found.trace,
        n_iter=max(len(found.trace) - 1, 1),
        attribute_bound=problem.attribute_bound(),
        feature_norm=float(np.linalg.norm(X)),
    )


def learn_robust(
    X: np.ndarray,
    A: scipy.sparse.csr_array | None,
    known: Annotations,
    weight: np.ndarray,
    settings: dict[str, Any],
) -> Learned:
    """The robust algorithm; parameters as in :func:`learn_printed`."""
    Z_seen = known.Z[known.seen]
    names = ("lambda1", "lambda4", "beta", "sharpness", "steps")
    found = solve_robust(
        X,
        None if A is None else normalised_affinity(A),
        known.seen_codes,
        Z_seen,
        scale_attributes(Z_seen, settings["attribute_norm"]),
        weight,
        **{name: settings[name] for name in names},
    )
    k, d = found.projection.W.shape
    solved = found.posterior.solved
    return Learned(
        projection=found.projection.W * found.projection.scale,
        forward=found.forward,
        offset=found.offset,
        attributes=found.posterior.F @ Z_seen,
        confidence=found.posterior.confidence,
        trace=[] if solved is None else [{"steps": solved.n_iter, "residual": solved.residual}],
        n_iter=1,
        # Gram matrices of mean eigenvalue 1 have traces k and d.
        attribute_bound=float(np.sqrt(k)),
        feature_norm=float(np.sqrt(d)),
    )


Learner = Callable[
    [np.ndarray, scipy.sparse.csr_array | None, Annotations, np.ndarray, dict[str, Any]], Learned
]
LEARNERS: dict[str, Learner] = {"paper": learn_printed, "robust": learn_robust}


def _mean_length(Z: np.ndarray) -> float:
    return float(np.linalg.norm(Z, axis=1).mean())
