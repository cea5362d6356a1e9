"""Runs of the robust algorithm: with all images, and once more with those that take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sapwood.features import FeatureMap, equally_unlike
from sapwood.models.comparison import PLAIN, Comparison, compared_scores, remoteness
from sapwood.models.learned import affinity_of, map_features
from sapwood.models.parts import UNPROVEN, Part, annotated_alone, everything, near_images
from sapwood.models.relearning import Relearner, Scorer, Statistics
from sapwood.models.robust import INFORMED, SETTINGS, Robust, Solution, solve_robust
from sapwood.models.verdict import Verdict, judge
from sapwood.models.weighted import COORDINATES, weighted_map
from sapwood.progress import report
from sapwood.projection import Evidence, learn_scaled


@dataclass(frozen=True)
class Solved:
    """A run of the algorithm on the images that take part."""

    part: Part
    feature_map: FeatureMap
    solution: Solution

    @property
    def evidence(self) -> Evidence:
        """What the projection was learned from."""
        return self.solution.step.evidence

    @property
    def information(self) -> float | None:
        """How much the projection tells of withheld annotations; None where it was not tested."""
        return self.solution.information

    def described(self, Z: np.ndarray) -> Evidence:
        """Return the evidence with other attributes or coordinates of classes, shape (p, q)."""
        own = self.evidence
        return Evidence(own.X, own.F, Z, own.weights, source=own.source or own)

    def projection(self, Z: np.ndarray, settings: dict[str, Any]) -> np.ndarray:
        """Return W from coordinates Z of the seen classes, shape (p, q), to mapped features."""
        return learn_scaled(self.described(Z), settings["lambda4"], settings["beta"]).to_features


def solve(
    X: np.ndarray,
    codes: np.ndarray,
    given: np.ndarray,
    Z: np.ndarray,
    weight: np.ndarray,
    settings: dict[str, Any],
) -> tuple[list[Solved], Verdict]:
    """Run the algorithm, and once more with fewer images unless all of them are to take part.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    codes : ndarray of int, shape (n,)
        Seen classes, -1 for unannotated images.
    given, Z : ndarray of shape (p, k) and (p, q)
        Attributes of the seen classes as given, and their coordinates.
    weight : ndarray of shape (n,)
    settings : dict
        Resolved parameters.

    Returns
    -------
    list of Solved
        The last one counts.
    Verdict
        On unannotated images, where annotated ones were asked.
    """
    way = "ignore" if settings["steps"] == "bpl" else settings["unlabelled"]
    if way == "ignore":
        alone = annotated_alone(codes, weight)
        return [_solve_once(X, codes, Z, alone, settings)], Verdict(all=False)
    first = _solve_once(X, codes, Z, everything(codes, weight), settings)
    verdict = Verdict(all=way != "near")
    if way == "auto" and (codes < 0).any():
        statistics = Statistics(X, first.feature_map, first.part.statistics)
        relearner = Relearner(first.described(given), scorer_of(settings), statistics)
        informed = first.information is not None and not uninformed(first.information)
        guided = not equally_unlike(Z)
        verdict = judge(relearner, codes, weight > 0, informed, guided, settings["seed"])
    if verdict.all:
        return [first], verdict
    # Where features say little, what is near to an image says little about it.
    if way == "auto" and uninformed(first.information):
        part = annotated_alone(codes, weight, why=UNPROVEN)
    else:
        part = near_images(X, first.evidence.X, codes, weight)
    return [first, _solve_once(X, codes, Z, part, settings)], verdict


def uninformed(information: float | None) -> bool:
    """Tell whether a projection was tested and found to know too little to vote."""
    return information is not None and information < INFORMED


def _solve_once(
    X: np.ndarray, codes: np.ndarray, Z: np.ndarray, part: Part, settings: dict[str, Any]
) -> Solved:
    whole = len(part.rows) == len(X)
    X, codes = (X, codes) if whole else (X[part.rows], codes[part.rows])
    feature_map, mapped = map_features(X, settings["features"], part.statistics)
    alone = settings["steps"] == "bpl" or (codes >= 0).all()
    S = None if alone else affinity_of(mapped, settings)
    report("learning")
    own = {name: settings[name] for name in SETTINGS}
    problem = Robust(mapped, S, codes, Z, part.weight, **own)
    rounds = settings["max_iter"] if part.votes else 1
    return Solved(part, feature_map, solve_robust(problem, rounds, settings["seed"]))


def scorer_of(settings: dict[str, Any], comparison: Comparison = lambda taught: PLAIN) -> Scorer:
    """Return what names images by a projection learned anew with these settings.

    Parameters
    ----------
    settings : dict
        Resolved parameters.
    comparison : callable
        From what was learned from to what :func:`sapwood.models.comparison.compared` takes.
    """

    def scorer(taught: Evidence, X: np.ndarray, classes: np.ndarray) -> np.ndarray:
        mapped = weighted_map(taught, *(settings[name] for name in COORDINATES))
        there = taught.described(mapped.transform)
        W = learn_scaled(there, settings["lambda4"], settings["beta"]).to_features
        way = comparison(taught), settings["metric"]
        prototypes = mapped.transform(classes) @ W
        scores = compared_scores(X, prototypes, *way)
        return scores + settings["remoteness"] * remoteness(prototypes, there.Z @ W, *way)

    return scorer
