"""One function for each preset: mapped features, graph and annotations in, a model's parts out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from sapwood.errors import InputError
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap, unit_rows
from sapwood.graph import normalised_affinity, spectral_basis
from sapwood.models.annotations import Annotations
from sapwood.models.calibration import seen_bias
from sapwood.models.printed import Printed, solve_printed
from sapwood.models.robust import INFORMED, SETTINGS, Robust, Step, solve_robust
from sapwood.projection import Evidence, learn_forward, learn_scaled, prototype_scores
from sapwood.solvers import Eigen


@dataclass(frozen=True)
class Learned:
    """The parts of a fitted model; see `SparseAttributePropagation` for their meaning.

    ``attribute_bound`` is Proposition 1's C1, and ``feature_norm`` the ‖X‖ that goes with it.
    """

    attribute_map: AttributeMap
    projection: np.ndarray
    forward: np.ndarray
    offset: np.ndarray
    attributes: np.ndarray
    confidence: np.ndarray
    trace: list[dict[str, float]]
    n_iter: int
    attribute_bound: float
    feature_norm: float
    information: float | None
    seen_bias: float


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
    attribute_map, Z = _coordinates(known, settings)
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
        attribute_map=attribute_map,
        projection=found.W,
        forward=unit * found.W,
        offset=np.zeros(Z.shape[1]),
        attributes=unit * found.Y,
        confidence=np.clip(similarity.max(axis=1), 0.0, 1.0),
        trace=found.trace,
        n_iter=max(len(found.trace) - 1, 1),
        attribute_bound=problem.attribute_bound(),
        feature_norm=float(np.linalg.norm(X)),
        information=None,
        seen_bias=0.0,
    )


def learn_robust(
    X: np.ndarray,
    A: scipy.sparse.csr_array | None,
    known: Annotations,
    weight: np.ndarray,
    settings: dict[str, Any],
) -> Learned:
    """The robust algorithm; parameters as in :func:`learn_printed`."""
    attribute_map, Z = _coordinates(known, settings)
    problem = Robust(
        X,
        None if A is None else normalised_affinity(A),
        known.seen_codes,
        Z[known.seen],
        weight,
        **{name: settings[name] for name in SETTINGS},
    )
    steps, information = solve_robust(problem, settings["max_iter"], settings["seed"])
    last = steps[-1]
    forward, offset = _back(last.evidence, known.Z[known.seen], settings["lambda4"])
    return Learned(
        attribute_map=attribute_map,
        projection=last.W,
        forward=forward,
        offset=offset,
        attributes=last.posterior.F @ known.Z[known.seen],
        confidence=last.posterior.confidence,
        trace=[_told(step) for step in steps],
        n_iter=len(steps),
        # Gram matrices of mean eigenvalue 1 have traces q and d.
        attribute_bound=float(np.sqrt(Z.shape[1])),
        feature_norm=float(np.sqrt(X.shape[1])),
        information=information,
        seen_bias=_bias(last.evidence, known, settings, information),
    )


def _coordinates(known: Annotations, settings: dict[str, Any]) -> tuple[AttributeMap, np.ndarray]:
    fitted = AttributeMap(**ATTRIBUTE_MAPS[settings["attribute_map"]]).fit(known.Z[known.seen])
    return fitted, fitted.transform(known.Z)


def _back(evidence: Evidence, Z: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """Regress attributes, in the units of Z, on features: matrix and offset."""
    weights = evidence.weights
    total = weights.sum()
    mean_x = weights @ evidence.X / total
    mean_y = (weights @ evidence.F) @ Z / total
    covariance = Z.T @ evidence.FtX - total * np.outer(mean_y, mean_x)
    scatter = evidence.XtX - total * np.outer(mean_x, mean_x)
    back = learn_forward(covariance, scatter, ridge)
    return back, mean_y - back @ mean_x


def _bias(
    evidence: Evidence, known: Annotations, settings: dict[str, Any], information: float | None
) -> float:
    def scorer(taught: Evidence, X: np.ndarray, classes: np.ndarray) -> np.ndarray:
        mapped = AttributeMap(**ATTRIBUTE_MAPS[settings["attribute_map"]]).fit(taught.Z)
        there = taught.described(mapped.transform)
        found = learn_scaled(there, settings["lambda4"], settings["beta"])
        prototypes = mapped.transform(classes) @ found.W * found.scale
        return prototype_scores(X, prototypes, settings["metric"])

    given = Evidence(evidence.X, evidence.F, known.Z[known.seen], evidence.weights)
    # Where features say little, what was propagated is no witness to what an image is.
    weak = information is not None and information < INFORMED
    return seen_bias(given, scorer, settings["seed"], known.annotated if weak else None)


def _told(step: Step) -> dict[str, float]:
    solved = step.posterior.solved
    return {} if solved is None else {"steps": solved.n_iter, "residual": solved.residual}


Learner = Callable[
    [np.ndarray, scipy.sparse.csr_array | None, Annotations, np.ndarray, dict[str, Any]], Learned
]
LEARNERS: dict[str, Learner] = {"paper": learn_printed, "robust": learn_robust}


def _mean_length(Z: np.ndarray) -> float:
    return float(np.linalg.norm(Z, axis=1).mean())
