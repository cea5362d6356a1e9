"""ZSKL: kernels between images and classes, both ways (Zhang & Koniusz, 2018)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Baseline, Parts
from sapwood.baselines.kernel_pairs import centred, descend, pairs_of, squared_lengths
from sapwood.baselines.linear import Product
from sapwood.models.limits import Limit, Number
from sapwood.projection import Evidence


class ZSKL(Baseline):
    """An image is like its class, and unlike others, under a Gaussian kernel.

    With ``k(u, v) = exp(-‖u - v‖² / (2 width²))``, features and attributes less their means and of
    unit length, an image x with attributes y loses ``(k(x Wᵀ, y) - 1)² + (k(y W, x) - 1)²``, and
    ``negatives / (p - 1)`` times ``k(x Wᵀ, z)² + k(z W, x)²`` for each of the p seen classes but
    its own. Mini-batches are drawn in proportion to the images' weights; W starts at zero and
    stays within the span of the classes' mean features and of their attributes.

    Parameters
    ----------
    width : float
    negatives : float
        Weight of the other classes.
    steps : int
        Mini-batches. There is no other stopping rule: `tune` finds their number on seen classes
        held out, and the model is then trained on all of them.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter.

    Attributes
    ----------
    projection_ : ndarray of shape (k, d)
        W.
    feature_mean_ : ndarray of shape (d,)
    attribute_mean_ : ndarray of shape (k,)

    Notes
    -----
    The authors train on one image at a time with RMSprop, and keep the W that does best on the
    test images.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.random((4, 6))
    >>> labels = np.repeat([0, 1, 2, 3], 20)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.01 * rng.random((80, 9))
    >>> model = ZSKL().fit(X[:60], labels[:60], class_attributes=Z)
    >>> model.predict(X[60:63], classes=[0, 3])
    array([3, 3, 3])
    """

    once: ClassVar[bool] = True
    limits: ClassVar[dict[str, Limit]] = {
        "width": Number(0, strict=True),
        "negatives": Number(0),
        "steps": Number(1, integer=True),
    }
    parts: ClassVar[dict[str, int]] = {"projection": 2, "feature_mean": 1, "attribute_mean": 1}
    grid: ClassVar[list[dict[str, Any]]] = [
        {"width": round(0.4 * 2 ** (third / 3), 2), "negatives": 1.0, "steps": steps}
        for third in range(7)
        for steps in (8, 14, 24, 40, 60, 80, 110)
    ]

    def __init__(
        self,
        *,
        width: float = 0.8,
        negatives: float = 1.0,
        steps: int = 60,
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.width = width
        self.negatives = negatives
        self.steps = steps
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Trials that differ in the number of steps alone are stops on one way."""
        means = {
            "feature_mean": np.average(evidence.X, axis=0, weights=evidence.weights),
            "attribute_mean": evidence.Z.mean(axis=0),
        }
        pairs = pairs_of(evidence, **means)
        stops: defaultdict[tuple[float, float], set[int]] = defaultdict(set)
        for trial in trials:
            stops[trial["width"], trial["negatives"]].add(int(trial["steps"]))
        ways = {loss: dict(descend(pairs, *loss, stops[loss])) for loss in stops}
        for trial in trials:
            core = ways[trial["width"], trial["negatives"]][int(trial["steps"])]
            yield {"projection": Product(pairs.attribute_axes, core, pairs.feature_axes), **means}

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Return how much less than two unlike things an image and a class lose, at most 2."""
        X = centred(X, parts["feature_mean"])
        Z = centred(Z, parts["attribute_mean"])
        lengths = squared_lengths(X), squared_lengths(Z)
        return _likeness(X, Z, *lengths, np.asarray(parts["projection"]), trial["width"])

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Compare images and classes in the few coordinates in which all trials learn."""
        placed = None
        for trial, parts in zip(trials, cls.solve(evidence, trials), strict=True):
            found = parts["projection"]
            if placed is None:
                X = centred(X, parts["feature_mean"])
                Z = centred(Z, parts["attribute_mean"])
                axes = X @ found.right.T, Z @ found.left
                placed = *axes, squared_lengths(X), squared_lengths(Z)
            yield _likeness(*placed, found.core, trial["width"])


def _likeness(
    X: np.ndarray,
    Z: np.ndarray,
    X_length: np.ndarray,
    Z_length: np.ndarray,
    W: np.ndarray,
    width: float,
) -> np.ndarray:
    """``2 - (k(x Wᵀ, z) - 1)² - (k(z W, x) - 1)²`` for every image and class."""
    U, images = X @ W.T, Z @ W
    products = U @ Z.T
    there = squared_lengths(U)[:, None] - 2 * products + Z_length
    back = squared_lengths(images) - 2 * products + X_length[:, None]
    kernels = [np.exp(-squared / (2 * width**2)) for squared in (there, back)]
    return sum(kernel * (2 - kernel) for kernel in kernels)
