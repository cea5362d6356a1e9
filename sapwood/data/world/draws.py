"""Random choices that come out the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


class Draws:
    """Random choices made of ``Generator.random`` alone.

    NumPy may change how it draws integers, normals and permutations; the step from the bits of
    PCG64 to a number in 0–1 is the one that stays.

    Parameters
    ----------
    key : sequence of int
        Seeds the generator: each key has a stream of its own.

    Examples
    --------
    >>> draws = Draws(7, 0)
    >>> draws.index(6), draws.pick("abc"), round(draws.between(2, 3), 3)
    (3, 'c', 2.776)
    """

    def __init__(self, *key: int) -> None:
        self._random = np.random.default_rng(key).random

    def between(self, low: float, high: float) -> float:
        """Draw a number from low to high, all equally likely."""
        return low + (high - low) * float(self._random())

    def bell(self, spread: float) -> float:
        """Draw a number within ±3 spread, most often near 0."""
        return spread * 2 * float(self._random() + self._random() + self._random() - 1.5)

    def chance(self, p: float) -> bool:
        """Return True with probability p."""
        return bool(self._random() < p)

    def index(self, n: int) -> int:
        """Draw one of 0 … n − 1."""
        return min(int(self._random() * n), n - 1)

    def pick(self, items: Sequence[Item]) -> Item:
        """Draw one of the items."""
        return items[self.index(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        order = np.argsort(self._random(len(items)), kind="stable")
        return [items[i] for i in order]

    def uniform(self, n: int) -> np.ndarray:
        """Draw n numbers in 0–1, shape (n,)."""
        return self._random(n)
