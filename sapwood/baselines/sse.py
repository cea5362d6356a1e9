"""SSE: images and classes by their likeness to the seen classes (Zhang & Saligrama, 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from sapwood.baselines.base import Baseline, Parts
from sapwood.baselines.max_margin import TARGETS, Likeness, alternate, classes_with_images
from sapwood.baselines.scale import mean_squared_distance
from sapwood.baselines.simplex import simplex_mixtures
from sapwood.models.limits import Choice, Limit, Number
from sapwood.projection import Evidence


class SSE(Baseline):
    """A class is a mixture of seen classes, an image is like each of them to some degree.

    The mixture a of a class z minimises ``‖z - a Z‖² + source_ridge m ‖a‖²``, m being the mean
    squared distance between the seen classes Z; an image's likeness to a seen class y is
    ``<w, ψ_y(x)>`` with ``ψ_y(x) = min(x, v_y)`` or ``max(0, x - v_y)``. The score is the mixture
    of the likenesses. In training, where a seen class is itself alone, w (by liblinear) and the
    embeddings v (by gradient steps from the class means) are improved in turn so that images are
    more like their own class than like the worst rivals, by a margin. Features with negative
    values are split into how far they are above zero and how far below.

    Parameters
    ----------
    source_ridge : float
        The larger, the more seen classes are mixed.
    target : {"intersection", "relu"}
        ψ. As ``min(x, v) = x - max(0, x - v)`` and mixtures sum to 1, both learn the same, w but
        for its sign, and rank classes alike.
    cost : float
        Of liblinear's support vector machine.
    rounds : int
        Turns of w and v.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter; each counts for the class it belongs to most.

    Attributes
    ----------
    embeddings_ : ndarray of shape (p, d) or (p, 2 d)
        v, of the seen classes that any image belongs to; the latter where features are split.
    weights_ : ndarray of shape (d,) or (2 d,)
        w.
    seen_attributes_ : ndarray of shape (p, k)
        As scaled.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.random((4, 6))
    >>> Z[3] = (Z[1] + Z[2]) / 2
    >>> labels = np.repeat([0, 1, 2, 3], 20)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.01 * rng.random((80, 9))
    >>> model = SSE().fit(X[:60], labels[:60], class_attributes=Z)
    >>> model.predict(X[60:63], classes=[0, 3])
    array([3, 3, 3])
    """

    once: ClassVar[bool] = True
    limits: ClassVar[dict[str, Limit]] = {
        "source_ridge": Number(0, strict=True),
        "target": Choice(TARGETS),
        "cost": Number(0, strict=True),
        "rounds": Number(1, integer=True),
    }
    parts: ClassVar[dict[str, int]] = {"embeddings": 2, "weights": 1, "seen_attributes": 2}
    # On seen classes of CUB held out, costs from 1e-5 to 1e-2 differ by no more than rounds do.
    grid: ClassVar[list[dict[str, Any]]] = [
        {"source_ridge": 10**ridge, "target": "intersection", "cost": 1e-3, "rounds": rounds}
        for rounds in range(1, 8)
        for ridge in (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
    ]

    def __init__(
        self,
        *,
        source_ridge: float = 0.1,
        target: str = "intersection",
        cost: float = 1e-3,
        rounds: int = 4,
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "ignore",
    ) -> None:
        self.source_ridge = source_ridge
        self.target = target
        self.cost = cost
        self.rounds = rounds
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Trials that differ in the number of rounds alone are stops on one way.

        The way does not depend on attributes: other coordinates of these share it.
        """
        seen = evidence.Z[classes_with_images(evidence)]
        for trial in trials:
            found = _way(evidence, trial).after(trial["rounds"])
            yield {"embeddings": found.V, "weights": found.w, "seen_attributes": seen}

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Mix the images' likenesses to seen classes as the classes are mixed of them."""
        likeness = Likeness(parts["embeddings"], parts["weights"], trial["target"])
        return likeness(X) @ _mixtures(parts["seen_attributes"], trial, Z).T

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Compare images with embeddings, and classes with seen ones, once for all trials."""
        seen = evidence.Z[classes_with_images(evidence)]
        mixtures: dict[float, np.ndarray] = {}
        for trial in trials:
            ridge = trial["source_ridge"]
            if ridge not in mixtures:
                mixtures[ridge] = _mixtures(seen, trial, Z)
            yield _way(evidence, trial).likenesses(X, trial["rounds"]) @ mixtures[ridge].T


class Way:
    """What is learnt after each round; later rounds are run when first asked for.

    Parameters
    ----------
    evidence : Evidence
    target : {"intersection", "relu"}
    cost : float
    """

    def __init__(self, evidence: Evidence, target: str, cost: float) -> None:
        self._ahead = alternate(evidence, target, cost)
        self._found: list[Likeness] = []
        self._asked: np.ndarray | None = None
        self._answers: dict[int, np.ndarray] = {}

    def after(self, rounds: int) -> Likeness:
        """Return what this many rounds learn."""
        while len(self._found) < rounds:
            self._found.append(next(self._ahead).precise())
        return self._found[rounds - 1]

    def likenesses(self, X: np.ndarray, rounds: int) -> np.ndarray:
        """Compare images X with the embeddings, once as long as X is the same array."""
        if X is not self._asked:
            self._asked, self._answers = X, {}
        if rounds not in self._answers:
            self._answers[rounds] = self.after(rounds)(X)
        return self._answers[rounds]


def _way(evidence: Evidence, trial: dict[str, Any]) -> Way:
    target, cost = trial["target"], trial["cost"]
    found: Way = evidence.once(("sse", target, cost), partial(Way, evidence, target, cost))
    return found


def _mixtures(seen: np.ndarray, trial: dict[str, Any], Z: np.ndarray) -> np.ndarray:
    return simplex_mixtures(Z, seen, trial["source_ridge"] * mean_squared_distance(seen))
