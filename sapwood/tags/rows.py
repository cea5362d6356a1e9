"""Tags that take the place of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.features import unit_rows
from sapwood.tags.inputs import Tags


class TagRows:
    """Rows of tags of unit length, made when they are asked for.

    Parameters
    ----------
    T : sparse array of shape (n, t)
    weights : ndarray of shape (t,), optional
        Factors of the tags before a row gets its length; ones by default.

    Examples
    --------
    >>> import scipy.sparse
    >>> TagRows(scipy.sparse.csr_array([[3.0, 4.0], [0.0, 0.0]]))[:]
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)
    """

    def __init__(self, T: Tags, weights: np.ndarray | None = None) -> None:
        self.T = T
        self.weights = np.float32(1) if weights is None else weights.astype(np.float32)

    @property
    def shape(self) -> tuple[int, ...]:
        """Images and tags."""
        return self.T.shape

    def __getitem__(self, rows: Any) -> np.ndarray:
        return unit_rows(self.T[rows].toarray() * self.weights).astype(np.float32)
