"""Classes as mixtures of other classes."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.optimize import nnls


def simplex_mixtures(Z: np.ndarray, Z_seen: np.ndarray, ridge: float) -> np.ndarray:
    """Minimise ``‖z - a Z_seen‖² + ridge ‖a‖²`` over mixtures a, for each row z of Z.

    Parameters
    ----------
    Z : ndarray of shape (classes, k)
    Z_seen : ndarray of shape (p, k)
    ridge : float
        Above zero.

    Returns
    -------
    ndarray of shape (classes, p)
        Non-negative rows that sum to 1.

    Examples
    --------
    >>> simplex_mixtures(np.array([[1.0, 1.0]]), np.eye(2), 0.5)
    array([[0.5, 0.5]])
    """
    return np.array([_mixture(Z_seen - z, ridge) for z in Z]).reshape(len(Z), len(Z_seen))


def _mixture(differences: np.ndarray, ridge: float) -> np.ndarray:
    """Minimise ``aᵀ M a``, which is the objective where a sums to 1.

    So is, but for its length, the minimiser of ``uᵀ M u - 2 Σ u`` over u ≥ 0, a problem of
    non-negative least squares.
    """
    M = differences @ differences.T
    M[np.diag_indices_from(M)] += ridge
    root = scipy.linalg.cholesky(M, lower=True)
    target = scipy.linalg.solve_triangular(root, np.ones(len(M)), lower=True)
    u, _ = nnls(root.T, target, maxiter=30 * len(M))
    return np.asarray(u / u.sum())
