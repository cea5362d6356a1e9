"""Whether unannotated images look as if the annotated ones had been drawn from among them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import mannwhitneyu

from sapwood.models.parts import nearest_distance

#: Parts into which the annotated images of each class are divided, and how many of these and of the
#: unannotated ones take part.
PARTS, MOST = 5, 2000
#: How far from one half the chance may be, and how large its standard error.
DEPARTURE, ERROR = 0.05, 0.03


class Likeness(NamedTuple):
    """Chance that an unannotated image is further from annotated ones than another of these is.

    Examples
    --------
    >>> Likeness(0.52, 0.01).alike, Likeness(0.65, 0.01).alike, Likeness(0.5, 0.1).alike
    (True, False, False)
    """

    chance: float
    error: float

    @property
    def alike(self) -> bool:
        """Whether it is about one half, and known well enough to say so."""
        return abs(self.chance - 0.5) <= DEPARTURE and self.error <= ERROR


def likeness(X: np.ndarray, codes: np.ndarray, seed: int) -> Likeness | None:
    """Compare the distances of unannotated and of annotated images to the nearest annotated one.

    Each class's annotated images are divided into parts, and each part is asked for its distance
    to the others; so is an equal share of the unannotated images. If the annotated images were
    drawn at random from all, neither kind can be told from the other.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Mapped features.
    codes : ndarray of shape (n,)
        Class of each annotated image that counts, -1 elsewhere.
    seed : int

    Returns
    -------
    Likeness or None
        None where no class has two annotated images, or no image is unannotated.
    """
    rng = np.random.default_rng(seed)
    known = rng.permutation(np.flatnonzero(codes >= 0))[:MOST]
    others = rng.permutation(np.flatnonzero(codes < 0))[:MOST]
    rank, size = _ranks(codes[known])
    parts = min(PARTS, int(size.max(initial=0)))
    if parts < 2 or not len(others):
        return None
    # An image of a smaller class would be asked for classes that are not its own.
    part, asked = rank % parts, size >= parts
    turn = np.arange(len(others)) % parts
    near, far = [], []
    for i in range(parts):
        rest = X[known[part != i]]
        near.append(nearest_distance(X[known[asked & (part == i)]], rest))
        far.append(nearest_distance(X[others[turn == i]], rest))
    return _compared(np.concatenate(near), np.concatenate(far))


def _ranks(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of each image within its class, and the size of that class.

    Examples
    --------
    >>> _ranks(np.array([7, 3, 7, 7]))
    (array([0, 0, 1, 2]), array([3, 1, 3, 3]))
    """
    _, own, counts = np.unique(codes, return_inverse=True, return_counts=True)
    order = np.argsort(own, kind="stable")
    rank = np.empty(len(codes), dtype=int)
    rank[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rank, counts[own]


def _compared(near: np.ndarray, far: np.ndarray) -> Likeness:
    pairs = len(near) * len(far)
    chance = float(mannwhitneyu(far, near).statistic) / pairs
    return Likeness(chance, float(np.sqrt((len(near) + len(far) + 1) / (12 * pairs))))
