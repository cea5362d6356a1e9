"""From attribute vectors of classes to the coordinates in which projections are learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from sapwood.features.maps import unit_rows
from sapwood.solvers import symmetric_eigen

#: Distances that differ by less than this share of the largest number differ by rounding alone.
ROUNDING = 1e-9
#: Named settings of :class:`AttributeMap`, weakest first.
ATTRIBUTE_MAPS: dict[str, dict[str, Any]] = {
    "raw": {"norm": "none"},
    "l1": {"norm": "l1"},
    "l2": {"norm": "l2"},
    "powered": {"norm": "l2", "power": 0.6, "center": True},
    "plain-kernel": {"norm": "l2", "center": True, "width": 1.2},
    "plain-mixed": {"norm": "l2", "center": True, "width": 1.2, "linear": 0.25},
    "mixed": {"norm": "l2", "power": 0.6, "center": True, "width": 1.2, "linear": 0.25},
    "kernel": {"norm": "l2", "power": 0.6, "center": True, "width": 1.2},
}


def equally_unlike(Z: np.ndarray) -> bool:
    """Tell whether no class is described more like one class than like another.

    One-hot rows are, and rows that are all the same. Two classes always are, and say nothing.

    Parameters
    ----------
    Z : ndarray of shape (classes, k)

    Examples
    --------
    >>> equally_unlike(np.eye(3)), equally_unlike(np.array([[0.0], [1.0], [3.0]]))
    (True, False)
    """
    return len(Z) > 2 and bool(np.ptp(pdist(Z)) <= ROUNDING * np.abs(Z).max())


class AttributeMap(BaseEstimator):
    """Power, length, centring, weights and a kernel between classes, in this order.

    With a kernel the coordinates of a class are such that their products are the kernel's values
    between it and the seen classes: a linear projection from them is kernel regression.

    Parameters
    ----------
    norm : {"none", "l1", "l2"}
        Which length of a row becomes 1, before centring and after it.
    power : float
        Exponent of every attribute, where no seen class has a negative one.
    center : bool
        Subtract the mean of the seen classes.
    width : float, optional
        Of the Gaussian kernel, in units of the root mean squared distance between seen classes;
        None for no kernel.
    linear : float
        Share of the inner product in the kernel, from 0 to 1; the rest is Gaussian.

    Attributes
    ----------
    power_ : float
    mean_ : ndarray of shape (k,)
    weights_ : ndarray of shape (k,)
        How much each attribute counts.
    anchors_ : ndarray of shape (p, k)
        The seen classes before the kernel.
    scale_ : float
        Squared width in the units of `anchors_`; 0 without a kernel.
    mixing_ : ndarray of shape (p, p)
        Inverse root of the kernel between seen classes; shape (0, 0) without a kernel.

    Examples
    --------
    >>> Z = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> AttributeMap(norm="l1").fit(Z).transform(Z)
    array([[1. , 0. ],
           [0. , 1. ],
           [0.5, 0.5]])
    """

    def __init__(
        self,
        *,
        norm: str = "l2",
        power: float = 1.0,
        center: bool = False,
        width: float | None = None,
        linear: float = 0.0,
    ) -> None:
        self.norm = norm
        self.power = power
        self.center = center
        self.width = width
        self.linear = linear

    def fit(self, Z: np.ndarray, weights: np.ndarray | None = None) -> AttributeMap:
        """Learn the statistics of the seen classes.

        Parameters
        ----------
        Z : ndarray of shape (p, k)
        weights : ndarray of shape (k,), optional
            How much each attribute counts in the kernel, by their ratios; by default all alike.
        """
        self.power_ = self.power if Z.min() >= 0 else 1.0
        self.mean_ = self._before_centring(Z).mean(axis=0) if self.center else np.zeros(Z.shape[1])
        self.weights_ = np.ones(Z.shape[1])
        if weights is not None:
            squares = (self.scale(Z) ** 2).sum(axis=0)
            # Seen classes stay as long as they were.
            self.weights_ = weights * (squares.sum() / (squares @ weights))
        self.anchors_ = self.scale(Z)
        self.scale_, self.mixing_ = 0.0, np.empty((0, 0))
        if self.width is not None:
            self.scale_ = self.width**2 * _mean_squared_distance(self.anchors_)
            kernel = symmetric_eigen(self._kernel(self.anchors_))
            # Classes described alike have one direction between them.
            kept = kernel.values > kernel.values.max() * 1e-10
            root = np.divide(1.0, np.sqrt(kernel.values), out=np.zeros(len(Z)), where=kept)
            self.mixing_ = (kernel.vectors * root) @ kernel.vectors.T
        return self

    def transform(self, Z: np.ndarray) -> np.ndarray:
        """Return the coordinates of classes: shape (classes, k), or (classes, p) with a kernel."""
        check_is_fitted(self, "mixing_")
        return self.place(self.scale(Z))

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return int(self.mixing_.shape[1] if self.scale_ else self.mean_.shape[0])

    def scale(self, Z: np.ndarray) -> np.ndarray:
        """Apply power, length, centring and weights; shape (classes, k) both ways."""
        scaled = self._before_centring(Z)
        if self.center:
            # A class equal to the mean leaves rounding errors, not a direction.
            scaled = self._to_length(scaled - self.mean_, floor=1e-12)
        return scaled * np.sqrt(self.weights_)

    def place(self, scaled: np.ndarray) -> np.ndarray:
        """Apply the kernel to what :meth:`scale` returned."""
        return self._kernel(scaled) @ self.mixing_ if self.scale_ else scaled

    def pull_back(self, scaled: np.ndarray, G: np.ndarray) -> np.ndarray:
        """Turn gradients with respect to :meth:`place`'s output into those for its input.

        Parameters
        ----------
        scaled : ndarray of shape (classes, k)
        G : ndarray of shape (classes, coordinates)

        Returns
        -------
        ndarray of shape (classes, k)
        """
        if not self.scale_:
            return G
        by_anchor = G @ self.mixing_
        weighted = (1 - self.linear) * by_anchor * self._gaussian(scaled)
        mass = weighted.sum(axis=1, keepdims=True)
        bent = (weighted @ self.anchors_ - mass * scaled) / self.scale_
        return bent + self.linear * by_anchor @ self.anchors_

    def _before_centring(self, Z: np.ndarray) -> np.ndarray:
        # Signs that no seen class had are kept.
        powered = Z if self.power_ == 1 else np.sign(Z) * np.abs(Z) ** self.power_
        return self._to_length(powered)

    def _to_length(self, Z: np.ndarray, floor: float = 0.0) -> np.ndarray:
        if self.norm == "none":
            return Z
        return unit_rows(Z, norm=1 if self.norm == "l1" else 2, floor=floor)

    def _kernel(self, scaled: np.ndarray) -> np.ndarray:
        gaussian = self._gaussian(scaled)
        if not self.linear:
            return gaussian
        return (1 - self.linear) * gaussian + self.linear * scaled @ self.anchors_.T

    def _gaussian(self, scaled: np.ndarray) -> np.ndarray:
        own = np.einsum("ij,ij->i", scaled, scaled)[:, None]
        other = np.einsum("ij,ij->i", self.anchors_, self.anchors_)[None, :]
        squared = np.maximum(own + other - 2 * scaled @ self.anchors_.T, 0.0)
        return np.exp(-squared / (2 * self.scale_))


def _mean_squared_distance(A: np.ndarray) -> float:
    """Mean over pairs of different rows; 1 where all rows are equal."""
    centred = A - A.mean(axis=0)
    mean = 2 * float((centred**2).sum()) / max(len(A) - 1, 1)
    return mean or 1.0
