"""Propositions 1 and 2 as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Bounds:
    """The constants of the paper's analysis for one fitted model.

    Attributes
    ----------
    C1 : float
        Proposition 1: ‖Y*‖_F is at most this.
    C2 : float
        Proposition 1: ‖W*‖_F is at most this.
    X_norm, ridge, forward : float
        ‖X‖_F, λ4 and the forward weight the model was fitted with.
    """

    C1: float
    C2: float
    X_norm: float
    ridge: float
    forward: float

    def change_of_projection(self, delta_Y: np.ndarray | float) -> float:
        """Proposition 2: the most ‖ΔW*‖_F can be when Y* moves by `delta_Y` (or by that norm)."""
        size = float(np.linalg.norm(delta_Y))
        return (
            size * ((1 + self.forward) * self.X_norm + self.C2 * (size + 2 * self.C1)) / self.ridge
        )


def proposition_bounds(C1: float, X_norm: float, ridge: float, forward: float = 1.0) -> Bounds:
    """Proposition 1's C2 = (1 + forward) C1 ‖X‖_F / λ4, from C1.

    Examples
    --------
    >>> proposition_bounds(C1=2.0, X_norm=3.0, ridge=0.5).C2
    24.0
    """
    return Bounds(C1, (1 + forward) * C1 * X_norm / ridge, X_norm, ridge, forward)
