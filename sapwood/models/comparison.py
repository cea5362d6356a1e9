"""How images are compared with projected classes.

A class that was not learned from projects to the wrong place, in some directions of the features
more so than in others. Seen classes held out in turn show in which; those count less.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.projection import Evidence, lack_of_images, prototype_scores, ridge_for
from sapwood.solvers import symmetric_eigen

#: Parts into which seen classes are divided to be held out, and how many times.
PARTS, DIVISIONS = 5, 3
#: Seen classes with which errors can be told.
FEWEST = 12
#: Added to every eigenvalue of the errors' moment, in units of their mean; d / n times as much for
#: fewer images than features.
SHRINKAGE = 2.0
#: Images and classes are compared as they are.
PLAIN = np.empty((0, 0))
#: How they are compared after learning from evidence.
Comparison = Callable[[Evidence], np.ndarray]


def compared(rows: np.ndarray, comparison: np.ndarray) -> np.ndarray:
    """Return mapped features, or classes projected to them, as they are compared.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    comparison : ndarray of shape (d, d), or (0, 0) to leave them as they are
    """
    return rows @ comparison if comparison.size else rows


def compared_scores(
    X: np.ndarray, prototypes: np.ndarray, comparison: np.ndarray, metric: str
) -> np.ndarray:
    """Score images, shape (n, d), against classes, (c, d): :func:`prototype_scores` of both."""
    return prototype_scores(compared(X, comparison), compared(prototypes, comparison), metric)


def remoteness(
    prototypes: np.ndarray, taught: np.ndarray, comparison: np.ndarray, metric: str
) -> np.ndarray:
    """Tell how far classes project from the nearest one that was learned from.

    A class that is described like one of these lies where it projects to; another, about there.
    Plain scores hold it against an image of the latter that it is not exactly there.

    Parameters
    ----------
    prototypes : ndarray of shape (c, d)
    taught : ndarray of shape (p, d)
        Where the classes that were learned from project to.
    comparison : ndarray of shape (d, d) or (0, 0)
    metric : {"euclidean", "cosine"}

    Returns
    -------
    ndarray of shape (c,)
        What the score of a class loses if an image is there and not where it projects to: a squared
        distance, or one less a cosine. 0 for classes that were learned from.

    Examples
    --------
    >>> remoteness(np.array([[0.0, 3.0]]), np.eye(2), PLAIN, "euclidean")
    array([4.])
    """
    nearest = compared_scores(prototypes, taught, comparison, metric).max(axis=1)
    return np.maximum((metric == "cosine") - nearest, 0.0)


def errors_show(evidence: Evidence) -> bool:
    """Tell whether classes are enough, and have enough images, to tell their errors from noise."""
    return len(evidence.Z) >= FEWEST and lack_of_images(evidence) == 1


def error_comparison(
    evidence: Evidence, attribute_map: str, ridge: float, exponent: float, seed: int
) -> np.ndarray:
    """Whiten, partially, the differences between images and the projections of classes held out.

    Parameters
    ----------
    evidence : Evidence
        Z being attributes of the seen classes as given.
    attribute_map : str
        Named coordinates of classes.
    ridge : float
    exponent : float
        Of the errors' second moment, shrunk, that multiplies both sides: 0 for none; 0.5 would
        whiten what was shrunk.
    seed : int

    Returns
    -------
    ndarray of shape (d, d)
    """
    rng = np.random.default_rng(seed)
    held_out = [_held_out(evidence, attribute_map, ridge, rng) for _ in range(DIVISIONS)]
    errors = symmetric_eigen(_moment(evidence, held_out))
    unit = float(errors.values.mean()) or 1.0
    few = len(errors.values) / float(evidence.weights.sum())
    values = errors.values / unit + SHRINKAGE * max(1.0, few)
    return (errors.vectors * (values / values.mean()) ** -exponent) @ errors.vectors.T


def _held_out(
    evidence: Evidence, attribute_map: str, ridge: float, rng: np.random.Generator
) -> np.ndarray:
    """Project each seen class after learning from others alone; shape (p, d)."""
    Z, FtF, FtX = evidence.Z, evidence.FtF, evidence.FtX
    part, prototypes = rng.permutation(len(Z)) % PARTS, np.empty_like(FtX)
    for turn in range(PARTS):
        held, kept = np.flatnonzero(part == turn), np.flatnonzero(part != turn)
        classes = AttributeMap(**ATTRIBUTE_MAPS[attribute_map]).fit(Z[kept])
        Y = classes.transform(Z[kept])
        YtY = Y.T @ FtF[np.ix_(kept, kept)] @ Y
        # Classes described alike leave nothing but zeros once they are centred.
        YtY += ridge_for(ridge, evidence) * (np.trace(YtY) / len(YtY) or 1.0) * np.eye(len(YtY))
        W = np.linalg.solve(YtY, Y.T @ FtX[kept])
        prototypes[held] = classes.transform(Z[held]) @ W
    return prototypes


def _moment(evidence: Evidence, held_out: list[np.ndarray]) -> np.ndarray:
    """Mean of ``(x - p_c)(x - p_c)ᵀ`` over images x, the classes c they belong to and divisions."""
    mass = evidence.weights @ evidence.F
    total = len(held_out) * evidence.XtX
    # In place: with many features a matrix of this size is large.
    for P in held_out:
        total += P.T @ (mass[:, None] * P - evidence.FtX)
        total -= evidence.FtX.T @ P
    total /= len(held_out) * mass.sum()
    return total
