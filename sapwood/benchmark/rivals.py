"""Rivals tuned on one problem, sharing whatever they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sapwood.baselines import BASELINES
from sapwood.baselines.base import Baseline
from sapwood.baselines.search import Workshop, tune
from sapwood.benchmark.problems import Problem
from sapwood.features import FEATURE_MAPS

#: Names of baselines, each with the ways in which it takes unannotated images in.
Ways = Mapping[str, tuple[str, ...]]
#: Those that were ahead of the others on CUB.
STRONG: Ways = {
    "rpl": ("ignore", "nearest", "propagate"),
    "kernel-ridge": ("ignore", "nearest", "propagate"),
    "label-spreading": ("spread",),
}


def tuned_rivals(
    problem: Problem, rivals: Ways, seed: int, features: Sequence[str] = tuple(FEATURE_MAPS)
) -> Iterator[tuple[str, Baseline]]:
    """Yield each rival's name and the rival, tuned on seen classes held out and fitted.

    Parameters
    ----------
    problem : Problem
    rivals : mapping of str to tuple of str
    seed : int
        Divides the seen classes.
    features : sequence of str
        Preparations of the features to choose among.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Z, labels = rng.random((7, 5)), np.repeat(np.arange(7), 6)
    >>> X, seen = Z[labels] @ rng.random((5, 8)), labels < 6
    >>> problem = Problem(X[seen], labels[seen], Z, X[~seen], labels[~seen], np.array([6]))
    >>> [name for name, _ in tuned_rivals(problem, {"rpl": ("ignore",)}, seed=0)]
    ['rpl, ignore']
    """
    pairs = [(name, way) for name, ways in rivals.items() for way in ways]
    found = tune(
        [BASELINES[name](unlabelled=way) for name, way in pairs],
        problem.X,
        problem.y,
        class_attributes=problem.Z,
        features=features,
        random_state=seed,
        workshop=Workshop(problem.X),
    )
    for (name, way), model in zip(pairs, found, strict=True):
        yield f"{name}, {way}", model
