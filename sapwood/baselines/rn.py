"""RN: the relation network (Sung et al., 2018)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from sapwood.baselines.base import Baseline, Parts
from sapwood.baselines.episodes import import_torch, relations, teach
from sapwood.features import equally_unlike
from sapwood.models.folds import ClassFold, of_classes
from sapwood.models.limits import Limit, Number
from sapwood.projection import Evidence

#: Share of the seen classes held out to find when to stop, and how often they are asked.
HELD_OUT, CHECKS = 0.2, 20
#: With fewer seen classes none is held out.
FEWEST_CLASSES = 6
FEWEST_UNITS = 16
#: Images times classes times hidden units that are in memory at a time.
TOGETHER = 2**22


class RN(Baseline):
    """Two small networks learn to tell whether an image and a class belong together.

    The attribute net, k → h → d, takes the attributes of a class to the space of features; the
    relation net, 2 d → h → 1, takes that and an image to a number, which is to be 1 for the image's
    class and 0 for others: squared errors over episodes of 16 classes with 4 images each.

    Teaching needs torch, the extra ``deep``, and takes the GPU that torch finds;
    predicting needs neither.

    Parameters
    ----------
    rate : float
        Adam's learning rate times the inputs of the largest layer, d as a rule.
    width : float
        h / d; h is at least 16.
    episodes : int
        At most. The default takes about a minute on one core for 1,280 features.
    random_state : int
        Draws the first weights, the episodes and the classes held out.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
    attribute_map : {"raw", "l1", "l2", "powered", "kernel", ...}
    unlabelled : {"ignore", "nearest", "propagate", "paper", "spread"}
        How unannotated images enter.

    Attributes
    ----------
    validation_ : ndarray of shape (checks,)
        Mean reciprocal rank of the true class among seen classes held out, a fifth of them, after
        each twentieth of the episodes. Empty where there are fewer than six seen classes or where
        these are all equally unlike: then all episodes are used.
    episodes_ : int
        Where that was best: so many episodes of all seen classes taught the network that is kept.
    attribute_hidden_, attribute_out_ : ndarray of shape (k, h) and (h, d)
    attribute_hidden_bias_, attribute_out_bias_ : ndarray of shape (h,) and (d,)
    relation_class_, relation_image_ : ndarray of shape (d, h)
        First layer of the relation net, in two parts.
    relation_bias_, relation_out_ : ndarray of shape (h,)
    relation_out_bias_ : float

    Notes
    -----
    The authors teach 200,000 episodes of 32 images at a rate of 1e-5, and keep the network that
    does best on the test images. Scores are those before the last sigmoid, which orders classes
    alike. Teaching without a GPU takes one thread, so that their number changes nothing.

    Examples
    --------
    >>> RN(episodes=300).get_params()["episodes"]
    300
    """

    #: A fit takes long: the grid is short, and a benchmark tunes it once for all seeds.
    once: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    limits: ClassVar[dict[str, Limit]] = {
        "rate": Number(0, strict=True),
        "width": Number(0, strict=True),
        "episodes": Number(1, integer=True),
        "random_state": Number(0, integer=True),
    }
    parts: ClassVar[dict[str, int]] = {
        "attribute_hidden": 2,
        "attribute_hidden_bias": 1,
        "attribute_out": 2,
        "attribute_out_bias": 1,
        "relation_class": 2,
        "relation_image": 2,
        "relation_bias": 1,
        "relation_out": 1,
        "relation_out_bias": 0,
        "validation": 1,
        "episodes": 0,
    }
    grid: ClassVar[list[dict[str, Any]]] = [
        {"rate": rate, "width": 0.5, "episodes": 2000, "random_state": 0}
        for rate in (0.1, 0.2, 0.4)
    ]

    def __init__(
        self,
        *,
        rate: float = 0.2,
        width: float = 0.5,
        episodes: int = 2000,
        random_state: int = 0,
        features: str = "centered",
        attribute_map: str = "powered",
        unlabelled: str = "ignore",
    ) -> None:
        self.rate = rate
        self.width = width
        self.episodes = episodes
        self.random_state = random_state
        self.features = features
        self.attribute_map = attribute_map
        self.unlabelled = unlabelled

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Each trial is taught from the beginning."""
        import_torch()
        for trial in trials:
            with threadpool_limits(1):
                found = _taught(evidence, trial)
            yield found

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Relate images to classes, some images at a time."""
        rows = max(1, TOGETHER // (len(Z) * len(parts["relation_out"])))
        starts = range(0, max(len(X), 1), rows)
        return np.concatenate([relations(parts, X[start : start + rows], Z) for start in starts])


def _taught(evidence: Evidence, trial: dict[str, Any]) -> Parts:
    """Find how many episodes are best for classes held out, and teach all classes so many."""
    x, z = Scale(evidence.X, evidence.weights), Scale(evidence.Z)
    scaled = _scaled(evidence, x, z)
    options = _options(trial, d=evidence.X.shape[1], k=evidence.Z.shape[1])
    checks = np.unique(np.linspace(0, trial["episodes"], CHECKS + 1).astype(int)[1:])
    curve = _validation_curve(scaled, checks, options)
    # Of equals the last.
    best = int(checks[::-1][curve[::-1].argmax()] if len(curve) else trial["episodes"])
    (net,) = teach(scaled, [best], **options)
    found = {name: weights.astype(np.float64) for name, weights in net.items()}
    z.fold(found["attribute_hidden"], found["attribute_hidden_bias"])
    x.fold(found["relation_image"], found["relation_bias"])
    return {**found, "validation": curve, "episodes": best}


class Scale:
    """Mean and size of the rows of a matrix, which learning is to be free of."""

    def __init__(self, A: np.ndarray, weights: np.ndarray | None = None) -> None:
        self.mean = np.average(A, axis=0, weights=weights)
        self.size = float(np.sqrt(np.mean((A - self.mean) ** 2))) or 1.0

    def apply(self, A: np.ndarray) -> np.ndarray:
        """Return A with mean 0 and entries of the order of 1, in single precision."""
        return ((A - self.mean) / self.size).astype(np.float32)

    def fold(self, weights: np.ndarray, bias: np.ndarray) -> None:
        """Have a layer that was taught on scaled rows take rows as they are."""
        weights /= self.size
        bias -= self.mean @ weights


def _scaled(evidence: Evidence, x: Scale, z: Scale) -> Evidence:
    """Scale X and Z, and put classes into an order that is their own."""
    order = np.lexsort(evidence.Z.T[::-1])
    X, Z = x.apply(evidence.X), z.apply(evidence.Z[order])
    return Evidence(X, evidence.F[:, order], Z, evidence.weights)


def _options(trial: dict[str, Any], d: int, k: int) -> dict[str, Any]:
    units = max(FEWEST_UNITS, round(trial["width"] * d))
    # A step of Adam moves what a layer gives by its rate for each of the layer's inputs.
    rate = trial["rate"] / max(d, k, units)
    return {"units": units, "learning_rate": rate, "random_state": trial["random_state"]}


def _validation_curve(
    evidence: Evidence, checks: np.ndarray, options: dict[str, Any]
) -> np.ndarray:
    divided = _divided(evidence, options["random_state"])
    if divided is None:
        return np.empty(0)
    taught, asked = divided
    fold = ClassFold(taught, asked.X, asked.F.argmax(axis=1), asked.Z, np.arange(len(asked.Z)))
    curve = []
    for net in teach(taught, checks.tolist(), **options):
        ranks = fold.reciprocal_ranks(RN.compare(net, {}, fold.X, fold.held))
        curve.append(np.average(ranks, weights=asked.weights))
    return np.array(curve)


def _divided(evidence: Evidence, seed: int) -> tuple[Evidence, Evidence] | None:
    """Hold some seen classes out, unless these could tell nothing."""
    known = _known(evidence)
    if len(known) < FEWEST_CLASSES or equally_unlike(evidence.Z[known]):
        return None
    rng = np.random.default_rng(seed)
    held = np.sort(rng.choice(known, max(2, round(HELD_OUT * len(known))), replace=False))
    taught = of_classes(evidence, np.setdiff1d(known, held))
    asked = of_classes(evidence, held)
    return (taught, asked) if min(len(_known(taught)), len(_known(asked))) > 1 else None


def _known(evidence: Evidence) -> np.ndarray:
    """Return the classes that some image belongs to."""
    return np.flatnonzero(evidence.weights @ evidence.F > 0)
