"""The size of things, for kernels and softmaxes that are to be free of scale."""

from __future__ import annotations

import numpy as np


def mean_squared_distance(X: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the mean of ``‖x_i - x_j‖²`` over all pairs of rows, a row with itself included.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    weights : ndarray of shape (n,), optional
        How often a row counts.

    Returns
    -------
    float
        Above zero: 1 where all rows are the same.

    Examples
    --------
    >>> mean_squared_distance(np.array([[0.0], [2.0]]))
    2.0
    """
    from_mean = X - np.average(X, axis=0, weights=weights)
    scatter = np.einsum("ij,ij->i", from_mean, from_mean)
    return 2 * float(np.average(scatter, weights=weights)) or 1.0
