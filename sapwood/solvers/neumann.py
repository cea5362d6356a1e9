"""Linear systems of non-negative numbers, solved without a single subtraction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from sapwood.solvers.result import SolverResult


@dataclass(frozen=True)
class Factored:
    """The matrix ``R Rᵀ``, shape (n, n), known by its sparse factor R, shape (n, p), p < n."""

    R: scipy.sparse.csr_array


def solve_nonnegative(
    S: scipy.sparse.csr_array | Factored,
    alpha: float,
    T: np.ndarray,
    *,
    tol: float = 1e-9,
    max_iter: int = 10_000,
) -> SolverResult:
    """Solve ``(I - alpha S) F = T`` for non-negative S and T, S's spectrum within [-1, 1].

    Adds up ``T + alpha S T + (alpha S)² T + …``: no term cancels another, so every row of F is
    accurate relative to its own size, however little reaches it from a far annotation. Faster
    iterations are accurate relative to the largest row only.

    Parameters
    ----------
    S : sparse or factored array of shape (n, n)
        Where it is factored, the sum is taken over p × p matrices.
    alpha : float
        From 0 to below 1.
    T : ndarray of shape (n, c)
    tol : float
        Relative change of a row's sum, times 1 / (1 - alpha), at which to stop.
    max_iter : int
        Largest number of steps.

    Returns
    -------
    SolverResult

    Examples
    --------
    >>> S = scipy.sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> solve_nonnegative(S, 0.5, np.array([[3.0], [0.0]])).solution.round(6)
    array([[4.],
           [2.]])
    """
    if isinstance(S, Factored):
        # (I - α R Rᵀ)^-1 = I + α R (I - α Rᵀ R)^-1 Rᵀ
        inner = solve_nonnegative(S.R.T @ S.R, alpha, S.R.T @ T, tol=tol, max_iter=max_iter)
        F = T + alpha * (S.R @ inner.solution)
        return SolverResult(F, inner.residual, inner.n_iter, inner.converged)
    F, term = T.copy(), T
    residual = np.inf
    for n_iter in range(1, max_iter + 1):
        term = alpha * (S @ term)
        F += term
        mass = F.sum(axis=1)
        change = np.divide(term.sum(axis=1), mass, out=np.zeros(len(F)), where=mass > 0)
        residual = float(change.max(initial=0.0) / (1 - alpha))
        if residual <= tol:
            break
    return SolverResult(F, residual, n_iter, residual <= tol)
