"""The paper preset: from features and annotations to a model's parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import unit_rows
from sapwood.models.annotations import Annotations
from sapwood.models.comparison import PLAIN
from sapwood.models.learned import Learned, basis_of, coordinates, map_features
from sapwood.models.parts import everything
from sapwood.models.printed import OWN, Printed, solve_printed
from sapwood.progress import report
from sapwood.projection import fit_temperature, prototype_scores
from sapwood.solvers import Eigen


def learn_printed(
    X: np.ndarray, known: Annotations, weight: np.ndarray, settings: dict[str, Any]
) -> Learned:
    """Algorithm 1.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features as given.
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
    feature_map, X = map_features(X, settings["features"])
    attribute_map, Z = coordinates(known, settings["attribute_map"])
    Y_given = np.zeros((len(X), Z.shape[1]))
    Y_given[known.annotated] = Z[known.codes[known.annotated]]
    basis = _basis(X, settings)
    report("learning")
    problem = Printed(X, Y_given, basis, **{name: settings[name] for name in OWN})
    found = solve_printed(problem, settings["max_iter"], settings["tol"])
    similarity = unit_rows(found.Y) @ unit_rows(Z[known.seen]).T
    # The mean length of the seen classes' vectors turns scaled attributes back into units.
    unit = _mean_length(known.Z[known.seen]) / _mean_length(Z[known.seen])
    temperature = _temperature(X, known, Z[known.seen] @ found.W, settings["metric"])
    return Learned(
        feature_map=feature_map,
        attribute_map=attribute_map,
        projection=found.W,
        comparison=PLAIN,
        forward=unit * found.W,
        offset=np.zeros(Z.shape[1]),
        attributes=unit * found.Y,
        confidence=np.clip(similarity.max(axis=1), 0.0, 1.0),
        weights=weight,
        reason_codes=everything(known.codes, weight).reasons,
        trace=found.trace,
        n_iter=max(len(found.trace) - 1, 1),
        attribute_bound=problem.attribute_bound(),
        feature_norm=float(np.linalg.norm(X)),
        information=None,
        usefulness=None,
        strangeness=None,
        seen_bias=0.0,
        temperature=temperature,
        unseen_temperature=temperature,
        coordinates=settings["attribute_map"],
        lambda4=settings["lambda4"],
        attribute_freedom=0.0,
        error_whitening=0.0,
        remoteness=0.0,
    )


def _basis(X: np.ndarray, settings: dict[str, Any]) -> Eigen:
    if settings["steps"] == "bpl":
        return Eigen(np.empty(0), np.empty((len(X), 0)))
    return basis_of(X, settings)


def _temperature(X: np.ndarray, known: Annotations, prototypes: np.ndarray, metric: str) -> float:
    scores = prototype_scores(X[known.annotated], prototypes, metric)
    return fit_temperature(scores, known.seen_codes[known.annotated])


def _mean_length(Z: np.ndarray) -> float:
    return float(np.linalg.norm(Z, axis=1).mean())
