"""What rivals with a linear projection share: projections in factors, and how to score them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Baseline, Parts
from sapwood.projection import Evidence, prototype_scores


@dataclass(frozen=True)
class Product:
    """``left @ core @ right``, of shape (k, d), multiplied out only where that is cheap.

    A few classes times `left` first is far less work than the matrix itself, which a search over
    many trials never needs. The rows of `right` are orthonormal; None is the identity.
    """

    left: np.ndarray
    core: np.ndarray
    right: np.ndarray | None = None

    # So that ``array @ product`` asks `__rmatmul__`.
    __array_ufunc__: ClassVar[None] = None

    def before_rotation(self, Z: np.ndarray) -> np.ndarray:
        """Multiply Z, shape (classes, k), by all but `right`."""
        return (Z @ self.left) @ self.core

    def __rmatmul__(self, Z: np.ndarray) -> np.ndarray:
        rows = self.before_rotation(Z)
        return rows if self.right is None else rows @ self.right

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(np.eye(len(self.left)) @ self, dtype=dtype)


class LinearBaseline(Baseline):
    """A rival whose only part is ``projection``, shape (k, d), yielded as a :class:`Product`."""

    parts: ClassVar[dict[str, int]] = {"projection": 2}

    @classmethod
    def rule(cls, trial: dict[str, Any], X: np.ndarray, prototypes: np.ndarray) -> np.ndarray:
        """Score images against projected classes."""
        return prototype_scores(X, prototypes, trial["metric"])

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Compare images with projected classes."""
        return cls.rule(trial, X, Z @ parts["projection"])

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Rotate the images once instead of every trial's prototypes.

        What images have outside the span of `right` changes no order among classes.
        """
        right, rotated = None, X
        for trial, parts in zip(trials, cls.solve(evidence, trials), strict=True):
            found: Product = parts["projection"]
            if found.right is not right:
                right = found.right
                rotated = X if right is None else X @ right.T
            yield cls.rule(trial, rotated, found.before_rotation(Z))
