"""Matrices that are read a few rows at a time."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from sapwood.solvers.blocks import worker_count

#: What all blocks held at one time may take.
BLOCK_BYTES = 64 * 2**20


class Rows(Protocol):
    """A matrix whose rows can be asked for: an array, a memory-mapped file, a map of either."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    def __getitem__(self, rows: Any) -> np.ndarray:
        """Return the rows of a slice, or those with the numbers in an array."""


def rows_at_a_time(width: int, block_bytes: int = BLOCK_BYTES) -> int:
    """Return how many rows of `width` numbers a block may have, one block a thread.

    Examples
    --------
    >>> rows_at_a_time(10**9)
    1
    """
    return max(1, block_bytes // (8 * width * worker_count()))


def as_floats(X: Any) -> np.ndarray:
    """Return rows as floats: single precision stays, everything else becomes double.

    Examples
    --------
    >>> as_floats(np.ones(1, np.float32)).dtype.name, as_floats(np.ones(1, np.uint8)).dtype.name
    ('float32', 'float64')
    """
    X = np.asarray(X)
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
