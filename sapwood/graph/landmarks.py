"""A graph through landmarks (Chen & Cai 2011): its cost grows with the images, not their pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from sapwood.errors import InputError
from sapwood.graph.kmeans import choose_landmarks
from sapwood.progress import report
from sapwood.solvers import Rows, as_floats, map_blocks, rows_at_a_time, symmetric_eigen

#: Landmarks, and how many of them an image is tied to: the defaults of Chen & Cai's own program.
LANDMARKS, NEAREST = 1000, 5
#: Eigenvalues of ẐᵀẐ below this are rounding errors of a matrix whose largest is 1.
RANK_TOLERANCE = 1e-10


@dataclass(frozen=True)
class LandmarkGraph:
    """Images tied to their nearest landmarks; ``L = I - Ẑ Ẑᵀ``.

    Attributes
    ----------
    landmarks : ndarray of shape (p, d)
    sigma : float
        Width of the Gaussian weights.
    r : int
        Landmarks an image is tied to.
    degree : ndarray of shape (p,)
        Weight of the training images tied to each landmark.
    gram : ndarray of shape (p, p)
        ``Ẑᵀ Ẑ`` of the training images.
    """

    landmarks: np.ndarray
    sigma: float
    r: int
    degree: np.ndarray
    gram: np.ndarray

    def factor(self, X: Rows) -> scipy.sparse.csr_array:
        """Return the rows of Ẑ, shape (n, p), for images of the graph or for new ones.

        The row of a new image depends on the landmarks and their degrees alone: the graph stays
        as it is.
        """
        return _over_root(landmark_weights(X, self.landmarks, self.sigma, self.r), self.degree)

    def basis(self, m: int) -> LandmarkBasis:
        """Return the m smoothest eigenvectors of L, by the p × p problem."""
        return _basis(self, m)


@dataclass(frozen=True)
class LandmarkBasis:
    """The m smallest eigenvalues of L, and how an image's landmarks make its row of V_m.

    Attributes
    ----------
    values : ndarray of shape (m,)
        ``Σ_ii = 1 - s_i²`` with s the singular values of Ẑ, rising.
    mixing : ndarray of shape (p, m)
        ``V_m = Ẑ mixing``, also for the rows of new images.
    """

    values: np.ndarray
    mixing: np.ndarray


def landmark_graph(
    X: Rows,
    p: int = LANDMARKS,
    r: int = NEAREST,
    *,
    sigma: float | str = "mean",
    how: str = "kmeans",
    random_state: int | np.random.Generator = 0,
) -> tuple[LandmarkGraph, scipy.sparse.csr_array]:
    """Tie every row of X to its r nearest of p landmarks.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
        Read a block of rows at a time: memory grows with p², p d and r numbers an image.
    p, r : int
        At most n landmarks, at most p of them for an image.
    sigma : float or "mean"
        The weight is ``exp(-d² / 2σ²)``; "mean" takes for σ the mean squared distance between
        images and landmarks, as Chen & Cai's program does.
    how : {"kmeans", "random"}
    random_state : int or Generator

    Returns
    -------
    LandmarkGraph
    sparse array of shape (n, p)
        Ẑ of these images.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((50, 3))
    >>> graph, Z_hat = landmark_graph(X, p=8, r=2)
    >>> (Z_hat @ (Z_hat.T @ np.ones(50))).round(9).min()
    np.float64(1.0)
    """
    p = min(p, X.shape[0])
    U = choose_landmarks(X, p, how, random_state)
    width = _mean_squared_distance(X, U) if sigma == "mean" else float(sigma)
    r = min(r, p)
    Z = landmark_weights(X, U, width, r)
    degree = np.asarray(Z.sum(axis=0)).ravel()
    used = np.flatnonzero(degree)
    Z_hat = _over_root(Z[:, used], degree[used])
    gram = (Z_hat.T @ Z_hat).toarray()
    return LandmarkGraph(U[used], width, min(r, len(used)), degree[used], gram), Z_hat


def landmark_weights(X: Rows, U: np.ndarray, sigma: float, r: int) -> scipy.sparse.csr_array:
    """Return Z, shape (n, p): Gaussian weights of each row's r nearest landmarks, of sum 1.

    Examples
    --------
    >>> landmark_weights(np.array([[0.0]]), np.array([[1.0], [-1.0], [5.0]]), 1.0, 2).toarray()
    array([[0.5, 0.5, 0. ]])
    """
    n, p = X.shape[0], len(U)
    # Distances do not change with the origin; their rounding errors do.
    origin = U.mean(axis=0)
    U = U - origin
    half_norms = np.einsum("ij,ij->i", U, U) / 2

    def tie(rows: slice) -> tuple[np.ndarray, np.ndarray]:
        rank = half_norms - (as_floats(X[rows]) - origin) @ U.T
        near = np.sort(np.argpartition(rank, r - 1, axis=1)[:, :r], axis=1)
        half = np.take_along_axis(rank, near, axis=1).astype(np.float64)
        # Only differences count once a row has sum 1, and the nearest cannot underflow.
        weight = np.exp(-(half - half.min(axis=1, keepdims=True)) / sigma**2)
        return near, weight / weight.sum(axis=1, keepdims=True)

    near, weight = np.empty((n, r), dtype=np.int32), np.empty((n, r))
    done = 0
    for columns, values in map_blocks(tie, n, rows_at_a_time(p + X.shape[1])):
        block = slice(done, done + len(columns))
        near[block], weight[block], done = columns, values, block.stop
        report("neighbours", done / n)
    indptr = np.arange(0, n * r + 1, r)
    return scipy.sparse.csr_array((weight.ravel(), near.ravel(), indptr), shape=(n, p))


def _basis(graph: LandmarkGraph, m: int) -> LandmarkBasis:
    found = symmetric_eigen(graph.gram)
    squares, V = found.values[::-1], found.vectors[:, ::-1]
    rank = int((squares > RANK_TOLERANCE).sum())
    if not 1 <= m <= rank:
        raise InputError(
            f"m is {m} but {len(squares)} landmarks give a graph of rank {rank}; expected 1 to "
            f"{rank}: lower m, or use graph='knn'"
        )
    squares, V = squares[:m], V[:, :m]
    values = np.clip(1.0 - squares, 0.0, 1.0)
    count, _ = connected_components(scipy.sparse.csr_array(graph.gram), directed=False)
    # Exactly zero, once a component: the square root in SAP-I would make 1e-16 into 1e-8.
    values[:count] = 0.0
    peaks = V[np.abs(V).argmax(axis=0), np.arange(m)]
    return LandmarkBasis(values, V * np.where(peaks < 0, -1.0, 1.0) / np.sqrt(squares))


def _over_root(Z: scipy.sparse.csr_array, degree: np.ndarray) -> scipy.sparse.csr_array:
    """Return ``Z diag(degree)^-½``."""
    return scipy.sparse.csr_array(
        (Z.data / np.sqrt(degree)[Z.indices], Z.indices, Z.indptr), Z.shape
    )


def _mean_squared_distance(X: Rows, U: np.ndarray) -> float:
    """The mean over all pairs of a row of X and one of U, from sums over the rows."""
    n, d = X.shape
    origin = U.mean(axis=0, dtype=np.float64)

    def add_up(rows: slice) -> tuple[np.ndarray, float]:
        block = as_floats(X[rows]) - origin
        return block.sum(axis=0), float(np.vdot(block, block))

    total, squares = np.zeros(d), 0.0
    for part, square in map_blocks(add_up, n, rows_at_a_time(d)):
        total += part
        squares += square
    spread = float(((U - origin) ** 2).sum()) / len(U)
    # Around the landmarks' mean the mixed term is zero.
    mean = squares / n + spread
    return mean if mean > 0 else 1.0
