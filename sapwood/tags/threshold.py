"""One threshold for all concepts, chosen on images whose concepts are known."""

from __future__ import annotations

import numpy as np

from sapwood.metrics import decide_threshold, tag_precision_recall

#: Quantiles of the scores that are tried.
TRIED = 200


def best_threshold(truth: np.ndarray, scores: np.ndarray, most: float = np.inf) -> float:
    """Return the threshold with the highest C-F1.

    Parameters
    ----------
    truth : ndarray of bool of shape (n, c)
    scores : ndarray of shape (n, c)
    most : float
        So many times as many entries may be above it as are true. Where scores tell little, C-F1 is
        highest with all of them.

    Examples
    --------
    >>> truth = np.array([[True, False], [False, True], [False, False]])
    >>> 0.4 <= best_threshold(truth, np.array([[0.9, 0.1], [0.4, 0.8], [0.3, 0.2]])) < 0.8
    True
    """
    # Fewer and fewer entries above it: from half of them, or more than are true, to a tenth of
    # those that are; and one that all are above.
    true = max(float(truth.mean()), 1 / truth.size)
    shares = np.geomspace(min(1.0, max(0.5, 1.5 * true)), max(0.1 * true, 1 / truth.size), TRIED)
    tried = np.unique(np.quantile(scores, 1 - shares[shares <= most * true]))
    if most * true >= 1:
        tried = np.append(tried, np.nextafter(scores.min(), -np.inf))
    found = [tag_precision_recall(truth, decide_threshold(scores, t)).f1 for t in tried]
    return float(tried[int(np.argmax(found))])
