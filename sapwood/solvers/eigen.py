"""Symmetric eigenproblems: dense, and the leading pairs of a sparse matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

# Below this size a dense decomposition is as fast as Lanczos and never misses a repeated value.
DENSE_SIZE = 600


@dataclass(frozen=True)
class Eigen:
    """Eigenvalues and orthonormal eigenvectors of a symmetric matrix.

    Attributes
    ----------
    values : ndarray of shape (m,)
    vectors : ndarray of shape (n, m)
        One eigenvector a column.
    """

    values: np.ndarray
    vectors: np.ndarray


def symmetric_eigen(G: np.ndarray, shift: float = 0.0) -> Eigen:
    """Decompose the positive semi-definite ``G + shift I``; values rise, none below `shift`.

    Parameters
    ----------
    G : ndarray of shape (d, d)
    shift : float
        Added to every eigenvalue.

    Examples
    --------
    >>> symmetric_eigen(np.diag([4.0, 1.0]), shift=1.0).values
    array([2., 5.])
    """
    values, vectors = np.linalg.eigh(G)
    return Eigen(np.maximum(values, 0.0) + shift, vectors)


def scatter_eigen(X: np.ndarray) -> Eigen:
    """Decompose ``Xᵀ X``, through ``X Xᵀ`` where there are fewer rows than columns.

    Parameters
    ----------
    X : ndarray of shape (n, d)

    Returns
    -------
    Eigen
        All d pairs where n >= d; else those of values that are not zero.

    Examples
    --------
    >>> scatter_eigen(np.array([[3.0, 4.0, 0.0]])).values
    array([25.])
    """
    n, d = X.shape
    if n >= d:
        return symmetric_eigen(X.T @ X)
    inner = symmetric_eigen(X @ X.T)
    kept = inner.values > inner.values.max() * n * np.finfo(float).eps
    values = inner.values[kept]
    return Eigen(values, X.T @ inner.vectors[:, kept] / np.sqrt(values))


def largest_eigenpairs(
    S: scipy.sparse.csr_array,
    m: int,
    known: scipy.sparse.csr_array | None = None,
    random_state: int | np.random.Generator = 0,
) -> Eigen:
    """Return the m algebraically largest eigenpairs of S, S's spectrum being within [-1, 1].

    Parameters
    ----------
    S : sparse array of shape (n, n)
        Symmetric.
    m : int
        At most n.
    known : sparse array of shape (n, c), optional
        Orthonormal eigenvectors of eigenvalue 1. They are taken as they are and deflated:
        Lanczos iteration finds one vector of a repeated eigenvalue and may miss the others.
    random_state : int or Generator
        Seeds the start vector.

    Returns
    -------
    Eigen
        Values fall; each vector's largest entry is positive.

    Examples
    --------
    >>> S = scipy.sparse.csr_array(np.diag([0.5, 1.0, -1.0]))
    >>> largest_eigenpairs(S, 2).values
    array([1. , 0.5])
    """
    n = S.shape[0]
    if n <= DENSE_SIZE or m > n // 2:
        # Drivers that find a part alone fail on some repeated eigenvalues, which copies bring.
        values, vectors = scipy.linalg.eigh(S.toarray(), driver="evd")
        return Eigen(values[::-1][:m], _fix_signs(vectors[:, ::-1][:, :m]))
    U = scipy.sparse.csr_array((n, 0)) if known is None else known[:, :m]
    wanted = m - U.shape[1]
    if not wanted:
        return Eigen(np.ones(m), _fix_signs(U.toarray()))
    # S - 2UUᵀ moves the known vectors from the top of the spectrum to its bottom.
    deflated = scipy.sparse.linalg.LinearOperator(
        (n, n), matvec=lambda v: S @ v - 2 * (U @ (U.T @ v)), dtype=float
    )
    start = np.random.default_rng(random_state).standard_normal(n)
    values, vectors = scipy.sparse.linalg.eigsh(deflated, k=wanted, which="LA", v0=start)
    order = np.argsort(-values)
    values = np.concatenate([np.ones(U.shape[1]), values[order]])
    return Eigen(values, _fix_signs(np.hstack([U.toarray(), vectors[:, order]])))


def _fix_signs(V: np.ndarray) -> np.ndarray:
    peaks = V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])]
    return V * np.where(peaks < 0, -1.0, 1.0)
