"""ESZSL: an embarrassingly simple approach to zero-shot learning (Romera-Paredes & Torr, 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from sapwood.baselines.base import Baseline, Parts
from sapwood.errors import InputError
from sapwood.models.limits import Choice, Limit, Number
from sapwood.projection import Evidence
from sapwood.solvers import symmetric_eigen

#: What stands in L for the classes an image does not belong to: -1 or 0.
LABELS = ("signed", "binary")
#: The authors' range, for both ridges.
RIDGES = tuple(10.0**power for power in range(-3, 4))


class BilinearRidge:
    """Solves ``(XᵀX + a I) Wᵀ (ZᵀZ + g I) = Xᵀ L Z`` for one evidence and many a and g.

    Parameters
    ----------
    evidence : Evidence
        Of n images with d features, k attributes.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._attributes = symmetric_eigen(evidence.Z.T @ evidence.Z)
        self._solved: dict[tuple[float, str], np.ndarray] = {}

    def projection(self, trial: dict[str, Any]) -> np.ndarray:
        """Return W, shape (k, d), for a trial's `ridge_features`, `ridge_attributes`, `labels`."""
        key = (float(trial["ridge_features"]), str(trial["labels"]))
        if key not in self._solved:
            self._solved[key] = self._attributes.vectors.T @ self._regression(*key)
        shrunk = self._attributes.values + trial["ridge_attributes"]
        return self._attributes.vectors @ (self._solved[key] / shrunk[:, None])

    def _regression(self, ridge: float, labels: str) -> np.ndarray:
        """``(XᵀX + ridge I)^-1 Xᵀ L Z`` transposed, shape (k, d)."""
        try:
            factor = cho_factor(self._gram + ridge * np.eye(len(self._gram)))
        except LinAlgError:
            raise InputError(
                f"ridge_features is {ridge:g}, too small for features of this size; raise it, or "
                "use features='unit'"
            ) from None
        target = self._target(labels)
        if self._dual:
            return cho_solve(factor, target.T).T @ self._rows
        return cho_solve(factor, target.T).T

    def _target(self, labels: str) -> np.ndarray:
        """``(L Z)ᵀ`` for the dual form, shape (k, n), ``(L Z)ᵀ X`` otherwise, shape (k, d).

        Memberships in {-1, 1} are ``2 F - 1``, so images need to be known by their attributes
        ``F Z`` alone.
        """
        evidence = self.evidence
        root = np.sqrt(evidence.weights)
        positive = (evidence.Y * root[:, None]).T if self._dual else evidence.YtX
        if labels == "binary":
            return positive
        return 2 * positive - np.outer(
            evidence.Z.sum(axis=0), root if self._dual else evidence.sum_x
        )

    @property
    def _dual(self) -> bool:
        return len(self.evidence.X) < self.evidence.X.shape[1]

    @cached_property
    def _rows(self) -> np.ndarray:
        return self.evidence.X * np.sqrt(self.evidence.weights)[:, None]

    @cached_property
    def _gram(self) -> np.ndarray:
        return self._rows @ self._rows.T if self._dual else self.evidence.XtX


class ESZSL(Baseline):
    """Bilinear compatibility ``x Wᵀ z`` learned with a ridge on either side, in closed form.

    Parameters
    ----------
    ridge_features, ridge_attributes : float
        γ and λ of its authors; not scaled by the number of images or classes.
    labels : {"signed", "binary"}
        Whether an image is -1 (as in the article) or 0 (as in the authors' code) for the classes
        it does not belong to.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel"}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter.

    Attributes
    ----------
    projection_ : ndarray of shape (k, d)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.random((4, 6))
    >>> labels = np.repeat([0, 1, 2, 3], 20)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.01 * rng.random((80, 9))
    >>> model = ESZSL(features="raw").fit(X[:60], labels[:60], class_attributes=Z)
    >>> model.predict(X[60:63], classes=[0, 3])
    array([3, 3, 3])
    """

    limits: ClassVar[dict[str, Limit]] = {
        "ridge_features": Number(0, strict=True),
        "ridge_attributes": Number(0, strict=True),
        "labels": Choice(LABELS),
    }
    parts: ClassVar[dict[str, int]] = {"projection": 2}
    # With many classes the -1 of the others outweighs all else unless features are centred: on
    # seen classes of CUB held out 0 is better with every feature map, by 0.7 to 17 points.
    grid: ClassVar[list[dict[str, Any]]] = [
        {"ridge_features": a, "ridge_attributes": g, "labels": "binary"}
        for a in RIDGES
        for g in RIDGES
    ]

    def __init__(
        self,
        *,
        ridge_features: float = 1.0,
        ridge_attributes: float = 1.0,
        labels: str = "signed",
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.ridge_features = ridge_features
        self.ridge_attributes = ridge_attributes
        self.labels = labels
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """One factorisation for each ridge of the features, one for all of the attributes."""
        system = BilinearRidge(evidence)
        for trial in trials:
            yield {"projection": system.projection(trial)}

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Return ``x Wᵀ z``."""
        return X @ (Z @ parts["projection"]).T
