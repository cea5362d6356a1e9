"""From projected classes to scores, and from scores to probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from sapwood.features import unit_rows

#: How an image is compared with a class prototype.
METRICS = ("euclidean", "cosine")
#: Scores of one image that differ by less than this share of their size differ by rounding alone.
ROUNDING = 1e-9


def prototype_scores(X: np.ndarray, prototypes: np.ndarray, metric: str) -> np.ndarray:
    """Score rows of X against class prototypes, higher being nearer (Eq. 10).

    Parameters
    ----------
    X : ndarray of shape (n, d)
    prototypes : ndarray of shape (classes, d)
    metric : {"euclidean", "cosine"}
        ``-‖x - p‖²``, or the cosine of the angle between them.

    Returns
    -------
    ndarray of shape (n, classes)

    Examples
    --------
    >>> prototype_scores(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]]), "euclidean")
    array([[ 0., -5.]])
    """
    if metric == "cosine":
        return unit_rows(X) @ unit_rows(prototypes).T
    x, p = np.einsum("ij,ij->i", X, X), np.einsum("ij,ij->i", prototypes, prototypes)
    return 2 * (X @ prototypes.T) - x[:, None] - p[None, :]


def softmax(scores: np.ndarray, temperature: float) -> np.ndarray:
    """Return ``exp(scores / temperature)`` with rows divided by their sums.

    Examples
    --------
    >>> softmax(np.array([[0.0, 0.0]]), 1.0)
    array([[0.5, 0.5]])
    """
    # At a very low temperature nothing but differences can be divided by it without loss.
    logits = (scores - scores.max(axis=1, keepdims=True)) / temperature
    return np.exp(logits - logsumexp(logits, axis=1, keepdims=True))


def fit_temperature(
    scores: np.ndarray, truth: np.ndarray, weights: np.ndarray | None = None
) -> float:
    """Find the temperature at which the softmax of `scores` makes `truth` most likely.

    Parameters
    ----------
    scores : ndarray of shape (n, classes)
    truth : ndarray of shape (n,) or (n, classes)
        Column of the right class for each row, or how far each class is right.
    weights : ndarray of shape (n,), optional

    Examples
    --------
    >>> round(fit_temperature(np.array([[1.0, 0.0]] * 3 + [[0.0, 1.0]]), np.zeros(4, int)), 2)
    0.91
    """
    weights = np.ones(len(scores)) if weights is None else weights
    return common_temperature([(scores, truth, weights)]) or 1.0


def common_temperature(
    asked: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]],
) -> float | None:
    """Find the one temperature that is best for several sets of rows, each with its own classes.

    Parameters
    ----------
    asked : sequence of (scores, truth, weights)
        Each as in :func:`fit_temperature`.

    Returns
    -------
    float or None
        None where scores tell nothing apart but by rounding, so that any would do.
    """
    spread = float(np.concatenate([np.ptp(scores, axis=1) for scores, _, _ in asked]).mean())
    size = max(float(np.abs(scores).max(initial=0.0)) for scores, _, _ in asked)
    if spread <= ROUNDING * size:
        return None

    def loss(log_temperature: float) -> float:
        at = spread * np.exp(log_temperature)
        return sum(float(w @ log_losses(scores, truth, at)) for scores, truth, w in asked)

    # Three orders of magnitude round the spread of the scores: beyond them softmax is 0/1 or flat.
    return spread * float(np.exp(minimize_scalar(loss, bounds=(-7.0, 7.0), method="bounded").x))


def doubted(truth: np.ndarray, classes: int, n: int) -> np.ndarray:
    """Grant that one of n + 2 images is of any class: what n images cannot tell from being sure.

    Without it, images that are all named correctly would make softmax 0 or 1. It is Platt's (1999)
    correction of targets, for more than two classes.

    Parameters
    ----------
    truth : ndarray of shape (m,)
        Column of the right class.
    classes : int
    n : int
        Images asked in all.

    Returns
    -------
    ndarray of shape (m, classes)

    Examples
    --------
    >>> doubted(np.array([1]), 2, 2)
    array([[0.125, 0.875]])
    """
    doubt = 1 / (n + 2)
    return (1 - doubt) * np.eye(classes)[truth] + doubt / classes


def log_loss(
    scores: np.ndarray, truth: np.ndarray, temperature: float, weights: np.ndarray | None = None
) -> float:
    """Mean negative log-likelihood of `truth` under the softmax; parameters as above.

    Examples
    --------
    >>> round(log_loss(np.zeros((1, 2)), np.array([0]), 1.0), 3)
    0.693
    """
    return float(np.average(log_losses(scores, truth, temperature), weights=weights))


def log_losses(scores: np.ndarray, truth: np.ndarray, temperature: float) -> np.ndarray:
    """Negative log-likelihood of `truth` for each row, shape (n,)."""
    if truth.ndim == 1:
        right = scores[np.arange(len(truth)), truth]
    else:
        right = np.einsum("ij,ij->i", truth, scores)
    return np.asarray(logsumexp(scores / temperature, axis=1) - right / temperature)
