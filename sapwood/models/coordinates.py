"""In which coordinates of classes to learn, asked of annotated images alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

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
#: Parts into which seen classes are divided to play unseen ones, and how many times.
PARTS, DIVISIONS = 3, 3
#: Annotated classes with which it can be told.
FEWEST = 12
#: Standard errors by which other coordinates must lead.
CLEAR = 1.0
#: Annotated images that are asked.
MOST = 2000


class Coordinates(NamedTuple):
    """A named map of attributes, and the ridge of a projection from what it returns."""

    attribute_map: str
    ridge: float


def choose_coordinates(
    evidence: Evidence, codes: np.ndarray, ridge: float, metric: str, seed: int
) -> Coordinates:
    """Name annotated images of seen classes held out under each map and ridge; the likeliest wins.

    Parameters
    ----------
    evidence : Evidence
        Of all n images, Z being attributes of the seen classes as given.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    ridge : float
        The usual one.
    metric : {"euclidean", "cosine"}
    seed : int

    Returns
    -------
    Coordinates
        The usual ones, unless others lead them by more than a standard error over classes; also
        with fewer than 12 classes, which cannot tell.
    """
    usual = Coordinates(USUAL_MAP, ridge)
    if len(np.unique(codes[codes >= 0])) < FEWEST:
        return usual
    rng = np.random.default_rng(seed)
    some = np.full(len(codes), -1)
    asked = rng.permutation(np.flatnonzero(codes >= 0))[:MOST]
    some[asked] = codes[asked]
    losses: dict[Coordinates, np.ndarray] = {}
    for division in range(DIVISIONS):
        report("coordinates", division / DIVISIONS)
        for fold in class_folds(evidence, evidence.X, some, PARTS, int(rng.integers(2**31))):
            for tried, loss in _losses(fold, ridge, metric):
                losses.setdefault(tried, np.zeros(len(evidence.Z)))[fold.classes] += loss
    return _clearly_best(losses, usual, np.unique(some[some >= 0]))


def _losses(fold: ClassFold, ridge: float, metric: str) -> Iterator[tuple[Coordinates, np.ndarray]]:
    """Yield the mean log-loss of each class held out, under each choice."""
    ridges = [factor * ridge for factor in FACTORS]
    counts = np.bincount(fold.truth)
    for name in (USUAL_MAP, *OTHER_MAPS):
        taught, held = fold.described(name)
        prototypes = prototypes_along(taught, held, ridges)
        for tried, found in zip(ridges, prototypes, strict=True):
            scores = prototype_scores(fold.X, found, metric)
            loss = log_losses(scores, fold.truth, fit_temperature(scores, fold.truth))
            yield Coordinates(name, tried), np.bincount(fold.truth, loss) / counts


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
