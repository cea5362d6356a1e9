"""From regression scores to the probability that somebody writes the tag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

#: Scores this far above zero and more are taken as they are, lower ones are bent upwards.
KNEE = 0.01
#: Entries of the matrix that are looked at: a few numbers do not need more.
ENTRIES = 2_000_000
#: Keeps the numbers finite where tags can be told apart without a mistake.
PENALTY = 1e-6


@dataclass(frozen=True)
class Calibration:
    """A logistic curve for each tag; its parts go with the logarithm of the tag's frequency.

    Ridge regression predicts less than it should for rare tags. Curves fitted to each tag alone
    would need more images than a rare tag has; these share five numbers.

    Attributes
    ----------
    place : ndarray of shape (t,)
        0 for the rarest tag to 1 for the most frequent one, by the logarithm.
    numbers : ndarray of shape (5,)
        Slope in the score; slopes in its logarithm and intercepts, for place 0 and 1.
    """

    place: np.ndarray
    numbers: np.ndarray

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        """Return probabilities for scores, shape (n, t); a tag's order of images stays."""
        straight, low, high, start, end = self.numbers
        slope = low + (high - low) * self.place
        intercept = start + (end - start) * self.place
        return expit(straight * scores + slope * _bent(scores) + intercept)


def fit_calibration(scores: np.ndarray, T: np.ndarray, frequency: np.ndarray) -> Calibration:
    """Fit the curves to images whose own tags had no part in their scores.

    Parameters
    ----------
    scores : ndarray of shape (n, t)
    T : ndarray of shape (n, t)
        The tags, 0 to 1.
    frequency : ndarray of shape (t,)
        Share of images that have the tag, above zero.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random((500, 2)) * [0.1, 0.5]
    >>> T = rng.random(p.shape) < p
    >>> found = fit_calibration(0.5 * p, T, T.mean(axis=0))
    >>> bool(abs(found(0.5 * p).mean() - T.mean()) < 0.001)
    True
    """
    logs = np.log(frequency)
    place = (logs - logs.min()) / max(np.ptp(logs), 1e-12)
    flags = np.asarray(T, dtype=np.float64)
    parts = np.stack([scores, _bent(scores), np.broadcast_to(place, scores.shape)])
    v, bent, at = (part.ravel() for part in parts.astype(np.float64))
    y = flags.ravel()
    features = np.stack([v, bent * (1 - at), bent * at, 1 - at, at])

    def loss(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        z = numbers @ features
        value = np.logaddexp(0, z) - y * z
        slope = features @ (expit(z) - y)
        penalty = PENALTY * len(y)
        return (
            float(value.sum() + penalty * numbers @ numbers) / len(y),
            (slope + 2 * penalty * numbers) / len(y),
        )

    # Slopes of at least 0 keep the order of a tag's images.
    bounds = [(0, None), (0, None), (0, None), (None, None), (None, None)]
    found = minimize(loss, [1.0, 1.0, 1.0, 0.0, 0.0], jac=True, bounds=bounds, method="L-BFGS-B")
    return Calibration(place, found.x)


def calibration_rows(n: int, t: int) -> np.ndarray:
    """Return rows spread evenly over n images, few enough for t tags."""
    count = min(n, max(1, ENTRIES // t))
    return np.linspace(0, n - 1, count).astype(np.int64)


def _bent(scores: np.ndarray) -> np.ndarray:
    """Return the logarithm of scores, those below zero on a soft tail."""
    return np.log(KNEE * np.logaddexp(0, scores / KNEE) + 1e-4)
