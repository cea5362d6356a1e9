"""Scores made into probabilities by one sigmoid a column."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

#: Newton steps; the problem has two unknowns a column and is convex.
STEPS = 100
#: How often a step that makes a column worse is halved before it is given up.
HALVINGS = 30


def fit_sigmoids(scores: np.ndarray, flags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find slope a and offset b of ``1 / (1 + exp(-(a s + b)))`` for every column (Platt 1999).

    Platt's targets stay a little off 0 and 1, so that scores that separate perfectly do not ask
    for an infinite slope.

    Parameters
    ----------
    scores : ndarray of shape (n, c)
        Of rows that had no part in what gives the scores.
    flags : ndarray of shape (n, c)
        What is true.

    Returns
    -------
    slope, offset : ndarray of shape (c,)
        A slope is never negative: where scores mislead, the share of true rows is the answer.

    Examples
    --------
    >>> slope, offset = fit_sigmoids(np.array([[-1.0], [1.0]]), np.array([[False], [True]]))
    >>> expit(slope * 1.0 + offset).round(3)
    array([0.667])
    """
    flags = np.asarray(flags, dtype=bool)
    true, n = flags.sum(axis=0), len(flags)
    target = np.where(flags, (true + 1) / (true + 2), 1 / (n - true + 2))
    center, spread = scores.mean(axis=0), np.maximum(scores.std(axis=0), np.finfo(float).tiny)
    S = (scores - center) / spread
    a, b = np.zeros(S.shape[1]), _log_odds(target.mean(axis=0))
    for _ in range(STEPS):
        step_a, step_b = _newton(S, target, a, b)
        # Far from the solution a full step can overshoot on the flat ends of the sigmoid.
        length, loss = np.ones(len(a)), _loss(S, target, a, b)
        for _ in range(HALVINGS):
            worse = _loss(S, target, a + length * step_a, b + length * step_b) > loss
            length[worse] /= 2
            if not worse.any():
                break
        length[worse] = 0.0
        a, b = a + length * step_a, b + length * step_b
        if max(np.abs(step_a).max(), np.abs(step_b).max()) < 1e-9:
            break
    upward = a > 0
    slope = np.where(upward, a / spread, 0.0)
    offset = np.where(upward, b - a * center / spread, _log_odds(target.mean(axis=0)))
    return slope, offset


def _newton(
    S: np.ndarray, target: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    p = expit(a * S + b)
    error, weight = target - p, p * (1 - p)
    g_a, g_b = (error * S).sum(axis=0), error.sum(axis=0)
    h_aa, h_ab, h_bb = (weight * S * S).sum(axis=0), (weight * S).sum(axis=0), weight.sum(axis=0)
    h_aa, h_bb = h_aa + 1e-9, h_bb + 1e-9
    determinant = h_aa * h_bb - h_ab**2
    return (h_bb * g_a - h_ab * g_b) / determinant, (h_aa * g_b - h_ab * g_a) / determinant


def _loss(S: np.ndarray, target: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    at = a * S + b
    return (np.logaddexp(0.0, at) - target * at).sum(axis=0)


def _log_odds(p: np.ndarray) -> np.ndarray:
    return np.log(p) - np.log1p(-p)
