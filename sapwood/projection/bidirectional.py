"""Bidirectional projection learning (BPL), as printed and free of scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from sapwood.projection.evidence import Evidence
from sapwood.solvers import Eigen, solve_sylvester, symmetric_eigen

#: Images a class from which on their number does not matter for the ridge, in units of the noise
#: of an image, and that noise where there is nothing to measure it by.
ENOUGH_IMAGES, USUAL_NOISE = 2.0, 4.0


def learn_projection(
    YtY: np.ndarray, YtX: np.ndarray, XtX: Eigen, ridge: float, forward: float = 1.0
) -> np.ndarray:
    """Solve ``(YᵀY + ridge I) W + forward W XᵀX = (1 + forward) YᵀX`` (Eq. 9 at forward = 1).

    W minimises ``forward ‖XWᵀ - Y‖² + ‖X - YW‖² + ridge ‖W‖²``.

    Parameters
    ----------
    YtY : ndarray of shape (k, k)
    YtX : ndarray of shape (k, d)
    XtX : Eigen
        Eigendecomposition of the (d, d) Gram matrix; it serves every call with the same features.
    ridge : float
        λ4.
    forward : float
        Weight of features → attributes against attributes → features; 1 in the paper.

    Returns
    -------
    ndarray of shape (k, d)

    Examples
    --------
    >>> learn_projection(np.eye(1), 3 * np.eye(1), symmetric_eigen(np.eye(1)), 1.0)
    array([[2.]])
    """
    scaled = Eigen(forward * XtX.values, XtX.vectors)
    return solve_sylvester(symmetric_eigen(YtY, ridge), scaled, (1 + forward) * YtX)


@dataclass(frozen=True)
class ScaledProjection:
    """A projection learned in units where features and attributes have the same size.

    Attributes
    ----------
    W : ndarray of shape (k, d)
        In those units.
    scale : float
        ``sqrt(τ_x / τ_y)``: attributes map to features by ``W * scale``, features to attributes
        by ``W.T / scale``.
    """

    W: np.ndarray
    scale: float

    @property
    def to_features(self) -> np.ndarray:
        """From attributes to features, both as given, shape (k, d)."""
        return self.W * self.scale


def lack_of_images(evidence: Evidence) -> float:
    """Return how many times more images a class should have: 1 where they are enough.

    The mean of m images has a noise of 1 / m in units of an image's own, which is measured. They
    are enough once it is half the variance of classes.
    """
    images = float(evidence.weights @ evidence.F.sum(axis=1)) / evidence.F.shape[1]
    noise = USUAL_NOISE if evidence.noise is None else evidence.noise
    return max(1.0, ENOUGH_IMAGES * noise / images)


def ridge_for(ridge: float, evidence: Evidence) -> float:
    """Return the ridge for classes that few images speak for.

    Where they have enough, what matters is how far attributes determine features at all, which
    `ridge` stands for; where they have not, the ridge grows as the noise does.
    """
    return ridge * lack_of_images(evidence)


def prototypes_along(
    evidence: Evidence, classes: np.ndarray, ridges: Sequence[float]
) -> Iterator[np.ndarray]:
    """Yield features that classes project to, under each ridge and without the other direction.

    Parameters
    ----------
    evidence : Evidence
    classes : ndarray of shape (c, q)
        Coordinates, as those of `evidence`.
    ridges : sequence of float
        As in :func:`learn_scaled`; they share an eigendecomposition.

    Yields
    ------
    ndarray of shape (c, d)
    """
    attributes = symmetric_eigen(evidence.YtY)
    # Classes described alike leave nothing but zeros once they are centred.
    unit = attributes.values.mean() or 1.0
    rotated, projected = attributes.vectors.T @ evidence.YtX, classes @ attributes.vectors
    for ridge in ridges:
        yield (projected / (attributes.values + ridge_for(ridge, evidence) * unit)) @ rotated


def learn_scaled(evidence: Evidence, ridge: float, forward: float) -> ScaledProjection:
    """BPL after dividing each Gram matrix by its mean eigenvalue, so `ridge` has no unit.

    Parameters
    ----------
    evidence : Evidence
    ridge : float
        As in :func:`learn_projection`, for classes of many images: see :func:`ridge_for`.
    forward : float
        As in :func:`learn_projection`.
    """
    YtY, X = evidence.YtY, evidence.X
    ridge = ridge_for(ridge, evidence)
    # Classes described alike leave nothing but zeros once they are centred; so do equal images.
    tau_y = np.trace(YtY) / len(YtY) or 1.0
    tau_x = float(evidence.weights @ np.einsum("ij,ij->i", X, X)) / X.shape[1] or 1.0
    YtX = evidence.YtX / np.sqrt(tau_y * tau_x)
    if forward:
        features = symmetric_eigen(evidence.XtX / tau_x)
        W = learn_projection(YtY / tau_y, YtX, features, ridge, forward)
    else:
        shrunk = YtY / tau_y + ridge * np.eye(len(YtY))
        W = scipy.linalg.solve(shrunk, YtX, assume_a="pos")
    return ScaledProjection(W, float(np.sqrt(tau_x / tau_y)))


def learn_forward(YtX: np.ndarray, XtX: np.ndarray, ridge: float) -> np.ndarray:
    """Regress attributes on features alone: the limit of BPL in which `forward` outweighs all.

    Parameters
    ----------
    YtX, XtX : ndarray of shape (k, d), (d, d)
        Gram matrices of centred rows.
    ridge : float
        In units of the mean eigenvalue of `XtX`.

    Returns
    -------
    ndarray of shape (k, d)

    Examples
    --------
    >>> learn_forward(np.array([[4.0]]), np.array([[2.0]]), 1.0)
    array([[1.]])
    """
    tau = np.trace(XtX) / len(XtX) or 1.0
    shrunk = XtX + ridge * tau * np.eye(len(XtX))
    return np.ascontiguousarray(scipy.linalg.solve(shrunk, YtX.T, assume_a="pos").T)
