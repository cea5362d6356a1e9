"""The choice of an SVM's settings by the ranking of images held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.metrics import average_precisions
from sapwood.progress import report
from sapwood.solvers import Eigen, Rows, as_floats, minimise_squared_hinge, second_moment

#: Weights of the loss that are tried.
GRID = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
#: Where the search begins.
FIRST = GRID.index(0.1)
#: Settings are chosen on this many images: with more the choice does not change. Of concepts that
#: fewer than so many of these show, more images are looked at.
TUNING_ROWS, SHOWN = 10_000, 10
#: A choice among settings does not need the last digits of an objective.
TUNING_TOL = 1e-3


class ScaledRows:
    """Rows with each column times a factor, and a constant at the end for the intercept."""

    def __init__(self, X: Rows, scale: np.ndarray) -> None:
        self.X, self.scale = X, scale

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows, and columns with the constant."""
        return self.X.shape[0], self.X.shape[1] + 1

    def __getitem__(self, rows: Any) -> np.ndarray:
        block = as_floats(self.X[rows])
        result = np.empty((len(block), block.shape[1] + 1), block.dtype)
        np.multiply(block, self.scale.astype(block.dtype), out=result[:, :-1])
        result[:, -1] = 1
        return result


@dataclass(frozen=True)
class Chosen:
    """The best settings, and what was seen of them on images held out.

    Attributes
    ----------
    scale : int
        Which of the scales.
    C : float or ndarray of shape (c,)
    rows : ndarray of shape (held out,)
        The images looked at.
    scores, flags : ndarray of shape (held out, c)
    moment : Eigen
        Of the rows so scaled.
    tried : list of dict
    """

    scale: int
    C: Any
    rows: np.ndarray
    scores: np.ndarray
    flags: np.ndarray
    moment: Eigen
    tried: list[dict[str, Any]]


def choose_settings(
    X: Rows, flags: np.ndarray, scales: Sequence[np.ndarray], C: Any, cv: int, seed: int
) -> Chosen:
    """Climb over scales and C to the highest mean average precision on images held out.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
    flags : ndarray of bool of shape (n, c)
    scales : sequence of ndarray of shape (d,)
        Neighbours in the list being alike.
    C : float, array-like or None
        None tries those of the grid.
    cv, seed : int
        Number of folds, and what they are drawn with.
    """
    rng = np.random.default_rng(seed)
    some = tuning_rows(flags, rng)
    flags = flags[some]
    folds = divide(len(some), cv, rng)
    grid = GRID if C is None else (C,)
    X = X[some]
    tables = [_HeldOut(ScaledRows(X, scale), flags, folds) for scale in scales]
    tried: list[dict[str, Any]] = []

    def quality(place: tuple[int, int]) -> float:
        report("settings", len(tried) / (2 * len(scales) + 4))
        found = tables[place[0]].quality(grid[place[1]])
        tried.append({"scale": place[0], "C": grid[place[1]], "mean_average_precision": found})
        return found

    start = (len(scales) // 2, min(FIRST, len(grid) - 1))
    best = climb(quality, (len(scales), len(grid)), start)
    table, at = tables[best[0]], grid[best[1]]
    return Chosen(best[0], at, some, table.scores(at), flags, table.moment, tried)


def tuning_rows(flags: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the images on which settings are chosen, in order; every concept is shown by some.

    Parameters
    ----------
    flags : ndarray of bool of shape (n, c)
    rng : Generator

    Returns
    -------
    ndarray of int
    """
    order = rng.permutation(len(flags))
    drawn, rest = order[:TUNING_ROWS], order[TUNING_ROWS:]
    lacking = np.maximum(SHOWN - flags[drawn].sum(axis=0), 0)
    more = [rest[flags[rest, c]][: lacking[c]] for c in np.flatnonzero(lacking)]
    return np.unique(np.concatenate([drawn, *more]))


class _HeldOut:
    """Scores of images by SVMs that were fitted to the other folds."""

    def __init__(self, X: ScaledRows, flags: np.ndarray, folds: np.ndarray) -> None:
        self.X, self.flags, self.folds = X, flags, folds
        self._moment: Eigen | None = None
        self._last: list[np.ndarray | None] = [None] * (int(folds.max()) + 1)
        self._known: dict[str, np.ndarray] = {}

    @property
    def moment(self) -> Eigen:
        if self._moment is None:
            self._moment = second_moment(self.X)
        return self._moment

    def quality(self, C: Any) -> float:
        return float(np.nanmean(average_precisions(self.flags, self.scores(C))))

    def scores(self, C: Any) -> np.ndarray:
        if str(C) not in self._known:
            self._known[str(C)] = self._scores(C)
        return self._known[str(C)]

    def _scores(self, C: Any) -> np.ndarray:
        X, signs, scores = self.X[:], signs_of(self.flags), np.empty(self.flags.shape)
        for fold, start in enumerate(self._last):
            own = self.folds == fold
            self._last[fold] = W = minimise_squared_hinge(
                X[~own], signs[~own], C, start=start, moment=self.moment, tol=TUNING_TOL
            ).solution
            scores[own] = X[own] @ W.T
        return scores


def climb(
    quality: Callable[[tuple[int, int]], float], shape: tuple[int, int], start: tuple[int, int]
) -> tuple[int, int]:
    """Go from place to better neighbouring place of a grid until there is none.

    Examples
    --------
    >>> climb(lambda place: -((place[0] - 3) ** 2) - (place[1] - 1) ** 2, (5, 5), (0, 0))
    (3, 1)
    """
    known = {start: quality(start)}
    at = start
    while True:
        i, j = at
        beside = [(i, j - 1), (i, j + 1), (i - 1, j), (i + 1, j)]
        for place in beside:
            inside = 0 <= place[0] < shape[0] and 0 <= place[1] < shape[1]
            if inside and place not in known:
                known[place] = quality(place)
        best = max((place for place in [at, *beside] if place in known), key=known.__getitem__)
        # Also where nothing can be told, and all are NaN.
        if not known[best] > known[at]:
            return at
        at = best


def divide(n: int, parts: int, rng: np.random.Generator, name: str = "cv") -> np.ndarray:
    """Give each of n rows one of `parts` folds, at random and of equal size.

    `name` is what the number is called where it was given.
    """
    if not isinstance(parts, Integral) or not 2 <= parts <= n:
        raise InputError(f"{name} is {parts!r}; expected a whole number from 2 to {n}, the images")
    return rng.permutation(np.arange(n) % parts)


def signs_of(flags: np.ndarray) -> np.ndarray:
    """Return 1 for True and -1 for False."""
    return np.where(flags, 1, -1).astype(np.int8)
