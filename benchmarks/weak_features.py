"""Other ways to learn from weak features, on classes of AwA1 that are unseen in neither split.

Of these 32 classes 9 are held out and asked, all their images; 23 teach, K annotated images of
each. Per cent of images named correctly by the preset before anybody is asked about coordinates
(annotated images alone, as everywhere on AwA1), and the difference that another way makes, with
its standard error over partitions, each of which has other classes and other annotated images:

- preparations and ridges, among them those that the strongest rival chooses most often;
- a projection that is trained further, to tell seen classes apart: the log-loss of annotated
  images plus a penalty on how far it goes from where it started;
- unlabelled images of the 23 classes, each with the classes that the projection sees in it; and,
  as a limit, with its true class;
- the default as it is, which asks annotated images, and the rival, tuned as in the comparison.

    SAPWOOD_DATA=... python benchmarks/weak_features.py [--partitions 32] [--docs PAGE]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from held_out import among
from scipy.optimize import minimize

from sapwood import SparseAttributePropagation
from sapwood.baselines.search import tune
from sapwood.benchmark import fill_page, markdown_table, mean_and_error
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.rivals import new_rival
from sapwood.data import Setting, ZeroShotData, standard_setting
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.metrics import accuracy
from sapwood.models.coordinates import USUAL_MAP
from sapwood.models.parameters import USUAL
from sapwood.projection import Evidence, fit_temperature, learn_scaled, prototype_scores, softmax

DATA, HELD, ANNOTATED, RIVAL = "awa1_lowlevel", 9, (5, 25), "kernel-ridge0"
#: Steps of training.
STEPS = 60
#: Parts of the annotated images that are withheld in turn for a temperature.
PARTS = 5


class Problem(NamedTuple):
    """A partition of the classes and a draw of annotated images."""

    data: ZeroShotData
    setting: Setting
    Z: np.ndarray

    @property
    def annotated(self) -> np.ndarray:
        """Images, by their rows in the data."""
        return self.setting.train[self.setting.y >= 0]

    def memberships(self, images: np.ndarray) -> np.ndarray:
        """Return true classes of images as one-hot rows, shape (images, p)."""
        return (self.data.labels[images, None] == self.setting.seen).astype(float)

    def right(self, answers: np.ndarray) -> float:
        """Return the per cent of images of classes held out that answers name correctly."""
        return 100 * accuracy(self.data.labels[self.setting.test_unseen], answers)


class Learner(NamedTuple):
    """Annotated images in mapped features, and classes in their coordinates."""

    problem: Problem
    feature_map: FeatureMap
    evidence: Evidence
    held: np.ndarray
    ridge: float

    def mapped(self, images: np.ndarray) -> np.ndarray:
        """Return features of images, by their rows in the data, as they are learned from."""
        return self.feature_map.transform(self.problem.data.features[images])

    def projection(self, evidence: Evidence | None = None) -> np.ndarray:
        """Learn W from the annotated images, or from other evidence."""
        found = learn_scaled(evidence or self.evidence, self.ridge, USUAL["beta"])
        return found.W * found.scale

    def right(self, W: np.ndarray) -> float:
        """Return the per cent that a projection names correctly."""
        setting = self.problem.setting
        scores = prototype_scores(self.mapped(setting.test_unseen), self.held @ W, "euclidean")
        return self.problem.right(setting.unseen[scores.argmax(axis=1)])


def problem_of(K: int, number: int) -> Problem:
    data = get_data(DATA)
    used = np.concatenate([split.unseen for split in data.splits.values()])
    classes = np.setdiff1d(np.arange(len(data.attributes)), used)
    held = np.random.default_rng(700 + number).permutation(len(classes))[:HELD]
    part = among(data, classes, held)
    Z = np.where(np.isnan(part.attributes), np.nanmean(part.attributes, axis=0), part.attributes)
    return Problem(part, standard_setting(part, "held out", K, seed=number), Z)


def learner(
    problem: Problem,
    features: dict[str, Any] | None = None,
    attributes: dict[str, Any] | None = None,
    ridge: float = 1.0,
) -> Learner:
    """Prepare a problem as the preset does, except for what is named; the ridge in its units."""
    feature_map = FeatureMap(**{**FEATURE_MAPS["whitened"], **(features or {})})
    X = feature_map.fit_transform(problem.data.features[problem.annotated])
    seen = problem.Z[problem.setting.seen]
    classes = AttributeMap(**(attributes or ATTRIBUTE_MAPS[USUAL_MAP])).fit(seen)
    F, Z = problem.memberships(problem.annotated), classes.transform(seen)
    evidence = Evidence(X, F, Z, np.ones(len(X)))
    held = classes.transform(problem.Z[problem.setting.unseen])
    return Learner(problem, feature_map, evidence, held, ridge * USUAL["lambda4"])


def trained_further(start: Learner, temperature: float, penalty: float) -> np.ndarray:
    """Lower the log-loss of annotated images among seen classes, from the projection as it is."""
    X, F, Z = start.evidence.X, start.evidence.F, start.evidence.Z
    W0, truth, n = start.projection(), start.evidence.F.argmax(axis=1), len(start.evidence.X)
    unit = penalty / float((W0**2).sum())

    def loss_and_slope(flat: np.ndarray) -> tuple[float, np.ndarray]:
        W = flat.reshape(W0.shape)
        prototypes = Z @ W
        shares = softmax(prototype_scores(X, prototypes, "euclidean"), temperature)
        loss = -np.log(np.maximum(shares[np.arange(n), truth], 1e-300)).mean()
        off = (shares - F) / n
        pull = 2 * (off.T @ X - off.sum(axis=0)[:, None] * prototypes) / temperature
        slope = Z.T @ pull + 2 * unit * (W - W0)
        return loss + unit * float(((W - W0) ** 2).sum()), slope.ravel()

    found = minimize(
        loss_and_slope, W0.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    return found.x.reshape(W0.shape)


def withheld_temperature(start: Learner) -> float:
    """Find the temperature that suits annotated images which were not learned from."""
    whole, scores = start.evidence, np.empty(start.evidence.F.shape)
    for part in range(PARTS):
        asked = np.arange(len(whole.X)) % PARTS == part
        rest = Evidence(whole.X[~asked], whole.F[~asked], whole.Z, whole.weights[~asked])
        prototypes = whole.Z @ start.projection(rest)
        scores[asked] = prototype_scores(whole.X[asked], prototypes, "euclidean")
    return fit_temperature(scores, whole.F.argmax(axis=1))


def with_unlabelled(start: Learner, weight: float, known: bool = False) -> np.ndarray:
    """Learn from unlabelled images, too, by what the projection or the truth says of them."""
    own, setting = start.evidence, start.problem.setting
    images = setting.train[setting.y < 0]
    X, prototypes = start.mapped(images), own.Z @ start.projection()
    F = start.problem.memberships(images)
    if not known:
        scores = prototype_scores(X, prototypes, "euclidean")
        F = softmax(scores, withheld_temperature(start))
    weights = np.append(own.weights, np.full(len(X), weight))
    both = Evidence(np.vstack([own.X, X]), np.vstack([own.F, F]), own.Z, weights)
    return start.projection(both)


def fitted(problem: Problem, rival: bool) -> float:
    """Return the per cent that the default, or the rival, names correctly."""
    X, y = problem.setting.training(problem.data)
    if rival:
        (model,) = tune([new_rival(RIVAL)], X, y, class_attributes=problem.Z)
    else:
        model = SparseAttributePropagation(unlabelled="ignore")
        model.fit(X, y, class_attributes=problem.Z)
    images = problem.data.features[problem.setting.test_unseen]
    return problem.right(model.predict(images, classes=problem.setting.unseen))


UNCENTRED = {"norm": "l2", "width": 1.2}
#: Another preparation or ridge, by what is changed.
PREPARED: dict[str, dict[str, Any]] = {
    "attributes without their power": {"attributes": ATTRIBUTE_MAPS["plain-kernel"]},
    "attributes neither powered nor centred": {"attributes": UNCENTRED},
    "the same, the kernel twice as wide": {"attributes": {**UNCENTRED, "width": 2.4}},
    "no kernel": {"attributes": ATTRIBUTE_MAPS["powered"]},
    "half the ridge": {"ridge": 0.5},
    "twice the ridge": {"ridge": 2.0},
    "features whitened less (0.2)": {"features": {"whitening": 0.2}},
    "features whitened more (0.4)": {"features": {"whitening": 0.4}},
}
#: What is learned otherwise from the same preparation.
LEARNED: dict[str, Callable[[Learner], np.ndarray]] = {
    "trained further, penalty 10": lambda start: trained_further(start, 0.05, 10.0),
    "trained further, penalty 3": lambda start: trained_further(start, 0.05, 3.0),
    "trained further, penalty 1": lambda start: trained_further(start, 0.05, 1.0),
    "unlabelled images count 0.03": lambda start: with_unlabelled(start, 0.03),
    "unlabelled images count 0.1": lambda start: with_unlabelled(start, 0.1),
    "all labels known": lambda start: with_unlabelled(start, 1.0, known=True),
}
MODELS = {"the default": False, f"{RIVAL}, tuned": True}


def shares_right(problem: Problem) -> Iterator[float]:
    """Yield the per cent named correctly by the preset, and in each other way."""
    usual = learner(problem)
    yield usual.right(usual.projection())
    for changed in PREPARED.values():
        other = learner(problem, **changed)
        yield other.right(other.projection())
    for way in LEARNED.values():
        yield usual.right(way(usual))
    for rival in MODELS.values():
        yield fitted(problem, rival)


def table(
    names: Iterable[str], shares: Callable[[Problem], Iterable[float]], partitions: int
) -> str:
    """Return the per cent of the way named first, and how others differ from it."""
    lines = [[name] for name in names]
    for K in ANNOTATED:
        found = np.array([list(shares(problem_of(K, one))) for one in range(partitions)])
        lines[0].append(f"{found[:, 0].mean():.1f}")
        for line, one in zip(lines[1:], found.T[1:], strict=True):
            line.append(mean_and_error((one - found[:, 0]).tolist()))
    return markdown_table(["", *(f"K = {K}" for K in ANNOTATED)], lines)


def tell(
    said: str, block: str, names: Iterable[str], shares: Callable[[Problem], Iterable[float]]
) -> None:
    """Print the table that the command line asks for, and fill the block of a page."""
    parser = argparse.ArgumentParser(description=said.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=32, help="of the classes; 32")
    parser.add_argument("--docs", type=Path, help=f"a page whose block `{block}` is filled")
    arguments = parser.parse_args()
    text = table(names, shares, arguments.partitions)
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, block, text, f"benchmarks/{block.replace('-', '_')}.py")


if __name__ == "__main__":
    ways = ("the preset, nobody asked", *PREPARED, *LEARNED, *MODELS)
    tell(__doc__, "weak-features", ways, shares_right)
