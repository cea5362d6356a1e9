"""ConSE: a convex combination of the seen classes' attributes (Norouzi et al., 2014)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Baseline, Parts
from sapwood.baselines.scale import mean_squared_distance
from sapwood.models.limits import Limit, Number
from sapwood.projection import Evidence, prototype_scores, softmax


class ConSE(Baseline):
    """The floor: an image has the attributes of the seen classes whose means are nearest.

    Parameters
    ----------
    sharpness : float
        Posteriors are ``softmax(-sharpness ‖x - mean‖² / m)``, m being the training images' mean
        squared distance.
    top : int
        Seen classes that count for an image.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter.

    Attributes
    ----------
    means_ : ndarray of shape (p, d)
        Of the seen classes that any image belongs to.
    seen_attributes_ : ndarray of shape (p, k)
        Theirs, as scaled.
    scale_ : float
        m.

    Examples
    --------
    >>> Z = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.9]])
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> model = ConSE(features="raw").fit(X, [0, 1], class_attributes=Z)
    >>> model.predict([[0.1, 1.0], [0.5, 0.5]])
    array([0, 2])
    """

    limits: ClassVar[dict[str, Limit]] = {
        "sharpness": Number(0, strict=True),
        "top": Number(1, integer=True),
    }
    parts: ClassVar[dict[str, int]] = {"means": 2, "seen_attributes": 2, "scale": 0}
    grid: ClassVar[list[dict[str, Any]]] = [
        {"sharpness": float(sharpness), "top": top}
        for sharpness in np.logspace(0, 3, 7)
        for top in (1, 2, 3, 5, 10, 20, 50)
    ]

    def __init__(
        self,
        *,
        sharpness: float = 30.0,
        top: int = 10,
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.sharpness = sharpness
        self.top = top
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Means of the classes; no trial changes them."""
        mass = evidence.weights @ evidence.F
        # A class none of whose images has a weight has no mean.
        known = mass > 0
        found = {
            "means": evidence.FtX[known] / mass[known, None],
            "seen_attributes": evidence.Z[known],
            "scale": mean_squared_distance(evidence.X, evidence.weights),
        }
        for _ in trials:
            yield found

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Compare the attributes expected of images with those of classes."""
        return _expected(*_ranked(parts, X), parts, trial, Z)

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Rank seen classes once: no trial changes their means."""
        parts = next(cls.solve(evidence, trials))
        ranked = _ranked(parts, X)
        for trial in trials:
            yield _expected(*ranked, parts, trial, Z)


def _ranked(parts: Parts, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of seen classes, best first, and which classes these are."""
    scores = prototype_scores(X, parts["means"], "euclidean")
    nearest = np.argsort(-scores, axis=1, kind="stable")
    return np.take_along_axis(scores, nearest, axis=1), nearest


def _expected(
    scores: np.ndarray, nearest: np.ndarray, parts: Parts, trial: dict[str, Any], Z: np.ndarray
) -> np.ndarray:
    """Compare the mean attributes of the nearest seen classes with those of the candidates."""
    top = min(int(trial["top"]), scores.shape[1])
    shares = softmax(scores[:, :top], parts["scale"] / trial["sharpness"])
    posterior = np.zeros_like(scores)
    np.put_along_axis(posterior, nearest[:, :top], shares, axis=1)
    return prototype_scores(posterior @ parts["seen_attributes"], Z, "cosine")
