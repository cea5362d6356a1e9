"""What the training images say, as everything that learns a projection takes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


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
    """

    X: np.ndarray
    F: np.ndarray
    Z: np.ndarray
    weights: np.ndarray
    attributes: np.ndarray | None = None

    @cached_property
    def Y(self) -> np.ndarray:
        """Attributes of the images, shape (n, k)."""
        return self.F @ self.Z if self.attributes is None else self.attributes

    @cached_property
    def FtF(self) -> np.ndarray:
        """Shape (p, p)."""
        return (self.F * self.weights[:, None]).T @ self.F

    @cached_property
    def FtX(self) -> np.ndarray:
        """Shape (p, d)."""
        return (self.F * self.weights[:, None]).T @ self.X

    @cached_property
    def XtX(self) -> np.ndarray:
        """Shape (d, d)."""
        X = self.X * np.sqrt(self.weights)[:, None]
        return X.T @ X

    @cached_property
    def YtY(self) -> np.ndarray:
        """Shape (k, k)."""
        if self.attributes is None:
            return self.Z.T @ self.FtF @ self.Z
        return (self.Y * self.weights[:, None]).T @ self.Y

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
