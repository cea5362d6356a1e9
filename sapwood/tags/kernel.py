"""Kernel ridge regression of many tags over row blocks, with leave-one-out predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse

from sapwood.progress import report
from sapwood.solvers import Rows, map_blocks, rows_at_a_time

#: Added to the kernel between landmarks: equal ones would make it singular.
JITTER = 1e-6
#: From rows of X to rows of features.
Map = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class KernelModel:
    """Scores of tags from features.

    Attributes
    ----------
    landmarks : ndarray of shape (p, d)
    sigma : float
        Width of the Gaussian kernel.
    weights : ndarray of shape (p, t)
    base : ndarray of shape (t,)
        Mean of each tag.
    """

    landmarks: np.ndarray
    sigma: float
    weights: np.ndarray
    base: np.ndarray

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the scores of images with features X: (n, d) to (n, t)."""
        return gaussian(X, self.landmarks, self.sigma) @ self.weights + self.base


def gaussian(X: np.ndarray, U: np.ndarray, sigma: float) -> np.ndarray:
    """Return ``exp(-‖x - u‖² / 2σ²)`` for all rows x of X and u of U.

    Examples
    --------
    >>> gaussian(np.array([[0.0], [2.0]]), np.array([[0.0]]), 1.0).round(3)
    array([[1.   ],
           [0.135]])
    """
    K = X @ U.T
    K *= 2
    K -= np.einsum("ij,ij->i", X, X)[:, None]
    K -= np.einsum("ij,ij->i", U, U)[None, :]
    # Rounding must not make a row nearer than itself.
    np.minimum(K, 0, out=K)
    K /= 2 * sigma**2
    return np.exp(K, out=K)


def fit_kernel(
    X: Rows, T: scipy.sparse.csr_array, U: np.ndarray, *, sigma: float, ridge: float
) -> tuple[KernelModel, np.ndarray]:
    """Regress tags on features through landmarks (Nyström): exact where all images are landmarks.

    Parameters
    ----------
    X : Rows of shape (n, d)
        Read twice, a block of rows at a time.
    T : sparse array of shape (n, t)
    U : ndarray of shape (p, d)
        Landmarks; memory grows with p².
    sigma, ridge : float

    Returns
    -------
    KernelModel
    ndarray of shape (n, t)
        What the model would say of each image had it been fitted to the others: an image's own
        tags have no part in it.
    """
    base = np.asarray(T.mean(axis=0), dtype=np.float64).ravel()
    # Rounded to single precision it has negative eigenvalues where features are few.
    exact = U.astype(np.float64)
    K = gaussian(exact, exact, sigma)
    K[np.diag_indices(len(U))] += JITTER
    whiten = _inverse_root(K).astype(U.dtype)
    FtF, FtT = _moments(lambda block: gaussian(block, U, sigma) @ whiten, X, T, base, len(U))
    FtF[np.diag_indices(len(U))] += ridge
    solve = _inverse_root(FtF)
    to_Q, coefficients = whiten @ solve.astype(U.dtype), (solve.T @ FtT).astype(U.dtype)
    left_out = _left_out(lambda block: gaussian(block, U, sigma) @ to_Q, X, T, base, coefficients)
    return KernelModel(U, sigma, to_Q @ coefficients, base.astype(U.dtype)), left_out


def _moments(
    features: Map, X: Rows, T: scipy.sparse.csr_array, base: np.ndarray, p: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``FᵀF``, shape (p, p), and ``Fᵀ(T - base)``, shape (p, t), for features F of X."""

    def add_up(rows: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        F = features(X[rows])
        return F.T @ F, (T[rows].T @ F).T, F.sum(axis=0)

    n, at_a_time = X.shape[0], rows_at_a_time(2 * p)
    FtF, FtT, total = np.zeros((p, p)), np.zeros((p, T.shape[1])), np.zeros(p)
    for done, (gram, crossed, added) in enumerate(map_blocks(add_up, n, at_a_time), 1):
        FtF += gram
        FtT += crossed
        total += added
        report("regression", min(done * at_a_time / n, 1.0) / 2)
    return FtF, FtT - np.outer(total, base)


def _left_out(
    features: Map,
    X: Rows,
    T: scipy.sparse.csr_array,
    base: np.ndarray,
    coefficients: np.ndarray,
) -> np.ndarray:
    """Return predictions without the image itself, for features Q whose hat matrix is ``Q Qᵀ``."""
    n, result = X.shape[0], np.empty(T.shape, dtype=np.float32)

    def fill(rows: slice) -> int:
        Q = features(X[rows])
        # What each image adds to its own prediction.
        own = np.einsum("ij,ij->i", Q, Q)[:, None]
        given = T[rows].toarray() - base
        result[rows] = base + (Q @ coefficients - own * given) / np.maximum(1 - own, 1e-6)
        return rows.stop

    for done in map_blocks(fill, n, rows_at_a_time(4 * sum(coefficients.shape))):
        report("regression", (1 + done / n) / 2)
    return result


def _inverse_root(A: np.ndarray) -> np.ndarray:
    """Return B with ``B Bᵀ = A^-1`` for a symmetric positive definite A."""
    lower = scipy.linalg.cholesky(A, lower=True)
    return scipy.linalg.solve_triangular(lower, np.eye(len(A)), lower=True).T
