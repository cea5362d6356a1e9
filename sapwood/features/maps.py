"""Root, centring, length and partial whitening of feature rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sapwood.errors import InputError
from sapwood.solvers import Eigen, scatter_eigen

#: Named settings of :class:`FeatureMap`, weakest first.
FEATURE_MAPS: dict[str, dict[str, Any]] = {
    "raw": {"root": False, "unit": False, "center": False, "whitening": 0.0},
    "unit": {"root": False, "unit": True, "center": False, "whitening": 0.0},
    "centered": {"root": False, "unit": True, "center": True, "whitening": 0.0},
    "rooted": {"root": "auto", "unit": True, "center": True, "whitening": 0.0},
    "whitened": {"root": "auto", "unit": True, "center": True, "whitening": 0.3},
}


def unit_rows(X: np.ndarray, norm: int = 2, floor: float = 0.0) -> np.ndarray:
    """Divide each row by its L1 or L2 norm; a row no longer than `floor` becomes zero.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    size = np.linalg.norm(X, ord=norm, axis=1, keepdims=True)
    return X / np.where(size > floor, size, np.inf)


class FeatureMap(TransformerMixin, BaseEstimator):
    """Signed root, unit length, centring and partial whitening, in this order.

    Whitening multiplies by ``(C + s mean(Λ) I) ** -whitening`` where C is the second moment of the
    training rows, Λ its eigenvalues and s the shrinkage: strong directions are damped, weak ones
    are not blown up. Fewer rows than features leave directions in which nothing was measured; s
    is then d / n times as large.

    Parameters
    ----------
    root : bool or "auto"
        Take ``sign(x) sqrt|x|``, which tames the bursts of activations and histograms; "auto"
        takes it when no training feature is negative.
    unit : bool
        Scale rows to unit L2 length after the root, after centring and after whitening.
    center : bool
        Subtract the mean of the training rows.
    whitening : float
        Exponent: 0 for none, 0.5 for the usual full whitening.
    shrinkage : float
        Added to every eigenvalue, in units of their mean, where there are as many rows as features.

    Attributes
    ----------
    root_ : bool
        Whether the root is taken.
    mean_ : ndarray of shape (d,)
        Zero without centring.
    whitening_matrix_ : ndarray of shape (d, d) or None

    Examples
    --------
    >>> X = np.random.default_rng(0).random((20, 3))
    >>> FeatureMap().fit_transform(X).shape
    (20, 3)
    """

    def __init__(
        self,
        *,
        root: bool | str = "auto",
        unit: bool = True,
        center: bool = True,
        whitening: float = 0.3,
        shrinkage: float = 0.5,
    ) -> None:
        self.root = root
        self.unit = unit
        self.center = center
        self.whitening = whitening
        self.shrinkage = shrinkage

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> FeatureMap:
        """Learn the statistics of X, shape (n, d), in which rows count by their weights."""
        self.fit_transform(X, y, sample_weight=sample_weight)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Learn the statistics of X, shape (n, d), and return its image, of the same shape."""
        X = validate_data(self, X, dtype=np.float64)
        weight = _checked_weight(sample_weight, len(X))
        share = weight / weight.sum()
        self.root_ = bool(X.min() >= 0) if self.root == "auto" else bool(self.root)
        X = self._before_centring(X)
        self.mean_ = share @ X if self.center else np.zeros(X.shape[1])
        X = self._centred(X)
        self.whitening_matrix_ = self._whitening_of(X, weight) if self.whitening else None
        return self._whitened(X)

    def transform(self, X: Any) -> np.ndarray:
        """Map X, shape (n, d), with the statistics of the training rows."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._whitened(self._centred(self._before_centring(X)))

    def _before_centring(self, X: np.ndarray) -> np.ndarray:
        X = np.sign(X) * np.sqrt(np.abs(X)) if self.root_ else X
        return unit_rows(X) if self.unit else X

    def _centred(self, X: np.ndarray) -> np.ndarray:
        if not self.center:
            return X
        X = X - self.mean_
        # A row of unit length that equals the mean leaves rounding errors, not a direction.
        return unit_rows(X, floor=1e-12) if self.unit else X

    def _whitening_of(self, X: np.ndarray, weight: np.ndarray) -> np.ndarray:
        rows = weight.sum()
        weighted = X * np.sqrt(weight / rows)[:, None]
        return self._whitening_from(scatter_eigen(weighted), rows)

    def _whitening_from(self, moment: Eigen, rows: float) -> np.ndarray:
        d = len(moment.vectors)
        if not moment.values.any():
            return np.eye(d)
        added = self.shrinkage * max(1.0, d / rows) * moment.values.sum() / d
        scale = (moment.values + added) ** -self.whitening
        if len(scale) == d:
            return (moment.vectors * scale) @ moment.vectors.T
        # Eigenvectors that were not computed have the eigenvalue 0.
        unmeasured = added**-self.whitening
        lifted = (moment.vectors * (scale - unmeasured)) @ moment.vectors.T
        return lifted + unmeasured * np.eye(d)

    def _whitened(self, X: np.ndarray) -> np.ndarray:
        if self.whitening_matrix_ is None:
            return X
        X = X @ self.whitening_matrix_
        return unit_rows(X) if self.unit else X


def _checked_weight(sample_weight: Any, n: int) -> np.ndarray:
    weight = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if not weight.sum() > 0:
        raise InputError("sample_weight is zero for every row; at least one must count")
    return weight
