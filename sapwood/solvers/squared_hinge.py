"""Many linear SVMs on the same rows, by one truncated Newton method for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.solvers.blocks import map_blocks
from sapwood.solvers.eigen import Eigen, symmetric_eigen
from sapwood.solvers.result import SolverResult
from sapwood.solvers.rows import Rows, as_floats, rows_at_a_time

#: Conjugate gradients stop at this share of the gradient: a better step is not worth its passes.
INEXACT = 0.1
#: Passes over the rows for one Newton step.
MAX_PASSES = 50
#: Steps of the search along a line, on which the objective is a convex parabola by pieces.
LINE_STEPS = 20
#: Rows, for each column, from which the second moment is estimated.
MOMENT_ROWS = 4


def minimise_squared_hinge(
    X: Rows,
    signs: np.ndarray,
    C: float | np.ndarray,
    *,
    start: np.ndarray | None = None,
    moment: Eigen | None = None,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> SolverResult:
    """Minimise ``½ ‖w‖² + C Σ_i max(0, 1 - s_i x_i·w)²`` for every column s of `signs`.

    This is the objective of scikit-learn's LinearSVC, to which a constant column of X makes the
    intercept. Newton's linear systems are solved by conjugate gradients, side by side for all
    columns, so that one pass over X serves them all; X is read in blocks of rows and in its own
    precision.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
    signs : ndarray of shape (n, c)
        1 where the row belongs to the label, -1 where it does not.
    C : float or ndarray of shape (c,)
        Weight of the loss.
    start : ndarray of shape (c, d), optional
        Zero by default.
    moment : Eigen, optional
        Of ``Xᵀ X / n``, as :func:`second_moment` estimates it; give it where several problems
        share their rows. It only changes how many passes are needed.
    tol : float
        The proven distance to the smallest objective, relative to it, at which to stop.
    max_iter : int
        Largest number of Newton steps.

    Returns
    -------
    SolverResult
        Its solution has shape (c, d); its residual is the largest proven relative excess of an
        objective over its minimum, and its objective the sum over the columns.

    Examples
    --------
    >>> X = np.array([[1.0], [-1.0]])
    >>> minimise_squared_hinge(X, np.array([[1], [-1]]), 1.0).solution
    array([[0.8]])
    """
    weight = np.broadcast_to(np.asarray(C, float), signs.shape[1:])
    rows = rows_at_a_time(X.shape[1] + 4 * signs.shape[1])
    problem = _Problem(X, signs, weight, as_floats(X[:1]).dtype, rows)
    moment = second_moment(X) if moment is None else moment
    W = np.zeros((signs.shape[1], X.shape[1])) if start is None else start.astype(float)
    at = problem.look(W)
    unsolved = np.arange(len(W))
    trace = [float(at.objective.sum())]
    for n_iter in range(max_iter + 1):
        unsolved = unsolved[at.excess[unsolved] > tol]
        if not len(unsolved) or n_iter == max_iter:
            break
        step, along = _newton_step(problem, at, unsolved, moment)
        W[unsolved] += _line_search(problem, at, W, step, along, unsolved)[:, None] * step
        at = problem.look(W, at, unsolved)
        trace.append(float(at.objective.sum()))
    residual = float(at.excess.max(initial=0.0))
    return SolverResult(W, residual, n_iter, residual <= tol, trace)


def second_moment(X: Rows) -> Eigen:
    """Estimate ``Xᵀ X / n`` from a few rows a column, evenly spread; return its eigenpairs.

    Examples
    --------
    >>> second_moment(np.array([[2.0, 0.0], [0.0, 0.0]])).values
    array([0., 2.])
    """
    n, d = X.shape
    some = as_floats(X[np.unique(np.linspace(0, n - 1, MOMENT_ROWS * d).astype(np.int64))])
    return symmetric_eigen((some.T @ some).astype(np.float64) / len(some))


@dataclass
class _Look:
    """Margins ``s_i x_i·w``, shape (n, c), objectives and gradients at a point."""

    margins: np.ndarray
    objective: np.ndarray
    gradient: np.ndarray

    @property
    def excess(self) -> np.ndarray:
        """A bound on objective / minimum - 1: the objective's curvature is at least 1."""
        above = (self.gradient**2).sum(axis=1) / 2
        least = self.objective - above
        return np.divide(above, least, out=np.full(len(above), np.inf), where=least > 0)


@dataclass(frozen=True)
class _Problem:
    """Data, the precision they are worked on in, and the rows of a block."""

    X: Rows
    signs: np.ndarray
    C: np.ndarray
    dtype: np.dtype
    rows: int

    def look(
        self, W: np.ndarray, before: _Look | None = None, columns: np.ndarray | None = None
    ) -> _Look:
        """Pass over the rows; only `columns` of `before` are renewed."""
        n, c = self.signs.shape
        columns = np.arange(c) if columns is None else columns
        at = before or _Look(np.empty((n, c), self.dtype), np.empty(c), np.empty_like(W))
        W, C, signs = W[columns], self.C[columns], self.signs[:, columns]
        at.objective[columns] = (W**2).sum(axis=1) / 2
        at.gradient[columns] = W
        weights = W.T.astype(self.dtype)

        def visit(rows: slice) -> tuple[np.ndarray, np.ndarray]:
            block, side = as_floats(self.X[rows]), signs[rows]
            margins = side * (block @ weights)
            at.margins[rows, columns] = margins
            slack = np.maximum(1 - margins, 0)
            return np.einsum("ij,ij->j", slack, slack), (side * slack).T @ block

        for loss, pull in map_blocks(visit, n, self.rows):
            at.objective[columns] += C * loss
            at.gradient[columns] -= 2 * C[:, None] * pull
        return at

    def curvature(
        self, at: _Look, columns: np.ndarray, P: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Pass over the rows; return the Hessians times P, and ``s_i x_i·P``."""
        HP, along = P.copy(), np.empty((len(at.margins), len(P)), self.dtype)
        weights, signs = P.T.astype(self.dtype), self.signs[:, columns]

        def visit(rows: slice) -> np.ndarray:
            block = as_floats(self.X[rows])
            change = block @ weights
            along[rows] = signs[rows] * change
            change[at.margins[rows, columns] >= 1] = 0
            return change.T @ block

        for bend in map_blocks(visit, len(along), self.rows):
            HP += 2 * self.C[columns, None] * bend
        return HP, along


def _newton_step(
    problem: _Problem, at: _Look, columns: np.ndarray, moment: Eigen
) -> tuple[np.ndarray, np.ndarray]:
    """Solve ``H step = -gradient`` roughly; return the step and ``s_i x_i·step``."""
    # Were active rows like all rows, this would be the spectrum of H.
    active = (at.margins[:, columns] < 1).sum(axis=0)
    spectrum = 1 + 2 * (problem.C[columns] * active)[:, None] * moment.values

    def conditioned(R: np.ndarray, which: np.ndarray) -> np.ndarray:
        return (R @ moment.vectors / spectrum[which]) @ moment.vectors.T

    residual = -at.gradient[columns]
    step, along = np.zeros_like(residual), np.zeros((len(at.margins), len(columns)), problem.dtype)
    P = conditioned(residual, np.arange(len(columns)))
    size = np.einsum("ij,ij->i", residual, P)
    goal = INEXACT**2 * size
    for _ in range(MAX_PASSES):
        going = np.flatnonzero(size > goal)
        if not len(going):
            break
        direction = P[going]
        HP, change = problem.curvature(at, columns[going], direction)
        length = size[going] / np.einsum("ij,ij->i", direction, HP)
        step[going] += length[:, None] * direction
        along[:, going] += length.astype(problem.dtype) * change
        residual[going] -= length[:, None] * HP
        better = conditioned(residual[going], going)
        after = np.einsum("ij,ij->i", residual[going], better)
        P[going] = better + (after / size[going])[:, None] * direction
        size[going] = after
    return step, along


def _line_search(
    problem: _Problem,
    at: _Look,
    W: np.ndarray,
    step: np.ndarray,
    along: np.ndarray,
    columns: np.ndarray,
) -> np.ndarray:
    """Return how far to go along each step: where the slope of the objective is zero."""
    margins, C = at.margins[:, columns], problem.C[columns]
    linear, square = (W[columns] * step).sum(axis=1), (step**2).sum(axis=1)
    length = np.ones(len(columns))
    low, high = np.zeros(len(columns)), np.full(len(columns), np.inf)
    for _ in range(LINE_STEPS):
        slack = 1 - margins - length.astype(problem.dtype) * along
        inside = np.where(slack > 0, along, 0)
        slope = linear + length * square - 2 * C * np.einsum("ij,ij->j", inside, slack)
        bend = square + 2 * C * np.einsum("ij,ij->j", inside, inside)
        low, high = np.where(slope < 0, length, low), np.where(slope > 0, length, high)
        following = length - slope / bend
        # The step may leave the piece of the parabola it was computed on, never the bracket.
        halfway = np.where(np.isfinite(high), (low + high) / 2, 2 * length)
        following = np.where((following > low) & (following < high), following, halfway)
        settled = np.abs(following - length) <= 1e-3 * length
        length = following
        if settled.all():
            break
    return length
