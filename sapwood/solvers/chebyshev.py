"""Linear systems whose spectrum is known beforehand."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from sapwood.solvers.result import SolverResult


def solve_shifted(
    S: scipy.sparse.csr_array,
    alpha: float,
    T: np.ndarray,
    *,
    tol: float = 1e-10,
    max_iter: int = 10_000,
) -> SolverResult:
    """Solve ``(I - alpha S) F = T`` for symmetric S with spectrum in [-1, 1], 0 <= alpha < 1.

    Chebyshev iteration: the spectrum of ``I - alpha S`` lies in [1 - alpha, 1 + alpha], so the
    optimal step lengths are known and no inner products are needed; all columns advance together.

    Parameters
    ----------
    S : sparse array of shape (n, n)
    alpha : float
    T : ndarray of shape (n, c)
    tol : float
        Relative distance to the solution at which to stop.
    max_iter : int
        Largest number of steps.

    Returns
    -------
    SolverResult

    Examples
    --------
    >>> S = scipy.sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> solve_shifted(S, 0.5, np.array([[3.0], [0.0]])).solution.round(9)
    array([[4.],
           [2.]])
    """
    F, residual = T.copy(), alpha * (S @ T)
    step, rho = residual.copy(), alpha
    for n_iter in range(max_iter + 1):
        # The smallest eigenvalue of the system is 1 - alpha.
        error = float(np.linalg.norm(residual) / (1 - alpha) / (np.linalg.norm(F) or 1.0))
        if error <= tol:
            break
        F += step
        residual = T - F + alpha * (S @ F)
        rho_next = 1 / (2 / alpha - rho)
        step = rho_next * rho * step + (2 * rho_next / alpha) * residual
        rho = rho_next
    return SolverResult(F, error, n_iter, error <= tol)
