"""What the training images say, as everything that learns a projection takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from sapwood.solvers import Eigen, scatter_eigen, symmetric_eigen

#: Images beyond the first that a class must have on average for its spread to be measured.
MIN_FREEDOM = 0.5
#: Where classes are hardly told apart, what is measured of their distance is chance.
MOST_NOISE = 50.0


@dataclass(frozen=True)
class Evidence:
    """Features of images, how far each belongs to each seen class, and how far it is trusted.

    Most methods only need the Gram matrices, which are computed once, when first asked for.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    F : ndarray of shape (n, p)
        Class memberships; rows sum to 1 or, where nothing is known, to 0.
    Z : ndarray of shape (p, k)
        Attributes of the seen classes, as scaled.
    weights : ndarray of shape (n,)
        Non-negative.
    attributes : ndarray of shape (n, k), optional
        Attributes of the images where they are no mixtures of classes; by default ``F Z``.
    source : Evidence, optional
        Of the same images (X, F and weights are the very same arrays), whose Gram matrices are
        used.
    """

    X: np.ndarray
    F: np.ndarray
    Z: np.ndarray
    weights: np.ndarray
    attributes: np.ndarray | None = None
    source: Evidence | None = field(default=None, repr=False)
    _memory: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        shared = ("X", "F", "weights")
        if self.source and any(getattr(self, a) is not getattr(self.source, a) for a in shared):
            raise ValueError("source is of other images; replace(..., source=None) forgets it")

    def described(self, coordinates: Callable[[np.ndarray], np.ndarray]) -> Evidence:
        """Return the same images with other coordinates of attributes.

        Gram matrices that do not depend on them are shared.

        Parameters
        ----------
        coordinates : callable
            Maps attribute vectors, shape (rows, k), to shape (rows, q).
        """
        own = None if self.attributes is None else coordinates(self.attributes)
        return replace(self, Z=coordinates(self.Z), attributes=own, source=self.source or self)

    def once(self, key: Any, compute: Callable[[], Any]) -> Any:
        """Return what `compute` returns, called once for these images whatever their coordinates.

        Parameters
        ----------
        key : hashable
        compute : callable
        """
        memory = self._memory if self.source is None else self.source._memory
        if key not in memory:
            memory[key] = compute()
        return memory[key]

    @cached_property
    def Y(self) -> np.ndarray:
        """Attributes of the images, shape (n, k)."""
        return self.F @ self.Z if self.attributes is None else self.attributes

    @property
    def FtF(self) -> np.ndarray:
        """Shape (p, p)."""
        return self.once("FtF", lambda: (self.F * self.weights[:, None]).T @ self.F)

    @property
    def FtX(self) -> np.ndarray:
        """Shape (p, d)."""
        return self.once("FtX", lambda: (self.F * self.weights[:, None]).T @ self.X)

    @property
    def XtX(self) -> np.ndarray:
        """Shape (d, d)."""
        return self.once("XtX", self._scatter)

    @property
    def XtX_eigen(self) -> Eigen:
        """Of XtX, without the directions in which no image differs from zero."""
        return self.once("XtX_eigen", self._decomposed)

    @cached_property
    def YtY(self) -> np.ndarray:
        """Shape (k, k)."""
        if self.attributes is None:
            return self.Z.T @ self.FtF @ self.Z
        return (self.Y * self.weights[:, None]).T @ self.Y

    @cached_property
    def YtY_eigen(self) -> Eigen:
        """Of YtY; where attributes outnumber classes, without directions that no class has."""
        p, k = self.Z.shape
        if self.attributes is not None or p >= k:
            return symmetric_eigen(self.YtY)
        # YᵀY = Zᵀ FᵀF Z has no more directions than there are classes.
        classes = self.once("FtF_eigen", lambda: symmetric_eigen(self.FtF))
        return scatter_eigen(np.sqrt(classes.values)[:, None] * classes.vectors.T @ self.Z)

    @cached_property
    def YtX(self) -> np.ndarray:
        """Shape (k, d)."""
        if self.attributes is None:
            return self.Z.T @ self.FtX
        return (self.Y * self.weights[:, None]).T @ self.X

    @cached_property
    def sum_x(self) -> np.ndarray:
        """Weighted sum of the features, shape (d,)."""
        return self.weights @ self.X

    @property
    def noise(self) -> float | None:
        """Variance of images about their class, in units of that of classes.

        None where no class has two images.
        """
        return self.once("noise", self._noise)

    def _noise(self) -> float | None:
        shares = self.F * self.weights[:, None]
        mass, squares = shares.sum(axis=0), (shares**2).sum(axis=0)
        # A mass whose square is zero is none: it is 1e-160, or less, that came from afar.
        known = squares > 0
        mass, squares, FtX = mass[known], squares[known], self.FtX[known]
        # A class of weights w is worth (Σw)² / Σw² images.
        if len(mass) < 2 or (mass**2 / squares - 1).mean() < MIN_FREEDOM:
            return None
        freedom = float((mass - squares / mass).sum())
        means = FtX / mass[:, None]
        length = float(shares.sum(axis=1) @ np.einsum("ij,ij->i", self.X, self.X))
        within = (length - float(mass @ (means**2).sum(axis=1))) / freedom
        spread = float(means.var(axis=0, ddof=1).sum())
        between = spread - within * float((squares / mass**2).mean())
        return within / max(between, within / MOST_NOISE) if within > 0 else 0.0

    def _weighted(self) -> np.ndarray:
        return self.X * np.sqrt(self.weights)[:, None]

    def _scatter(self) -> np.ndarray:
        X = self._weighted()
        return X.T @ X

    def _decomposed(self) -> Eigen:
        n, d = self.X.shape
        return symmetric_eigen(self.XtX) if n >= d else scatter_eigen(self._weighted())
