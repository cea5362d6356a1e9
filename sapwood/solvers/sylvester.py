"""Sylvester equations with symmetric coefficients, by two eigendecompositions."""

from __future__ import annotations

import numpy as np

from sapwood.solvers.eigen import Eigen


def solve_sylvester(A: Eigen, B: Eigen, R: np.ndarray) -> np.ndarray:
    """Solve ``A W + W B = R`` for symmetric positive semi-definite A and B (proof of Prop. 1).

    Parameters
    ----------
    A : Eigen
        Eigendecomposition of the (k, k) coefficient.
    B : Eigen
        Eigendecomposition of the (d, d) coefficient.
    R : ndarray of shape (k, d)
        Right-hand side. Components that A and B both annihilate are set to zero, which gives the
        solution of least norm.

    Returns
    -------
    ndarray of shape (k, d)

    Examples
    --------
    >>> from sapwood.solvers import symmetric_eigen
    >>> A, B = symmetric_eigen(np.diag([1.0, 2.0])), symmetric_eigen(np.diag([3.0]))
    >>> solve_sylvester(A, B, np.array([[4.0], [10.0]]))
    array([[1.],
           [2.]])
    """
    denominator = A.values[:, None] + B.values[None, :]
    R_rotated = A.vectors.T @ R @ B.vectors
    singular = denominator <= denominator.max() * np.finfo(float).eps
    W_rotated = np.divide(R_rotated, denominator, out=np.zeros_like(R_rotated), where=~singular)
    return A.vectors @ W_rotated @ B.vectors.T
