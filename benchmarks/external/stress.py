"""Unlabelled images of every kind that should not do harm, and of one that should help."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from cases import cub

from sapwood.benchmark import Problem
from sapwood.data import annotate, load_features, make_attribute_world

KINDS = (
    "all of seen classes",
    "half seen, half unseen",
    "all of unseen classes",
    "all of another subject",
    "all copies of one image",
)


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


def stress(ground: Ground, K: int, seed: int) -> dict[str, Problem]:
    """Return a problem for each kind of unlabelled images; all else is the same in all of them.

    Images given without label are neither annotated nor tested on.
    """
    rng, n = np.random.default_rng([seed, 2]), ground.extra
    is_unseen = np.isin(ground.labels, ground.unseen)
    annotated = annotate(ground.labels, np.unique(ground.labels[~is_unseen]), K, seed)
    of_seen = rng.permutation(np.setdiff1d(np.flatnonzero(~is_unseen), annotated))[:n]
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


@cache
def birds() -> Ground:
    data, photographs = cub(), load_features("flickr8k_tags").features
    unseen = data.splits["paper"].unseen
    X = data.features.astype(float)
    return Ground(X, data.labels, data.attributes, unseen, photographs.astype(float), 1200)


@cache
def creatures() -> Ground:
    world = make_attribute_world()
    X = world.features.astype(float)
    # No image has these features together, though each of them is as common as it was.
    shuffled = np.random.default_rng(0).permuted(X, axis=0)
    return Ground(X, world.labels, world.attributes, world.unseen, shuffled, 300)


TITLES = {
    "stress-cub": "CUB; another subject: photographs from Flickr",
    "stress-demo": "The demo's creatures; another subject: features shuffled among images",
}
GROUNDS = {"stress-cub": birds, "stress-demo": creatures}
