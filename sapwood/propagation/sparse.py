"""The two steps of the paper's propagation, SAP-I and SAP-II, and its alternatives."""

from __future__ import annotations

import numpy as np

from sapwood.solvers import Eigen, SolverResult, minimise_l1_quadratic, soft_threshold

#: The propagation models the paper compares: which of its two L1 norms are kept.
PENALTIES = ("double-l1", "single-l1", "no-l1")


def smooth_coefficients(Y: np.ndarray, basis: Eigen, lambda1: float, penalty: str) -> np.ndarray:
    """SAP-I (Eq. 6): the coefficients α of ``Ỹ = V_m α``, in closed form.

    The columns of V_m are orthonormal, so the problem separates into scalars: a soft threshold
    for ``λ1 ‖BỸ‖₁``, a division for ``λ1 ‖BỸ‖²``.

    Parameters
    ----------
    Y : ndarray of shape (n, k)
    basis : Eigen
        Σ, shape (m,), and V_m, shape (n, m).
    lambda1 : float
    penalty : {"double-l1", "single-l1", "no-l1"}

    Returns
    -------
    ndarray of shape (m, k)

    Examples
    --------
    >>> basis = Eigen(np.array([0.0, 1.0]), np.eye(2))
    >>> smooth_coefficients(np.array([[3.0], [3.0]]), basis, 2.0, "double-l1").ravel()
    array([3., 2.])
    >>> smooth_coefficients(np.array([[3.0], [3.0]]), basis, 2.0, "no-l1").ravel()
    array([3., 1.])
    """
    alpha = basis.vectors.T @ Y
    if penalty == "double-l1":
        return soft_threshold(alpha, lambda1 / 2 * np.sqrt(basis.values)[:, None])
    return alpha / (1 + lambda1 * basis.values)[:, None]


def smoothness(alpha: np.ndarray, basis: Eigen, penalty: str) -> float:
    """Return ``‖B V_m α‖₁``, or ``‖B V_m α‖²`` where the penalty has no L1 norm there."""
    if penalty == "double-l1":
        return float(np.sqrt(basis.values) @ np.abs(alpha).sum(axis=1))
    return float(basis.values @ (alpha**2).sum(axis=1))


def propagate_to_images(
    Y_smooth: np.ndarray,
    Y_given: np.ndarray,
    W: np.ndarray,
    X_projected: np.ndarray,
    *,
    lambda2: float,
    lambda3: float,
    start: np.ndarray,
) -> SolverResult:
    """SAP-II (Eq. 8): the attributes Y of every image, given Ỹ and W.

    Half the Hessian is ``(1 + λ3) I + λ3 W Wᵀ`` for every image alike; with λ2 = 0 one
    factorisation solves it, else FISTA from `start`.

    Parameters
    ----------
    Y_smooth, Y_given : ndarray of shape (n, k)
        Ỹ and Y^(s).
    W : ndarray of shape (k, d)
    X_projected : ndarray of shape (n, k)
        ``X Wᵀ``.
    lambda2, lambda3 : float
    start : ndarray of shape (n, k)
        The current Y.

    Returns
    -------
    SolverResult
        Its solution is Y.
    """
    H = (1 + lambda3) * np.eye(len(W)) + lambda3 * (W @ W.T)
    R = Y_smooth + 2 * lambda3 * X_projected
    if lambda2 == 0:
        return SolverResult(np.linalg.solve(H, R.T).T, 0.0, 1, True)
    found = minimise_l1_quadratic(H, R - Y_given @ H, lambda2, start - Y_given)
    Y = found.solution + Y_given
    return SolverResult(Y, found.residual, found.n_iter, found.converged, found.objective)
