"""One threshold for all concepts, chosen on images whose concepts are known."""

from __future__ import annotations

import numpy as np

from sapwood.metrics import decide_threshold, tag_precision_recall

#: Thresholds that are tried: quantiles of the scores, from where half the entries are above it.
TRIED = 200


def best_threshold(truth: np.ndarray, scores: np.ndarray) -> float:
    """Return the threshold with the highest C-F1.

    Parameters
    ----------
    truth : ndarray of bool of shape (n, c)
    scores : ndarray of shape (n, c)

    Examples
    --------
    >>> truth = np.array([[True, False], [False, True], [False, False]])
    >>> 0.4 <= best_threshold(truth, np.array([[0.9, 0.1], [0.4, 0.8], [0.3, 0.2]])) < 0.8
    True
    """
    # Fewer and fewer entries above it: from half of them to a tenth of those that are true.
    shares = np.geomspace(0.5, max(0.1 * truth.mean(), 1 / truth.size), TRIED)
    tried = np.unique(np.quantile(scores, 1 - shares))
    found = [tag_precision_recall(truth, decide_threshold(scores, t)).f1 for t in tried]
    return float(tried[int(np.argmax(found))])
