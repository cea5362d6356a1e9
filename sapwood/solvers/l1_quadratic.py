"""L1-penalised quadratics that share one small Hessian."""

from __future__ import annotations

import numpy as np

from sapwood.solvers.blocks import map_blocks
from sapwood.solvers.prox import soft_threshold
from sapwood.solvers.result import SolverResult

#: Entries of D worked on at one time.
BLOCK_ENTRIES = 2**16


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
    scale = (spectrum[-1], max(spectrum[0], np.finfo(float).tiny))
    # Rows are independent problems: a few at a time stay in the processor's cache.
    rows = max(1, BLOCK_ENTRIES // len(H))

    def solve(block: slice) -> SolverResult:
        return _block(H, C[block], weight, start[block], scale, max_iter, tol)

    parts = list(map_blocks(solve, len(C), rows))
    residual = max(part.residual for part in parts)
    n_iter = max(part.n_iter for part in parts)
    values = [0.0] * (n_iter + 1)
    for part in parts:
        # A block that has finished keeps its last value.
        values = [v + part.objective[min(i, len(part.objective) - 1)] for i, v in enumerate(values)]
    solution = np.concatenate([part.solution for part in parts])
    return SolverResult(solution, residual, n_iter, residual <= tol, values)


def _block(
    H: np.ndarray,
    C: np.ndarray,
    weight: float,
    start: np.ndarray,
    scale: tuple[float, float],
    max_iter: int,
    tol: float,
) -> SolverResult:
    L, mu = scale
    threshold = weight / (2 * L)
    D, DH = start, start @ H
    Q, QH, t = D, DH, 1.0
    values = [_objective(D, DH, C, weight)]
    residual = np.inf
    for n_iter in range(1, max_iter + 1):
        new = soft_threshold(Q - (QH - C) / L, threshold)
        newH = new @ H
        value = _objective(new, newH, C, weight)
        if value > values[-1] and t > 1:
            # Momentum overshot: fall back to the last good point, where a plain step descends.
            Q, QH, t = D, DH, 1.0
            values.append(values[-1])
            continue
        # A proximal step contracts by 1 - mu/L, so its length bounds the distance to the solution.
        residual = float(L / mu * np.linalg.norm(new - Q) / (np.linalg.norm(new) or 1.0))
        values.append(value)
        if residual <= tol:
            D = new
            break
        t_new = (1 + np.sqrt(1 + 4 * t * t)) / 2
        momentum = (t - 1) / t_new
        Q, QH = new + momentum * (new - D), newH + momentum * (newH - DH)
        D, DH, t = new, newH, t_new
    return SolverResult(D, residual, n_iter, residual <= tol, values)


def _objective(D: np.ndarray, DH: np.ndarray, C: np.ndarray, weight: float) -> float:
    return float(np.vdot(D, DH) - 2 * np.vdot(D, C) + weight * np.abs(D).sum())
