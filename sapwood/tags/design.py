"""What the SVM is given: tag scores and features side by side, each of about unit length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from sapwood.features import FeatureMap, MappedRows, fit_in_blocks
from sapwood.solvers import Rows, map_blocks, rows_at_a_time

#: Numbers of about the size of a row that making one row takes.
COPIES = 6


@dataclass(frozen=True)
class Design:
    """How tag scores Y and features X become the rows ``[Y, X]``.

    Attributes
    ----------
    tag_mean : ndarray of shape (t,)
        Empty where there are no tags.
    tag_length : float
        Root mean square length of a row of Y less the mean.
    feature_map : FeatureMap or None
    """

    tag_mean: np.ndarray
    tag_length: float
    feature_map: FeatureMap | None

    def rows(self, Y: Rows | None, X: Rows | None) -> np.ndarray:
        """Return ``[Y, X]``, shape (n, t + d), in single precision, made block by block."""
        t = len(self.tag_mean)
        parts: list[tuple[slice, Rows]] = []
        if Y is not None:
            parts.append((slice(t), _Centred(Y, self.tag_mean, self.tag_length)))
        if X is not None and self.feature_map is not None:
            parts.append((slice(t, t + X.shape[1]), MappedRows(X, self.feature_map)))
        D = np.empty((parts[0][1].shape[0], parts[-1][0].stop), dtype=np.float32)

        def fill(rows: slice) -> None:
            for columns, part in parts:
                D[rows, columns] = part[rows]

        for _ in map_blocks(fill, len(D), rows_at_a_time(COPIES * D.shape[1])):
            pass
        return D

    def weighted(self, weight: float, columns: int) -> np.ndarray:
        """Return factors of the columns that give tags `weight` and features 1."""
        return np.where(np.arange(columns) < len(self.tag_mean), weight, 1.0)


def fit_design(Y: Rows | None, X: Rows | None, features: str) -> Design:
    """Find the scales of tag scores Y, shape (n, t), and of features X; either may be None.

    Examples
    --------
    >>> Y = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> fit_design(Y, None, "unit").rows(Y, None).round(3)
    array([[-0.707,  0.707],
           [ 0.707, -0.707]], dtype=float32)
    """
    feature_map = None if X is None else fit_in_blocks(X, features)
    if Y is None:
        return Design(np.empty(0), 1.0, feature_map)
    n, t = Y.shape

    def add_up(rows: slice) -> tuple[np.ndarray, float]:
        block = dense(Y[rows]).astype(np.float64)
        return block.sum(axis=0), float(np.vdot(block, block))

    total, squares = np.zeros(t), 0.0
    for part, square in map_blocks(add_up, n, rows_at_a_time(t)):
        total += part
        squares += square
    mean = total / n
    spread = squares / n - float(mean @ mean)
    # Where all rows agree there is nothing to scale.
    length = float(np.sqrt(spread)) if spread > 1e-12 * squares / n else 1.0
    return Design(mean, length, feature_map)


class _Centred:
    def __init__(self, Y: Rows, mean: np.ndarray, length: float) -> None:
        self.Y, self.mean, self.length = Y, mean, length

    @property
    def shape(self) -> tuple[int, ...]:
        return self.Y.shape

    def __getitem__(self, rows: slice) -> np.ndarray:
        return (dense(self.Y[rows]) - self.mean) / self.length


def dense(block: Any) -> np.ndarray:
    """Return rows, sparse or not, as an array."""
    return block.toarray() if scipy.sparse.issparse(block) else np.asarray(block)
