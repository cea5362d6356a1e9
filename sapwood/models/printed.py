"""Algorithm 1 of the paper, as printed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sapwood.projection import learn_projection
from sapwood.propagation import propagate_to_images, smooth_coefficients, smoothness
from sapwood.solvers import Eigen, symmetric_eigen

#: The preset's parameters that `Printed` takes.
OWN = ("lambda1", "lambda2", "lambda3", "lambda4", "penalty", "steps")


@dataclass(frozen=True)
class State:
    """Where the algorithm stands after one of its steps.

    Attributes
    ----------
    step : {"start", "sap1", "sap2", "bpl"}
        The step just taken.
    Y, Y_smooth : ndarray of shape (n, k)
        Y and Ỹ.
    W : ndarray of shape (k, d)
    objective : float
        Eq. 3; at the start, where Ỹ is not yet in the span of V_m, its last bracket alone.
    residual : float
        SAP-II's proven distance to its solution; 0 for steps in closed form.
    """

    step: str
    Y: np.ndarray
    Y_smooth: np.ndarray
    W: np.ndarray
    objective: float
    residual: float = 0.0


class Printed:
    """The printed objective (Eq. 3) for one set of images, and its alternating minimisation.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    Y_given : ndarray of shape (n, k)
        Y^(s): attribute vectors of annotated images, zero rows elsewhere.
    basis : Eigen
        Σ and V_m of the graph's Laplacian.
    lambda1, lambda2, lambda3, lambda4 : float
    penalty : {"double-l1", "single-l1", "no-l1"}
        Without the second L1 norm λ2 counts as 0.
    steps : {"bpl", "sap1+bpl", "sap1+sap2+bpl"}
        Without SAP-II, Y is Ỹ.
    """

    def __init__(
        self,
        X: np.ndarray,
        Y_given: np.ndarray,
        basis: Eigen,
        *,
        lambda1: float = 0.01,
        lambda2: float = 1e-4,
        lambda3: float = 1e-6,
        lambda4: float = 0.01,
        penalty: str = "double-l1",
        steps: str = "sap1+sap2+bpl",
    ) -> None:
        self.X, self.Y_given, self.basis = X, Y_given, basis
        self.lambda1, self.lambda3, self.lambda4 = lambda1, lambda3, lambda4
        self.lambda2 = 0.0 if penalty == "no-l1" else lambda2
        self.penalty, self.steps = penalty, steps
        self.XtX = X.T @ X
        self.XtX_eigen = symmetric_eigen(self.XtX)

    def iterate(self, max_iter: int) -> Iterator[State]:
        """Yield the state after the start and after each step of `max_iter` iterations."""
        Y, YtX, YtY = self.Y_given, self.Y_given.T @ self.X, self.Y_given.T @ self.Y_given
        W = learn_projection(YtY, YtX, self.XtX_eigen, self.lambda4)
        projection = self.lambda3 * self._projection_loss(YtY, YtX, W)
        yield State("start", Y, Y, W, projection)
        for _ in range(0 if self.steps == "bpl" else max_iter):
            alpha = smooth_coefficients(Y, self.basis, self.lambda1, self.penalty)
            Y_smooth = self.basis.vectors @ alpha
            smooth = self.lambda1 * smoothness(alpha, self.basis, self.penalty)
            fit = smooth + self._distances(Y, Y_smooth)
            yield State("sap1", Y, Y_smooth, W, fit + projection)
            Y, residual = self._sap2(Y, Y_smooth, W)
            YtX, YtY = Y.T @ self.X, Y.T @ Y
            fit = smooth + self._distances(Y, Y_smooth)
            projection = self.lambda3 * self._projection_loss(YtY, YtX, W)
            yield State("sap2", Y, Y_smooth, W, fit + projection, residual)
            W = learn_projection(YtY, YtX, self.XtX_eigen, self.lambda4)
            projection = self.lambda3 * self._projection_loss(YtY, YtX, W)
            yield State("bpl", Y, Y_smooth, W, fit + projection)

    def project(self, Y: np.ndarray) -> np.ndarray:
        """BPL (Eq. 9)."""
        return learn_projection(Y.T @ Y, Y.T @ self.X, self.XtX_eigen, self.lambda4)

    def _distances(self, Y: np.ndarray, Y_smooth: np.ndarray) -> float:
        """The terms of Eq. 3 that compare attributes: ``‖Y - Ỹ‖² + λ2 ‖Y - Y^(s)‖₁``."""
        value = float(np.linalg.norm(Y - Y_smooth) ** 2)
        if self.lambda2:
            value += self.lambda2 * float(np.abs(Y - self.Y_given).sum())
        return value

    def _projection_loss(self, YtY: np.ndarray, YtX: np.ndarray, W: np.ndarray) -> float:
        """The bracket of Eq. 3, ``‖XWᵀ - Y‖² + ‖X - YW‖² + λ4 ‖W‖²``, from Gram matrices."""
        crossed = np.vdot(YtX, W)
        forward = np.vdot(W @ self.XtX, W) - 2 * crossed + np.trace(YtY)
        reverse = np.trace(self.XtX) - 2 * crossed + np.vdot(YtY, W @ W.T)
        return float(forward + reverse + self.lambda4 * np.vdot(W, W))

    def attribute_bound(self) -> float:
        """Proposition 1's C1 = M + ‖Y^(s)‖, with M from the data alone.

        The objective never rises, so λ2 ‖Y* - Y^(s)‖₁ is at most its value at Y = Y^(s), Ỹ = 0,
        W = 0: M = ((1 + λ3) ‖Y^(s)‖² + λ3 ‖X‖²) / λ2.
        """
        if self.lambda2 == 0:
            return np.inf
        given = float(np.linalg.norm(self.Y_given))
        start = (1 + self.lambda3) * given**2 + self.lambda3 * float(np.trace(self.XtX))
        return start / self.lambda2 + given

    def _sap2(self, Y: np.ndarray, Y_smooth: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, float]:
        if self.steps == "sap1+bpl":
            return Y_smooth, 0.0
        found = propagate_to_images(
            Y_smooth,
            self.Y_given,
            W,
            self.X @ W.T,
            lambda2=self.lambda2,
            lambda3=self.lambda3,
            start=Y,
        )
        found.warn_unless_converged("SAP-II", "lower lambda3, or scale features down")
        return found.solution, found.residual


@dataclass(frozen=True)
class PrintedSolution:
    """The last state, and a row of the trace for the start and for each iteration."""

    Y: np.ndarray
    W: np.ndarray
    trace: list[dict[str, float]]


def solve_printed(problem: Printed, max_iter: int, tol: float) -> PrintedSolution:
    """Run Algorithm 1 until W and the objective change by less than `tol`, relatively.

    The trace has the objective after each step (``objective_sap1``, ``objective_sap2``,
    ``objective``), SAP-II's ``residual`` and ``delta_W``, ‖ΔW‖ relative to ‖W‖.
    """
    states = problem.iterate(max_iter)
    last = next(states)
    trace = [{"iteration": 0.0, "projection_loss": last.objective}]
    previous = np.inf
    for sap1, sap2, bpl in zip(states, states, states, strict=True):
        delta = _relative_change(last.W, bpl.W)
        drop = abs(previous - bpl.objective) / max(abs(bpl.objective), 1e-300)
        previous = bpl.objective
        trace.append(
            {
                "iteration": float(len(trace)),
                "objective_sap1": sap1.objective,
                "objective_sap2": sap2.objective,
                "objective": bpl.objective,
                "residual": sap2.residual,
                "delta_W": delta,
            }
        )
        last = bpl
        if delta <= tol and drop <= tol:
            break
    else:
        if problem.steps != "bpl":
            _warn_not_converged(trace[-1], max_iter)
    return PrintedSolution(last.Y, last.W, trace)


def _relative_change(old: np.ndarray, new: np.ndarray) -> float:
    return float(np.linalg.norm(new - old) / max(np.linalg.norm(new), 1e-300))


def _warn_not_converged(row: dict[str, float], max_iter: int) -> None:
    warnings.warn(
        f"the printed algorithm stopped after {max_iter} iterations while W still changed by "
        f"{row['delta_W']:.1e} of its norm; raise max_iter, raise tol, or use the robust preset",
        ConvergenceWarning,
        stacklevel=5,
    )
