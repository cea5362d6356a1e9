"""The one contract every iterative solver keeps."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning


@dataclass(frozen=True)
class SolverResult:
    """What an iterative solver hands back.

    Attributes
    ----------
    solution : ndarray
        The last iterate.
    residual : float
        An upper bound, relative to the solution's norm, on its distance to the exact solution.
    n_iter : int
        Steps taken.
    converged : bool
        Whether `residual` is within the tolerance asked for.
    objective : list of float
        Objective after each step, where the solver has one.
    """

    solution: np.ndarray
    residual: float
    n_iter: int
    converged: bool
    objective: list[float] = field(default_factory=list)

    def warn_unless_converged(self, name: str, advice: str) -> SolverResult:
        """Issue a `ConvergenceWarning` with the residual and `advice` if it did not converge."""
        if not self.converged:
            warnings.warn(
                f"{name} stopped after {self.n_iter} steps with a relative residual of "
                f"{self.residual:.1e}; {advice}",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self
