"""In which coordinates of classes to learn, asked of annotated images alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from sapwood.features import ATTRIBUTE_MAPS
from sapwood.models.folds import ClassFold, class_folds
from sapwood.progress import report
from sapwood.projection import (
    Evidence,
    fit_temperature,
    log_losses,
    prototype_scores,
    prototypes_along,
)

#: The map of attributes that others must beat, and those.
USUAL_MAP, OTHER_MAPS = "kernel", ("mixed", "plain-kernel", "plain-mixed")
#: Ridges that are tried with each, in units of the one given.
FACTORS = (1.0, 0.5, 2.0)
#: How far attributes may differ in what they count, where they need not count alike.
FREEDOM = 5.0
#: Parts into which seen classes are divided to play unseen ones, and how many times.
PARTS, DIVISIONS = 3, 3
#: Annotated classes with which it can be told.
FEWEST = 12
#: Standard errors by which other coordinates must lead.
CLEAR = 1.0
#: Annotated images that are asked.
MOST = 2000


class Coordinates(NamedTuple):
    """A named map of attributes, a ridge of a projection from what it returns, and a freedom.

    The last says how far attributes may differ in what they count: see
    :func:`sapwood.projection.attribute_weights`.
    """

    attribute_map: str
    ridge: float
    freedom: float


def maps_and_ridges(ridge: float, freedom: float) -> list[Coordinates]:
    """Return all maps with all ridges, the usual ones first."""
    names, ridges = (USUAL_MAP, *OTHER_MAPS), [factor * ridge for factor in FACTORS]
    return [Coordinates(*one, freedom) for one in product(names, ridges)]


def alike_or_weighed(chosen: Coordinates) -> list[Coordinates]:
    """Return coordinates in which attributes count alike, and those in which they need not.

    Without a kernel there is nothing to weigh attributes in.
    """
    weighable = ATTRIBUTE_MAPS[chosen.attribute_map].get("width") is not None
    return [chosen._replace(freedom=value) for value in (0.0, *(FREEDOM,) * weighable)]


def choose_coordinates(
    evidence: Evidence,
    codes: np.ndarray,
    tried: Sequence[Coordinates],
    metric: str,
    seed: int,
) -> Coordinates:
    """Name annotated images of seen classes held out under each choice; the likeliest wins.

    Parameters
    ----------
    evidence : Evidence
        Of all n images, Z being attributes of the seen classes as given.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    tried : sequence of Coordinates
        The usual ones first. Weights of attributes are learned with their ridge, from the classes
        that are not held out.
    metric : {"euclidean", "cosine"}
    seed : int

    Returns
    -------
    Coordinates
        The usual ones, unless others lead them by more than a standard error over classes; also
        with fewer than 12 classes, which cannot tell.
    """
    usual = tried[0]
    if len(tried) == 1 or len(np.unique(codes[codes >= 0])) < FEWEST:
        return usual
    rng = np.random.default_rng(seed)
    some = np.full(len(codes), -1)
    asked = rng.permutation(np.flatnonzero(codes >= 0))[:MOST]
    some[asked] = codes[asked]
    losses = {one: np.zeros(len(evidence.Z)) for one in tried}
    for division in range(DIVISIONS):
        report("coordinates", division / DIVISIONS)
        for fold in class_folds(evidence, evidence.X, some, PARTS, int(rng.integers(2**31))):
            for one, loss in _losses(fold, tried, metric):
                losses[one][fold.classes] += loss
    return _clearly_best(losses, usual, np.unique(some[some >= 0]))


def _losses(
    fold: ClassFold, tried: Sequence[Coordinates], metric: str
) -> Iterator[tuple[Coordinates, np.ndarray]]:
    """Yield the mean log-loss of each class held out, under each choice."""
    counts = np.bincount(fold.truth)
    for name, freedom in dict.fromkeys((one.attribute_map, one.freedom) for one in tried):
        own = [one for one in tried if (one.attribute_map, one.freedom) == (name, freedom)]
        taught, held = fold.described(name, tried[0].ridge, freedom)
        prototypes = prototypes_along(taught, held, [one.ridge for one in own])
        for one, found in zip(own, prototypes, strict=True):
            scores = prototype_scores(fold.X, found, metric)
            loss = log_losses(scores, fold.truth, fit_temperature(scores, fold.truth))
            yield one, np.bincount(fold.truth, loss) / counts


def _clearly_best(
    losses: dict[Coordinates, np.ndarray], usual: Coordinates, classes: np.ndarray
) -> Coordinates:
    best, least = usual, 0.0
    for tried, loss in losses.items():
        gains = (losses[usual] - loss)[classes]
        error = gains.std(ddof=1) / np.sqrt(len(gains))
        if gains.mean() > max(least, CLEAR * error):
            best, least = tried, float(gains.mean())
    return best
