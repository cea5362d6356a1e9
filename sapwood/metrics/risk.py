"""What is gained by answering only where one is confident."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.metrics._checks import as_flags, as_numbers, same_length


@dataclass(frozen=True, eq=False)
class RiskCoverageCurve:
    """The error rate among the most confident images, for each number of them.

    Attributes
    ----------
    coverage : ndarray of shape (n,)
        Fraction of images answered: 1/n, 2/n, …, 1.
    risk : ndarray of shape (n,)
        Fraction of wrong answers among those.

    Examples
    --------
    >>> import numpy as np
    >>> RiskCoverageCurve(np.array([0.5, 1.0]), np.array([0.0, 0.5])).area
    0.25
    """

    coverage: NDArray[np.float64]
    risk: NDArray[np.float64]

    @property
    def area(self) -> float:
        """The mean risk over all coverages."""
        return float(self.risk.mean())


def risk_coverage_curve(correct: ArrayLike, confidence: ArrayLike) -> RiskCoverageCurve:
    """Return the error rate among the k most confident images, for k from 1 to n.

    Images of equal confidence share their errors evenly, which is the expected curve when
    their order is drawn at random: the order of the rows does not matter.

    Parameters
    ----------
    correct : array-like of shape (n,)
        Whether each prediction was right (0 or 1).
    confidence : array-like of shape (n,)
        Any numbers, higher is more confident.

    Returns
    -------
    RiskCoverageCurve

    Examples
    --------
    >>> curve = risk_coverage_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    >>> [round(risk, 2) for risk in curve.risk.tolist()]
    [0.0, 0.5, 0.33, 0.5]
    """
    right, stated = as_flags("correct", correct, 1), as_numbers("confidence", confidence, 1)
    same_length(correct=right, confidence=stated)
    _, level, size = np.unique(-stated, return_inverse=True, return_counts=True)
    error_rate = np.bincount(level, weights=~right) / size
    answered = np.arange(1, len(right) + 1)
    risk = np.cumsum(np.repeat(error_rate, size)) / answered
    return RiskCoverageCurve(answered / len(right), np.minimum(risk, 1))


def aurc(correct: ArrayLike, confidence: ArrayLike) -> float:
    """Return the area under the risk–coverage curve: the mean risk over all coverages.

    Parameters are those of :func:`risk_coverage_curve`.

    Returns
    -------
    float
        In 0–1, lower is better.

    Examples
    --------
    >>> aurc([1, 0], [0.9, 0.8])
    0.25
    """
    return risk_coverage_curve(correct, confidence).area
