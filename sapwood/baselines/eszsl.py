"""ESZSL: an embarrassingly simple approach to zero-shot learning (Romera-Paredes & Torr, 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Parts
from sapwood.baselines.linear import LinearBaseline, Product
from sapwood.models.limits import Choice, Limit, Number
from sapwood.projection import Evidence
from sapwood.solvers import scatter_eigen

#: What stands in L for the classes an image does not belong to: -1 or 0.
LABELS = ("signed", "binary")
#: The authors' range, for both ridges.
RIDGES = tuple(10.0**power for power in range(-3, 4))


class BilinearRidge:
    """Solves ``(XᵀX + a I) Wᵀ (ZᵀZ + g I) = Xᵀ L Z`` for one evidence and many a and g.

    Two eigendecompositions serve them all.

    Parameters
    ----------
    evidence : Evidence
        Of n images with d features, k attributes.

    Attributes
    ----------
    right : ndarray of shape (rank, d)
        The last factor of every projection.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._attributes = scatter_eigen(evidence.Z)
        self._features = evidence.XtX_eigen
        self.right = self._features.vectors.T
        others = np.outer(evidence.Z.sum(axis=0), evidence.sum_x)
        self._targets = {
            "binary": self._rotated(evidence.YtX),
            # Memberships in {-1, 1} are 2 F - 1.
            "signed": self._rotated(2 * evidence.YtX - others),
        }

    def projection(self, trial: dict[str, Any]) -> Product:
        """Return W, shape (k, d), for a trial's `ridge_features`, `ridge_attributes`, `labels`.

        It is NaN where rounding swallows a ridge that directions without images would need.
        """
        left = self._attributes.vectors / (self._attributes.values + trial["ridge_attributes"])
        spectrum = self._features.values
        if spectrum.min() + trial["ridge_features"] <= spectrum.max() * np.finfo(float).eps:
            left = np.full_like(left, np.nan)
        core = self._targets[trial["labels"]] / (self._features.values + trial["ridge_features"])
        return Product(left, core, self.right)

    def _rotated(self, target: np.ndarray) -> np.ndarray:
        return self._attributes.vectors.T @ target @ self._features.vectors


class ESZSL(LinearBaseline):
    """Bilinear compatibility ``x Wᵀ z`` learned with a ridge on either side, in closed form.

    Parameters
    ----------
    ridge_features, ridge_attributes : float
        γ and λ of its authors; not scaled by the number of images or classes.
    labels : {"signed", "binary"}
        Whether an image is -1 (as in the article) or 0 (as in the authors' code) for the classes
        it does not belong to.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
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
        """Two eigendecompositions serve every pair of ridges."""
        system = BilinearRidge(evidence)
        for trial in trials:
            yield {"projection": system.projection(trial)}

    @classmethod
    def rule(cls, trial: dict[str, Any]) -> str:
        """Compare by ``x Wᵀ z``."""
        return "dot"
