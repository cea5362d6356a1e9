"""What is gained by answering only where a model is sure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from sapwood.metrics import risk_coverage_curve

#: Shares of images answered, the surest first, for which accuracies are told.
COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def accuracy_against_coverage(
    correct: ArrayLike, confidence: ArrayLike, coverages: Sequence[float] = COVERAGES
) -> list[dict[str, float]]:
    """Return the accuracy among the surest images, for several shares of them.

    Parameters
    ----------
    correct : array-like of shape (n,)
        Whether each answer is right.
    confidence : array-like of shape (n,)
        Probability of each answer.
    coverages : sequence of float
        Shares of the images, above 0 and up to 1; each is rounded up to a whole image.

    Returns
    -------
    list of dict
        For each share ``coverage`` (of which it is after rounding), ``accuracy`` and ``reject``,
        the argument of `predict` with which so many images are answered, or more where
        probabilities are equal.

    Examples
    --------
    >>> accuracy_against_coverage([True, True, False, True], [0.9, 0.8, 0.3, 0.4], [0.5, 1.0])
    [{'coverage': 0.5, 'accuracy': 1.0, 'reject': 0.8}, {'coverage': 1.0, 'accuracy': 0.75, \
'reject': 0.3}]
    """
    curve = risk_coverage_curve(correct, confidence)
    sure = -np.sort(-np.asarray(confidence, dtype=float))
    n = len(sure)
    # The share 0.1 of 30 images is 3, though 0.1 * 30 is a little more in binary.
    last = [max(int(np.ceil(share * n - 1e-9)), 1) - 1 for share in coverages]
    return [
        {
            "coverage": float(curve.coverage[i]),
            "accuracy": float(1 - curve.risk[i]),
            # `predict` takes what is below 1.
            "reject": float(min(sure[i], np.nextafter(1.0, 0.0))),
        }
        for i in last
    ]
