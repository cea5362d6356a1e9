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


class TrialScorer:
    """Orders classes for the same images under many products, reusing what these share.

    Scores are in single precision and leave out what changes no order among classes.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    """

    def __init__(self, X: np.ndarray) -> None:
        self.X = X.astype(np.float32)
        self._rotated = self.X
        self._right: np.ndarray | None = None
        self._core: np.ndarray | None = None
        self._products, self._gram = np.empty(0), np.empty(0)

    def scores(self, found: Product, Z: np.ndarray, metric: str) -> np.ndarray:
        """Compare the images with classes ``Z @ found``, shape (classes, d).

        Parameters
        ----------
        found : Product
        Z : ndarray of shape (classes, k)
        metric : {"euclidean", "cosine", "dot"}
        """
        if found.right is not self._right:
            self._right = found.right
            right = None if found.right is None else found.right.astype(np.float32)
            self._rotated = self.X if right is None else self.X @ right.T
        left = Z @ found.left
        if found.core is self._core:
            # A core that trials share is compared with the images once.
            return _ordered(
                self._products @ left.T.astype(np.float32),
                np.einsum("ij,ij->i", left @ self._gram, left),
                metric,
            )
        self._core = found.core
        if found.right is None:
            self._products = self._rotated @ found.core.T.astype(np.float32)
            self._gram = found.core @ found.core.T
            return self.scores(found, Z, metric)
        prototypes = left @ found.core
        lengths = np.einsum("ij,ij->i", prototypes, prototypes)
        return _ordered(self._rotated @ prototypes.T.astype(np.float32), lengths, metric)


def _ordered(dots: np.ndarray, squared_lengths: np.ndarray, metric: str) -> np.ndarray:
    if metric == "dot":
        return dots
    lengths = squared_lengths.astype(np.float32)
    if metric == "cosine":
        return dots / np.sqrt(np.where(lengths > 0, lengths, np.inf))
    return 2 * dots - lengths


class LinearBaseline(Baseline):
    """A rival whose only part is ``projection``, shape (k, d), yielded as a :class:`Product`."""

    parts: ClassVar[dict[str, int]] = {"projection": 2}

    @classmethod
    def rule(cls, trial: dict[str, Any]) -> str:
        """Return how images are compared with projected classes."""
        return str(trial["metric"])

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Compare images with projected classes."""
        prototypes, rule = Z @ parts["projection"], cls.rule(trial)
        return X @ prototypes.T if rule == "dot" else prototype_scores(X, prototypes, rule)

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Order the classes of every trial; what images share between trials is computed once."""
        scorer = TrialScorer(X)
        for trial, parts in zip(trials, cls.solve(evidence, trials), strict=True):
            yield scorer.scores(parts["projection"], Z, cls.rule(trial))
