"""Unlabelled images of every kind that should not do harm, and of one that should help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import DEMO, get_data
from sapwood.benchmark.draws import split_of, usual_cases
from sapwood.benchmark.external import IGNORING, used
from sapwood.benchmark.methods import fitted
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import insides, standard_scores
from sapwood.data import annotate, load_features
from sapwood.models import SparseAttributePropagation

#: Methods, each the default with unlabelled images of one kind.
KINDS = {
    "sapwood:seen": "all of seen classes",
    "sapwood:half": "half seen, half unseen",
    "sapwood:unseen": "all of unseen classes",
    "sapwood:foreign": "all of another subject",
    "sapwood:copies": "all copies of one image",
}
#: Values of K, and how many unlabelled images there are.
ANNOTATED, EXTRA, DEMO_EXTRA = (1, 5), 1200, 300
#: Photographs that go with CUB's features; other data sets have their own features shuffled.
PHOTOGRAPHS = {"cub": "flickr8k_tags"}


@dataclass(frozen=True, eq=False)
class Ground:
    """Labelled images to draw from.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    labels : ndarray of shape (n,)
    Z : ndarray of shape (classes, k)
    unseen : ndarray of int
    foreign : ndarray of shape (f, d)
        Images of another subject.
    extra : int
        How many unlabelled images a problem has.
    """

    X: np.ndarray
    labels: np.ndarray
    Z: np.ndarray
    unseen: np.ndarray
    foreign: np.ndarray
    extra: int


def cases(asked: Asked) -> list[Case]:
    """Return data × K × seed."""
    return usual_cases("stress", asked, splits=("paper",), counts=ANNOTATED)


def methods(case: Case) -> list[str]:
    """Return the default with each kind of images, and without any."""
    return [*KINDS, IGNORING]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each kind."""
    problems = stress(ground_of(case), case.annotated, case.seed)
    for name in methods:
        problem = problems["sapwood:seen"].annotated() if name == IGNORING else problems[name]
        _, model, told = fitted(problem, name, SparseAttributePropagation())
        row = {"method": name, **told}
        if model is not None:
            row |= standard_scores(model, problem, name, case) | insides(model) | used(model)
        yield row


def ground_of(case: Case) -> Ground:
    """Return the images of a case's data and split, and some of another subject."""
    data = get_data(case.data, case.quick)
    X = data.features.astype(float)
    if case.data in PHOTOGRAPHS:
        foreign = load_features(PHOTOGRAPHS[case.data]).features.astype(float)
    else:
        # No image has these features together, though each of them is as common as it was.
        foreign = np.random.default_rng(0).permuted(X, axis=0)
    unseen = split_of(data, case.split, case.seed).unseen
    room = int(np.isin(data.labels, unseen).sum()) // 2
    extra = min(DEMO_EXTRA if case.data == DEMO else EXTRA, room)
    return Ground(X, data.labels, data.attributes, unseen, foreign, extra)


def stress(ground: Ground, K: int, seed: int) -> dict[str, Problem]:
    """Return a problem for each kind of unlabelled images; all else is the same in all of them.

    Images given without label are neither annotated nor tested on.

    Parameters
    ----------
    ground : Ground
    K, seed : int
    """
    rng = np.random.default_rng([seed, 2])
    is_unseen = np.isin(ground.labels, ground.unseen)
    is_seen = ~is_unseen & (ground.labels >= 0)
    annotated = annotate(ground.labels, np.unique(ground.labels[is_seen]), K, seed)
    left = np.setdiff1d(np.flatnonzero(is_seen), annotated)
    n = min(ground.extra, len(left), len(ground.foreign))
    of_seen = rng.permutation(left)[:n]
    of_unseen, test = np.split(rng.permutation(np.flatnonzero(is_unseen)), [n])
    mixed = np.concatenate([of_seen[: n // 2], of_unseen[n // 2 :]])
    extras = (
        ground.X[of_seen],
        ground.X[mixed],
        ground.X[of_unseen],
        ground.foreign[rng.permutation(len(ground.foreign))[:n]],
        np.repeat(ground.X[of_seen[:1]], n, axis=0),
    )
    y = np.concatenate([ground.labels[annotated], np.full(n, -1)])
    asked = ground.Z, ground.X[test], ground.labels[test], ground.unseen
    return {
        kind: Problem(np.concatenate([ground.X[annotated], extra]), y, *asked)
        for kind, extra in zip(KINDS, extras, strict=True)
    }
