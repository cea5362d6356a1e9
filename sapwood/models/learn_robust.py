"""The robust preset: from features and annotations to a model's parts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from sapwood.models.annotations import Annotations
from sapwood.models.calibration import seen_bias, seen_temperature, unseen_temperature
from sapwood.models.comparison import PLAIN, compared_scores, error_comparison, errors_show
from sapwood.models.coordinates import (
    FEWEST,
    USUAL_MAP,
    Coordinates,
    alike_or_weighed,
    choose_coordinates,
    maps_and_ridges,
)
from sapwood.models.learned import Learned, coordinates, none_is_a_guide
from sapwood.models.parameters import AUTO
from sapwood.models.parts import UNREACHED
from sapwood.models.relearning import Relearner, Scorer, Statistics
from sapwood.models.runs import Solved, scorer_of, solve, uninformed
from sapwood.models.weighted import COORDINATES, weighted_map
from sapwood.progress import report
from sapwood.projection import (
    Evidence,
    doubted,
    fit_temperature,
    learn_forward,
)

#: With fewer images a feature than these, an image's own part in the statistics of the features
#: shows: it looks better known than an image to come.
FEW = 4


def learn_robust(
    X: np.ndarray, known: Annotations, weight: np.ndarray, settings: dict[str, Any]
) -> Learned:
    """The robust algorithm; parameters as in :func:`sapwood.models.learn_paper.learn_printed`."""
    codes, given = known.seen_codes, known.Z[known.seen]
    asked, settings = settings, _before_asking(settings)
    _, Z = coordinates(known, settings["attribute_map"])
    alone = none_is_a_guide(known, Z)
    if known.one_hot and settings["unlabelled"] == "auto":
        # Classes that are their own attributes cannot play unseen ones: nobody can be asked.
        settings = {**settings, "unlabelled": "all"}
    runs, verdict = solve(X, codes, given, Z[known.seen], weight, settings)
    last = runs[-1]
    if not alone and not settings["beta"]:
        # Classes held out say nothing of a forward term.
        settings = {**settings, **_chosen(last, codes, given, asked)}
    settings = {**settings, "remoteness": 0.0 if alone else asked["remoteness"]}
    own = (settings[name] for name in COORDINATES)
    attribute_map = weighted_map(last.described(given), *own)
    Z = attribute_map.transform(known.Z)
    W = last.projection(Z[known.seen], settings)
    if alone or settings["beta"] or not errors_show(last.evidence):
        settings = {**settings, "error_whitening": 0.0}
    report("calibration")
    comparison = _comparison(last.described(given), settings)
    forward, offset = _back(last.evidence, given, settings["lambda4"])
    relearner = _relearner(last, X, given, scorer_of(settings, lambda taught: comparison))
    theirs = codes[last.part.rows]
    # Classes that play unseen ones look too well known where their own errors are whitened. Whether
    # errors show is not asked again: scores must be of one kind.
    anew = replace(relearner, scorer=scorer_of(settings, partial(_comparison, settings=settings)))
    seen = seen_temperature(relearner, theirs, settings["seed"])
    unseen = None if alone else unseen_temperature(anew, theirs, settings["seed"])
    if seen is None:
        seen = _own_temperature(last, theirs, Z[known.seen] @ W, comparison, settings["metric"])
    return Learned(
        feature_map=last.feature_map,
        attribute_map=attribute_map,
        projection=W,
        comparison=comparison,
        forward=forward,
        offset=offset,
        **_told_of_images(runs, given, len(X)),
        trace=last.solution.trace,
        n_iter=len(last.solution.trace),
        # Gram matrices of mean eigenvalue 1 have traces q and d.
        attribute_bound=float(np.sqrt(Z.shape[1])),
        feature_norm=float(np.sqrt(X.shape[1])),
        information=runs[0].information,
        usefulness=verdict.usefulness,
        strangeness=verdict.strangeness,
        seen_bias=0.0 if alone else _handicap(anew, runs[0], theirs, settings["seed"]),
        temperature=seen,
        unseen_temperature=seen if unseen is None else unseen,
        coordinates=settings["attribute_map"],
        lambda4=settings["lambda4"],
        attribute_freedom=settings["attribute_freedom"] if np.ptp(attribute_map.weights_) else 0.0,
        error_whitening=settings["error_whitening"],
        remoteness=settings["remoteness"],
    )


def _before_asking(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings before annotated images are asked: attributes count, and classes stand, alike."""
    asked = settings["attribute_map"] == AUTO
    usual = {"attribute_map": USUAL_MAP} if asked else {}
    return {**settings, **usual, "attribute_freedom": 0.0, "remoteness": 0.0}


def _chosen(
    solved: Solved, codes: np.ndarray, Z: np.ndarray, settings: dict[str, Any]
) -> dict[str, Any]:
    """Ask annotated images for what was left open of the coordinates of classes."""
    name, ridge, freedom = (settings[name] for name in COORDINATES)
    few = len(np.unique(codes[codes >= 0])) < FEWEST
    start = 0.0 if few or freedom == AUTO else freedom
    ask = partial(choose_coordinates, solved.described(Z), codes[solved.part.rows])
    found = Coordinates(name, ridge, start)
    if name == AUTO:
        found = ask(maps_and_ridges(ridge, start), settings["metric"], settings["seed"])
    if freedom == AUTO:
        found = ask(alike_or_weighed(found), settings["metric"], settings["seed"])
    return dict(zip(COORDINATES, found, strict=True))


def _comparison(evidence: Evidence, settings: dict[str, Any]) -> np.ndarray:
    """Learn how images are compared with classes; Z of the evidence is as given."""
    if not settings["error_whitening"]:
        return PLAIN
    names = ("attribute_map", "lambda4", "error_whitening", "seed")
    return error_comparison(evidence, *(settings[name] for name in names))


def _relearner(solved: Solved, X: np.ndarray, Z: np.ndarray, scorer: Scorer) -> Relearner:
    rows, weight = solved.part.rows, solved.part.statistics
    few = weight.sum() < FEW * X.shape[1]
    own = Statistics(X[rows], solved.feature_map, weight) if few else None
    return Relearner(solved.described(Z), scorer, own)


def _handicap(relearner: Relearner, first: Solved, codes: np.ndarray, seed: int) -> float:
    # Where features say little, what was propagated is no witness to what an image is.
    witnesses = codes >= 0 if uninformed(first.information) else None
    return seen_bias(relearner, seed, witnesses)


def _own_temperature(
    solved: Solved,
    codes: np.ndarray,
    prototypes: np.ndarray,
    comparison: np.ndarray,
    metric: str,
) -> float:
    """Find a temperature on the annotated images that were learned from: it may be too sure."""
    weight, rows = solved.part.weight, codes >= 0
    scores = compared_scores(solved.evidence.X[rows], prototypes, comparison, metric)
    truth = doubted(codes[rows], len(prototypes), len(scores))
    return fit_temperature(scores, truth, weight[rows])


def _told_of_images(runs: list[Solved], Z: np.ndarray, n: int) -> dict[str, np.ndarray]:
    """Attributes, confidence, weight and reason of every image; of one left out, as it was."""
    attributes, confidence, weights = np.zeros((n, Z.shape[1])), np.zeros(n), np.zeros(n)
    for run in runs:
        posterior, rows = run.solution.step.posterior, run.part.rows
        attributes[rows], confidence[rows] = posterior.F @ Z, posterior.confidence
    part = runs[-1].part
    weights[part.rows] = runs[-1].evidence.weights
    reasons = part.reasons.copy()
    reasons[part.rows[(part.weight > 0) & (weights[part.rows] == 0)]] = UNREACHED
    return {
        "attributes": attributes,
        "confidence": confidence,
        "weights": weights,
        "reason_codes": reasons.astype(np.int8),
    }


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
