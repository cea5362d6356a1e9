"""RPL: ridge regression from attributes to features (Shigeto et al., 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Parts
from sapwood.baselines.linear import LinearBaseline, Product
from sapwood.models.limits import Choice, Limit, Number
from sapwood.projection import METRICS, Evidence


class RPL(LinearBaseline):
    """Reverse projection learning: ``min ‖X - Y W‖² + ridge ‖W‖²``, nearest ``z W``.

    Parameters
    ----------
    ridge : float
        Not scaled by the number of images.
    metric : {"euclidean", "cosine"}
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
    >>> model = RPL(ridge=0.1).fit(X[:60], labels[:60], class_attributes=Z)
    >>> model.predict(X[60:63], classes=[0, 3])
    array([3, 3, 3])
    """

    limits: ClassVar[dict[str, Limit]] = {
        "ridge": Number(0, strict=True),
        "metric": Choice(METRICS),
    }
    grid: ClassVar[list[dict[str, Any]]] = [
        {"ridge": float(ridge), "metric": "euclidean"} for ridge in np.logspace(-3, 3, 49)
    ]

    def __init__(
        self,
        *,
        ridge: float = 1.0,
        metric: str = "euclidean",
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.ridge = ridge
        self.metric = metric
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """One eigendecomposition of YᵀY serves every ridge."""
        attributes = evidence.YtY_eigen
        rotated = attributes.vectors.T @ evidence.YtX
        for trial in trials:
            shrunk = attributes.vectors / (attributes.values + trial["ridge"])
            yield {"projection": Product(shrunk, rotated)}
