"""Kernel ridge regression from attributes to features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
from sklearn.metrics.pairwise import rbf_kernel

from sapwood.baselines.base import Baseline, Parts
from sapwood.baselines.linear import Product, TrialScorer
from sapwood.baselines.scale import mean_squared_distance
from sapwood.models.limits import Limit, Number
from sapwood.projection import Evidence, prototype_scores


class KernelRidge(Baseline):
    """RPL with a Gaussian kernel: ``min ‖X - F K A‖² + ridge tr(Aᵀ K A)``, nearest ``k(z) A``.

    Images are mixtures F of the seen classes, in the kernel's space as elsewhere.

    Parameters
    ----------
    ridge : float
        Not scaled by the number of images.
    width : float
        The kernel is ``exp(-‖z - z'‖² / (2 width² m))``, m being the mean squared distance
        between the seen classes.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter.

    Attributes
    ----------
    seen_attributes_ : ndarray of shape (p, k)
        As scaled.
    coefficients_ : ndarray of shape (p, d)
    scale_ : float
        m.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.random((4, 6))
    >>> labels = np.repeat([0, 1, 2, 3], 20)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.01 * rng.random((80, 9))
    >>> model = KernelRidge(ridge=0.01).fit(X[:60], labels[:60], class_attributes=Z)
    >>> model.predict(X[60:63], classes=[0, 3])
    array([3, 3, 3])
    """

    limits: ClassVar[dict[str, Limit]] = {
        "ridge": Number(0, strict=True),
        "width": Number(0, strict=True),
    }
    parts: ClassVar[dict[str, int]] = {"seen_attributes": 2, "coefficients": 2, "scale": 0}
    grid: ClassVar[list[dict[str, Any]]] = [
        {"ridge": 10.0**ridge, "width": float(width)}
        for width in np.logspace(-1, 2, 7, base=2)
        for ridge in range(-3, 4)
    ]

    def __init__(
        self,
        *,
        ridge: float = 1.0,
        width: float = 1.0,
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.ridge = ridge
        self.width = width
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Solve ``(FᵀF K + ridge I) A = FᵀX``: all work is on matrices of p rows."""
        Z, features = evidence.Z, evidence.FtX
        scale = mean_squared_distance(Z)
        for trial in trials:
            system = evidence.FtF @ _kernel(Z, Z, scale, trial["width"])
            system[np.diag_indices_from(system)] += trial["ridge"]
            coefficients = Product(scipy.linalg.inv(system), features)
            yield {"seen_attributes": Z, "coefficients": coefficients, "scale": scale}

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Order the classes of every trial; images meet FᵀX once."""
        scorer = TrialScorer(X)
        for trial, parts in zip(trials, cls.solve(evidence, trials), strict=True):
            kernel = _kernel(Z, evidence.Z, parts["scale"], trial["width"])
            yield scorer.scores(parts["coefficients"], kernel, "euclidean")

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Compare images with regressed classes."""
        kernel = _kernel(Z, parts["seen_attributes"], parts["scale"], trial["width"])
        return prototype_scores(X, kernel @ parts["coefficients"], "euclidean")


def _kernel(Z: np.ndarray, Z_seen: np.ndarray, scale: float, width: float) -> np.ndarray:
    return rbf_kernel(Z, Z_seen, gamma=1 / (2 * width**2 * scale))
