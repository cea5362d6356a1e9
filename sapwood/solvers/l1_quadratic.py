"""L1-penalised quadratics that share one small Hessian."""

from __future__ import annotations

import numpy as np

from sapwood.solvers.prox import soft_threshold
from sapwood.solvers.result import SolverResult


def minimise_l1_quadratic(
    H: np.ndarray,
    C: np.ndarray,
    weight: float,
    start: np.ndarray,
    *,
    max_iter: int = 5000,
    tol: float = 1e-9,
) -> SolverResult:
    """Minimise ``tr(D H Dᵀ) - 2 tr(D Cᵀ) + weight ‖D‖₁`` over D by FISTA with restart.

    Parameters
    ----------
    H : ndarray of shape (k, k)
        Half the Hessian, symmetric positive definite, the same for every row of D.
    C : ndarray of shape (n, k)
        Half the negative gradient at D = 0.
    weight : float
        Weight of the L1 norm, non-negative.
    start : ndarray of shape (n, k)
        Starting point; the objective never rises above its value there.
    max_iter : int
        Largest number of steps.
    tol : float
        The proven relative distance to the solution at which to stop.

    Returns
    -------
    SolverResult
        With the objective after each step.

    Examples
    --------
    >>> minimise_l1_quadratic(np.eye(1), np.array([[3.0]]), 2.0, np.zeros((1, 1))).solution
    array([[2.]])
    """
    spectrum = np.linalg.eigvalsh(H)
    L, mu = spectrum[-1], max(spectrum[0], np.finfo(float).tiny)

    def objective(D: np.ndarray, DH: np.ndarray) -> float:
        return float(np.vdot(D, DH - 2 * C) + weight * np.abs(D).sum())

    D, DH = start, start @ H
    Q, QH, t = D, DH, 1.0
    values = [objective(D, DH)]
    residual = np.inf
    for n_iter in range(1, max_iter + 1):
        new = soft_threshold(Q - (QH - C) / L, weight / (2 * L))
        newH = new @ H
        value = objective(new, newH)
        if value > values[-1] and t > 1:
            # Momentum overshot: fall back to the last good point, where a plain step descends.
            Q, QH, t = D, DH, 1.0
            continue
        # A proximal step contracts by 1 - mu/L, so its length bounds the distance to the solution.
        residual = float(L / mu * np.linalg.norm(new - Q) / (np.linalg.norm(new) or 1.0))
        t_new = (1 + np.sqrt(1 + 4 * t * t)) / 2
        momentum = (t - 1) / t_new
        Q, QH = new + momentum * (new - D), newH + momentum * (newH - DH)
        D, DH, t = new, newH, t_new
        values.append(value)
        if residual <= tol:
            break
    return SolverResult(D, residual, n_iter, residual <= tol, values)
