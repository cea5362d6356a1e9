"""Other ways to compare images with classes on weak features.

The partitions are those of `weak_features.py`: of AwA1's 32 classes that are unseen in neither
split 9 are held out and asked, and 23 teach, K annotated images of each. Per cent of images named
correctly by the preset before anybody is asked about coordinates, and the difference that another
comparison makes, with its standard error over partitions:

- the lengths of projected classes count half, or not at all;
- a bilinear score of features and coordinates, learned to tell seen classes apart, is mixed in;
- images are compared with what is known of their scatter about classes like the one asked;
- each image, annotated or asked, is moved towards its nearest training images, labelled or not.

    SAPWOOD_DATA=... python benchmarks/weak_scores.py [--partitions 32] [--docs PAGE]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from weak_features import Learner, Problem, learner, tell

from sapwood.projection import prototype_scores

#: Ridges of the bilinear score, on features and on coordinates, in units of their mean eigenvalue.
RIDGES = (10.0, 0.3)
#: Directions in which images scatter most, and the share of what is class by class in scatter.
DIRECTIONS, OWN_SHARE = 10, 0.7
#: Training images towards which an image is moved.
NEIGHBOURS = 30
#: Scores of images, shape (n, d), against classes in their coordinates, (c, q).
Score = Callable[[np.ndarray, np.ndarray], np.ndarray]


def projected(start: Learner, length: float = 1.0) -> Score:
    """Return the preset's score, in which the lengths of projected classes count so much."""
    W = start.projection()

    def score(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        P = Z @ W
        return prototype_scores(X, P, "euclidean") + (1 - length) * (P**2).sum(axis=1)

    return score


def bilinear(start: Learner) -> Score:
    """Regress which class an image is of, and is not, on products of features and coordinates."""
    X, F, Z = start.evidence.X, start.evidence.F, start.evidence.Z
    signs = 2 * F - 1
    left = _ridged(X.T @ X, RIDGES[0])
    V = np.linalg.solve(left, X.T @ (signs - signs.mean(axis=0)) @ Z)
    V = np.linalg.solve(_ridged(Z.T @ Z, RIDGES[1]), V.T).T
    return lambda X, Z: X @ V @ Z.T


def _ridged(G: np.ndarray, ridge: float) -> np.ndarray:
    return G + ridge * np.trace(G) / len(G) * np.eye(len(G))


def mixed(start: Learner, share: float) -> Score:
    """Add a share of the bilinear score, both in units of their spread on annotated images."""
    scores, X, Z = (projected(start), bilinear(start)), start.evidence.X, start.evidence.Z
    units = [_spread(score(X, Z)) for score in scores]
    return lambda X, Z: scores[0](X, Z) / units[0] + share * scores[1](X, Z) / units[1]


def _spread(scores: np.ndarray) -> float:
    return float((scores - scores.mean(axis=1, keepdims=True)).std())


def scattered(start: Learner, share: float) -> Score:
    """Add a share of what the variances of like classes say, where images scatter most."""
    X, F, Z = start.evidence.X, start.evidence.F, start.evidence.Z
    away = X - F @ (start.evidence.FtX / F.sum(axis=0)[:, None])
    values, vectors = np.linalg.eigh(away.T @ away / (len(X) - len(Z)))
    B = vectors[:, -DIRECTIONS:] / np.sqrt(values[-DIRECTIONS:])
    own = F.T @ (away @ B) ** 2 / (F.sum(axis=0) - 1)[:, None]
    W, plain = start.projection(), projected(start)

    def score(X: np.ndarray, Z_asked: np.ndarray) -> np.ndarray:
        like = (Z_asked @ Z.T) ** 2
        shares = OWN_SHARE * like / like.sum(axis=1, keepdims=True)
        variances = 1 - OWN_SHARE + shares @ own
        off = (X @ B)[:, None] - (Z_asked @ W @ B)[None]
        told = (off**2 * (1 / variances - 1) + np.log(variances)).sum(axis=2)
        return plain(X, Z_asked) - share * values.mean() * told

    return score


def moved(start: Learner, share: float) -> tuple[Score, Callable[[np.ndarray], np.ndarray]]:
    """Learn from images moved towards their neighbours; return how others are moved, too."""
    whole = start.mapped(start.problem.setting.train)

    def move(X: np.ndarray) -> np.ndarray:
        products = X @ whole.T
        # An image is not its own neighbour.
        products[products > 1 - 1e-9] = -np.inf
        near = np.argpartition(-products, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        return X + share * whole[near].mean(axis=1)

    evidence = replace(start.evidence, X=move(start.evidence.X))
    return projected(start._replace(evidence=evidence)), move


def as_it_is(way: Callable[[Learner], Score]) -> Callable[[Learner], np.ndarray]:
    """Score images asked, unmoved."""
    return lambda start: way(start)(start.mapped(start.problem.setting.test_unseen), start.held)


def after_moving(start: Learner, share: float) -> np.ndarray:
    score, move = moved(start, share)
    return score(move(start.mapped(start.problem.setting.test_unseen)), start.held)


WAYS: dict[str, Callable[[Learner], np.ndarray]] = {
    "the preset, nobody asked": as_it_is(projected),
    "lengths of projected classes count half": as_it_is(partial(projected, length=0.5)),
    "lengths do not count": as_it_is(partial(projected, length=0.0)),
    "a bilinear score mixed in, 0.2": as_it_is(partial(mixed, share=0.2)),
    "a bilinear score mixed in, 0.4": as_it_is(partial(mixed, share=0.4)),
    "a bilinear score mixed in, 0.8": as_it_is(partial(mixed, share=0.8)),
    "the bilinear score alone": as_it_is(bilinear),
    "scatter about like classes": as_it_is(partial(scattered, share=10.0)),
    "scatter about like classes, four times as much": as_it_is(partial(scattered, share=40.0)),
    "moved towards neighbours, 0.2": partial(after_moving, share=0.2),
    "moved towards neighbours, 0.5": partial(after_moving, share=0.5),
}


def shares_right(problem: Problem) -> Iterator[float]:
    """Yield the per cent named correctly in each way."""
    start = learner(problem)
    for way in WAYS.values():
        yield problem.right(problem.setting.unseen[way(start).argmax(axis=1)])


if __name__ == "__main__":
    tell(__doc__, "weak-scores", WAYS, shares_right)
