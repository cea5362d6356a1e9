"""Feature maps of matrices that are too large to be mapped at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.features.maps import FEATURE_MAPS, FeatureMap
from sapwood.solvers import Rows, map_blocks, rows_at_a_time, symmetric_eigen

#: Numbers of about the size of a row that mapping one row takes.
COPIES = 6


def fit_in_blocks(X: Rows, features: str) -> FeatureMap:
    """Fit a named feature map to X, reading a block of rows at a time.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
    features : str
        A name in :data:`sapwood.features.FEATURE_MAPS`.

    Returns
    -------
    FeatureMap
        The one that ``fit`` finds, up to rounding.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((20, 3))
    >>> whole = FeatureMap(**FEATURE_MAPS["rooted"]).fit(X)
    >>> bool(np.allclose(fit_in_blocks(X, "rooted").mean_, whole.mean_))
    True
    """
    fitted = FeatureMap(**FEATURE_MAPS[features])
    n, d = X.shape
    fitted.n_features_in_ = d

    def block_of(rows: slice) -> np.ndarray:
        return np.asarray(X[rows], dtype=np.float64)

    def over_blocks(work: Any) -> Any:
        return map_blocks(lambda rows: work(block_of(rows)), n, rows_at_a_time(COPIES * d))

    least = min(over_blocks(np.min)) if fitted.root == "auto" else 0.0
    fitted.root_ = bool(least >= 0) if fitted.root == "auto" else bool(fitted.root)
    fitted.mean_ = np.zeros(d)
    if fitted.center:
        fitted.mean_ = sum(over_blocks(lambda B: fitted._before_centring(B).sum(axis=0))) / n
    fitted.whitening_matrix_ = None
    if fitted.whitening:

        def moment(B: np.ndarray) -> np.ndarray:
            B = fitted._centred(fitted._before_centring(B))
            return B.T @ B

        total = np.zeros((d, d))
        for part in over_blocks(moment):
            total += part
        fitted.whitening_matrix_ = fitted._whitening_from(symmetric_eigen(total / n), n)
    return fitted


class MappedRows:
    """Rows of X after a feature map, in single precision, mapped when they are asked for.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
    feature_map : FeatureMap
        Fitted.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((20, 3))
    >>> rows = MappedRows(X, fit_in_blocks(X, "unit"))
    >>> rows.shape, rows[:2].dtype.name
    ((20, 3), 'float32')
    """

    def __init__(self, X: Rows, feature_map: FeatureMap) -> None:
        self.X, self.feature_map = X, feature_map

    @property
    def shape(self) -> tuple[int, ...]:
        """Images and features."""
        return self.X.shape

    def __getitem__(self, rows: Any) -> np.ndarray:
        return self.feature_map.transform(np.asarray(self.X[rows])).astype(np.float32)
