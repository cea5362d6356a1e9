"""How much each attribute counts: what classes left out would have said.

People describe classes by much that features do not show. Attributes that help to tell where the
images of a class lie, from those of the other classes, count more than those that do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from sapwood.features import AttributeMap

#: Classes of which one can be left out and the others still differ, and those that are asked at
#: most: a step takes the third power of their number.
FEWEST, MOST_CLASSES = 3, 300
#: Steps, and the relative gain of one at which it is enough: weights need no more digits.
STEPS, ENOUGH = 200, 1e-6
#: The logarithm of a weight goes no further from 0: a step that is too long must not overflow.
MOST = 10.0


@dataclass(frozen=True)
class LeftOut:
    """Kernel regression from classes to the means of their images, each class left out in turn.

    Attributes
    ----------
    A : ndarray of shape (p, k)
        Attributes of the classes, before weights.
    products : ndarray of shape (p, p)
        Between the means of their images, less the mean of all.
    ridge : float
    width, linear : float
        Of the kernel, as in :class:`sapwood.features.AttributeMap`.
    """

    A: np.ndarray
    products: np.ndarray
    ridge: float
    width: float
    linear: float

    def error(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the squared error, in units of what there is to tell, and its gradient.

        Parameters
        ----------
        weights : ndarray of shape (k,)
            Of the attributes, above 0.
        """
        p, weighted = len(self.A), self.A * weights
        inner = weighted @ self.A.T
        lengths = np.diag(inner)
        squared = np.maximum(lengths[:, None] + lengths - 2 * inner, 0.0)
        # The width goes with the distances: only ratios of weights count.
        scale = self.width**2 * squared.sum() / (p * (p - 1))
        gaussian, length = np.exp(-squared / (2 * scale)), lengths.mean()
        K = (1 - self.linear) * gaussian + self.linear * inner / length
        error, slope = self._error_of_kernel(K)
        # By the chain: distances and their mean, then products and theirs.
        bent = (1 - self.linear) * slope * gaussian / (2 * scale)
        moved = (bent * squared).sum() / squared.sum() - bent
        straight = self.linear * slope / length - 2 * moved
        alone = 2 * moved.sum(axis=1) - self.linear * (slope * inner).sum() / (p * length**2)
        return error, alone @ self.A**2 + np.einsum("ij,ij->j", self.A, straight @ self.A)

    def _error_of_kernel(self, K: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the error for a kernel between the classes, and its gradient, shape (p, p).

        With ``G = (K + ridge I)^-1`` a class is off by ``(G M)_c / G_cc`` where the others teach.
        """
        G = np.linalg.inv(K + self.ridge * np.eye(len(K)))
        own, through = np.diag(G), G @ self.products @ G
        errors, total = np.diag(through) / own**2, np.trace(self.products)
        slope = (G * (errors / own)) @ G - (G / own**2) @ through
        return float(errors.sum() / total), (slope + slope.T) / total


def attribute_weights(
    classes: AttributeMap, Z: np.ndarray, means: np.ndarray, ridge: float, freedom: float
) -> np.ndarray:
    """Find the weights of attributes with which classes left out are projected best.

    The squared error of all classes, in units of their variance, plus ``‖log v‖² / (p freedom²)``
    is minimised over the weights v, from equal ones on.

    Parameters
    ----------
    classes : AttributeMap
        With a kernel; what it is fitted to does not matter.
    Z : ndarray of shape (p, k)
        Attributes as given; of more than 300 classes some, spread evenly.
    means : ndarray of shape (p, d)
        Features of the classes' images, on average.
    ridge : float
        In units of the kernel of a class with itself.
    freedom : float
        0 leaves the weights at 1.

    Returns
    -------
    ndarray of shape (k,)
        All 1 with fewer than 3 classes, or where there is nothing to tell.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.random((40, 3))
    >>> means = Z[:, :2] @ rng.standard_normal((2, 5))
    >>> found = attribute_weights(AttributeMap(width=1.2, center=True), Z, means, 0.1, 5.0)
    >>> int(found.argmin())
    2
    """
    some = np.linspace(0, len(Z) - 1, min(len(Z), MOST_CLASSES)).astype(np.int64)
    Z, means = Z[some], means[some]
    p, k = Z.shape
    A, M = AttributeMap(**classes.get_params()).fit(Z).scale(Z), means - means.mean(axis=0)
    if p < FEWEST or not freedom or classes.width is None or not A.any() or not M.any():
        return np.ones(k)
    problem = LeftOut(A, M @ M.T, ridge, classes.width, classes.linear)

    def loss(logs: np.ndarray) -> tuple[float, np.ndarray]:
        weights, doubt = np.exp(logs), 1 / (p * freedom**2)
        error, slope = problem.error(weights)
        return error + doubt * float(logs @ logs), slope * weights + 2 * doubt * logs

    found = minimize(
        loss,
        np.zeros(k),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-MOST, MOST)] * k,
        options={"maxiter": STEPS, "ftol": ENOUGH},
    )
    return np.exp(found.x)
