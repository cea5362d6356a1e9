"""The target side of SSE: likeness of images to seen classes, learnt with large margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from sklearn.svm import LinearSVC

from sapwood.projection import Evidence

TARGETS = ("intersection", "relu")
#: Images drawn at a time, and the classes with the least margin that count for each.
BATCH, RIVALS = 128, 5
#: Steps of the embeddings in a round, their length where ``‖w‖ = 1``, and the pull to the means.
STEPS, RATE, MOMENTUM, PULL = 10, 0.1, 0.9, 0.05


@dataclass(frozen=True)
class Likeness:
    """``π_y(x) = <w, ψ_y(x)>`` with ``ψ_y(x) = min(x, v_y)`` or ``max(0, x - v_y)``.

    Attributes
    ----------
    V : ndarray of shape (p, d)
        Embeddings of the classes.
    w : ndarray of shape (d,)
    target : {"intersection", "relu"}
    """

    V: np.ndarray
    w: np.ndarray
    target: str

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return π for images X, shape (n, d), and all classes: shape (n, p)."""
        X = X if X.shape[1] == self.V.shape[1] else both_signs(X)
        found = np.empty((len(X), len(self.V)), dtype=X.dtype)
        for start in range(0, len(X), BATCH):
            # Few enough images to stay in the processor's cache while classes go by.
            rows = slice(start, start + BATCH)
            for y, v in enumerate(self.V):
                found[rows, y] = respond(X[rows], v, self.target) @ self.w
        return found

    def precise(self) -> Likeness:
        """Return the same in double precision."""
        return replace(self, V=self.V.astype(np.float64), w=self.w.astype(np.float64))

    def lead(self, X: np.ndarray, own: np.ndarray, rivals: np.ndarray) -> np.ndarray:
        """Return ``ψ_own(x) - ψ_rival(x)``, shape (n m, d), for `rivals` of shape (n, m)."""
        rows = np.repeat(np.arange(len(X)), rivals.shape[1])
        right = respond(X[rows], self.V[own[rows]], self.target)
        return right - respond(X[rows], self.V[rivals.ravel()], self.target)


def respond(X: np.ndarray, v: np.ndarray, target: str) -> np.ndarray:
    """ψ, feature by feature."""
    return np.minimum(X, v) if target == "intersection" else np.maximum(X - v, 0)


def both_signs(X: np.ndarray) -> np.ndarray:
    """Turn d features with negative values into 2 d without: how far above zero, how far below.

    Examples
    --------
    >>> both_signs(np.array([[3.0, -2.0]]))
    array([[3., 0., 0., 2.]])
    """
    return np.hstack([np.maximum(X, 0), np.maximum(-X, 0)])


@dataclass(frozen=True)
class Images:
    """Images of p classes.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    own : ndarray of shape (n,)
    chances : ndarray of shape (n,)
        Of being drawn.
    """

    X: np.ndarray
    own: np.ndarray
    chances: np.ndarray

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return the features and the classes of a batch."""
        rows = rng.choice(len(self.X), min(BATCH, len(self.X)), p=self.chances)
        return self.X[rows], self.own[rows]


def alternate(evidence: Evidence, target: str, cost: float) -> Iterator[Likeness]:
    """Yield what is learnt after each round: first w for the embeddings, then these for w.

    Only classes with images take part; embeddings start at their means.

    Parameters
    ----------
    evidence : Evidence
    target : {"intersection", "relu"}
    cost : float
        Of the support vector machine that finds w.
    """
    rng = np.random.default_rng(0)
    heard = evidence.weights > 0
    F = (evidence.F * evidence.weights[:, None])[heard][:, classes_with_images(evidence)]
    X = evidence.X[heard]
    X = X if X.min() >= 0 else both_signs(X)
    means = (F.T @ X / F.sum(axis=0)[:, None]).astype(np.float32)
    mass = F.max(axis=1)
    images = Images(X.astype(np.float32), F.argmax(axis=1), mass / mass.sum())
    towards = np.float32(1 if target == "intersection" else -1)
    found = Likeness(means, np.full(means.shape[1], towards), target)
    asked = images.draw(rng)
    while True:
        if len(means) > 1:
            found = replace(found, w=learn_weights(found, *asked, cost))
            found = replace(found, V=learn_embeddings(found, images, means, rng))
        yield found


def classes_with_images(evidence: Evidence) -> np.ndarray:
    """Mask of the classes that have a mean."""
    return np.asarray(evidence.weights @ evidence.F > 0)


def learn_weights(found: Likeness, X: np.ndarray, own: np.ndarray, cost: float) -> np.ndarray:
    """Learn w, shape (d,), such that images are more like their own class than like rivals.

    Its length is such that the root mean squared margin is 1: the cost, small or large, decides
    on its direction alone.
    """
    leads = found.lead(X, own, _worst(_shortfalls(found(X), own))).astype(np.float64)
    size = np.sqrt(np.mean(np.einsum("ij,ij->i", leads, leads))) or 1.0
    # A support vector machine wants two sides: every other lead changes its sign.
    signs = np.where(np.arange(len(leads)) % 2, 1.0, -1.0)
    machine = LinearSVC(C=cost, dual=False, fit_intercept=False)
    w = machine.fit(leads * (signs / size)[:, None], signs).coef_[0]
    return np.asarray(w / (np.sqrt(np.mean((leads @ w) ** 2)) or 1.0), dtype=np.float32)


def learn_embeddings(
    found: Likeness, images: Images, means: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Move the embeddings, shape (p, d), down the hinge loss of a few batches."""
    rate = np.float32(RATE / (found.w @ found.w or 1.0))
    move = np.zeros_like(means)
    for _ in range(STEPS):
        _, gradient = hinge(found, *images.draw(rng))
        move = np.float32(MOMENTUM) * move - rate * gradient
        found = replace(found, V=found.V + move - np.float32(PULL) * (found.V - means))
    return found.V


def hinge(found: Likeness, X: np.ndarray, own: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean over classes of their images' hinge loss to the worst rivals, and its derivative by V.

    A class has n / p images on average, so the loss of all is divided by that.
    """
    n, p = len(X), len(found.V)
    shortfall = _shortfalls(found(X), own)
    worst = _worst(shortfall)
    losses = np.maximum(np.take_along_axis(shortfall, worst, axis=1), 0)
    share = p / (n * worst.shape[1])
    by_likeness = np.zeros_like(shortfall)
    np.put_along_axis(by_likeness, worst, share * (losses > 0), axis=1)
    by_likeness[np.arange(n), own] = -by_likeness.sum(axis=1)
    side = by_likeness if found.target == "intersection" else -by_likeness
    slopes = [_above(X, v, column) for v, column in zip(found.V, side.T, strict=True)]
    return float(share * losses.sum()), np.array(slopes, dtype=X.dtype) * found.w


def _above(X: np.ndarray, v: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum the weights of the images that lie above v, feature by feature."""
    rows = np.flatnonzero(weights)
    return np.asarray(weights[rows] @ (X[rows] > v))


def _shortfalls(likeness: np.ndarray, own: np.ndarray) -> np.ndarray:
    """What each class's margin lacks to 1; -inf for the own one."""
    rows = np.arange(len(own))
    lacking = 1 + likeness - likeness[rows, own][:, None]
    lacking[rows, own] = -np.inf
    return lacking


def _worst(shortfall: np.ndarray) -> np.ndarray:
    rivals = min(RIVALS, shortfall.shape[1] - 1)
    return np.argsort(-shortfall, axis=1, kind="stable")[:, :rivals]
