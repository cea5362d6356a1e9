"""Images and classes under a kernel between them: the loss of ZSKL, and the way down it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from sapwood.features import unit_rows
from sapwood.projection import Evidence

#: Images in a step, and the step's length in units of width², which undo the kernel's own.
BATCH, RATE, MOMENTUM = 128, 1.5, 0.9


@dataclass(frozen=True)
class Pairs:
    """Images with their attributes, and the seen classes, in coordinates that leave W small.

    Attributes
    ----------
    X : ndarray of shape (n, q)
    Y : ndarray of shape (n, r)
    Z : ndarray of shape (p, r)
    X_length, Y_length, Z_length : ndarray
        Squared, of the rows before they were projected on the axes.
    own : ndarray of shape (n,)
        The class that is no negative.
    chances : ndarray of shape (n,)
        Of being drawn.
    feature_axes : ndarray of shape (q, d)
        Orthonormal rows that span the classes' mean features.
    attribute_axes : ndarray of shape (k, r)
        Orthonormal columns that span the classes' attributes.
    """

    X: np.ndarray
    Y: np.ndarray
    Z: np.ndarray
    X_length: np.ndarray
    Y_length: np.ndarray
    Z_length: np.ndarray
    own: np.ndarray
    chances: np.ndarray
    feature_axes: np.ndarray
    attribute_axes: np.ndarray

    def drawn(self, rows: np.ndarray) -> Pairs:
        """Return some of the images with all classes."""
        names = ("X", "Y", "X_length", "Y_length", "own", "chances")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})


def pairs_of(evidence: Evidence, feature_mean: np.ndarray, attribute_mean: np.ndarray) -> Pairs:
    """Centre features and attributes, give them unit length and project them on few axes."""
    heard = evidence.weights > 0
    X = centred(evidence.X[heard], feature_mean)
    F, weights = evidence.F[heard], evidence.weights[heard]
    evidence = evidence.described(lambda A: centred(A, attribute_mean))
    Y, Z = evidence.Y[heard], evidence.Z
    feature_axes = _spanning((F * weights[:, None]).T @ X)
    attribute_axes = _spanning(Z).T
    small = np.float32
    return Pairs(
        X=(X @ feature_axes.T).astype(small),
        Y=(Y @ attribute_axes).astype(small),
        Z=(Z @ attribute_axes).astype(small),
        X_length=squared_lengths(X).astype(small),
        Y_length=squared_lengths(Y).astype(small),
        Z_length=squared_lengths(Z).astype(small),
        own=F.argmax(axis=1),
        chances=weights / weights.sum(),
        feature_axes=feature_axes,
        attribute_axes=attribute_axes,
    )


def descend(
    pairs: Pairs, width: float, negatives: float, stops: Collection[int]
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the number of steps taken and W, shape (r, q), at each of the stops."""
    rng, n = np.random.default_rng(0), len(pairs.X)
    W = np.zeros((pairs.Z.shape[1], pairs.X.shape[1]), dtype=pairs.X.dtype)
    move = np.zeros_like(W)
    rate = W.dtype.type(RATE * width**2)
    for step in range(1, max(stops) + 1):
        batch = pairs.drawn(rng.choice(n, min(BATCH, n), p=pairs.chances))
        _, gradient = loss_and_gradient(W, batch, width, negatives)
        move = W.dtype.type(MOMENTUM) * move - rate * gradient
        W = W + move
        if step in stops:
            yield step, W.astype(np.float64)


def loss_and_gradient(
    W: np.ndarray, pairs: Pairs, width: float, negatives: float
) -> tuple[float, np.ndarray]:
    """Mean loss of the images, and its derivative with respect to W, shape (r, q).

    Squared distances are ``‖x Wᵀ‖² - 2 x Wᵀ z + ‖z‖²`` and ``‖z W‖² - 2 x Wᵀ z + ‖x‖²``, for each
    image to all classes and, in the last column, to its own attributes.
    """
    X, Y, Z, n = pairs.X, pairs.Y, pairs.Z, len(pairs.X)
    U, gram = X @ W.T, W @ W.T
    products = np.column_stack([U @ Z.T, _products(U, Y)])
    lengths = _beside(pairs.Z_length, pairs.Y_length)
    images = _beside(_products(Z @ gram, Z), _products(Y @ gram, Y))
    share = _shares(pairs, negatives)
    there, D = _penalty(squared_lengths(U)[:, None] - 2 * products + lengths, share, width)
    back, E = _penalty(images - 2 * products + pairs.X_length[:, None], share, width)
    G = -2 * (D + E)
    by_U = G[:, :-1] @ Z + G[:, -1:] * Y + 2 * D.sum(axis=1, keepdims=True) * U
    by_gram = (Z * E[:, :-1].sum(axis=0)[:, None]).T @ Z + (Y * E[:, -1:]).T @ Y
    return (there + back) / n, (by_U.T @ X + 2 * by_gram @ W) / n


def _penalty(squared: np.ndarray, share: np.ndarray, width: float) -> tuple[float, np.ndarray]:
    """Loss of the kernel at these squared distances, and its derivative with respect to them."""
    kernel = np.exp(squared * (-1 / (2 * width**2)))
    gap = kernel.copy()
    gap[:, -1] -= 1
    return float((share * gap**2).sum()), share * gap * kernel * (-1 / width**2)


def _shares(pairs: Pairs, negatives: float) -> np.ndarray:
    """Weight of each class as a negative and, in the last column, of the image's attributes."""
    n, p = len(pairs.X), len(pairs.Z)
    share = np.full((n, p + 1), negatives / max(p - 1, 1), dtype=pairs.X.dtype)
    share[np.arange(n), pairs.own] = 0
    share[:, -1] = 1
    return share


def _beside(of_classes: np.ndarray, of_images: np.ndarray) -> np.ndarray:
    """Numbers of classes, the same for every image, and one of each image's own."""
    return np.column_stack([np.tile(of_classes, (len(of_images), 1)), of_images])


def centred(rows: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Rows less their mean and of unit length, as the authors have features and attributes."""
    # A row that equals the mean leaves rounding errors, not a direction.
    return unit_rows(rows - mean, floor=1e-12)


def _spanning(rows: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the given ones."""
    _, sizes, axes = scipy.linalg.svd(rows, full_matrices=False)
    return axes[sizes > sizes[0] * max(rows.shape) * np.finfo(float).eps]


def _products(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", A, B)


def squared_lengths(A: np.ndarray) -> np.ndarray:
    """Squared length of each row."""
    return _products(A, A)
