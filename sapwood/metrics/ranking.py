"""How well scores rank what is true above what is not."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.metrics._checks import as_flags, as_numbers, one_of, same_shape
from sapwood.metrics.tags import EMPTY_RULES, refuse_no_truth

# Entries ranked at a time: bounds the working memory to some tens of megabytes.
BLOCK_ENTRIES = 1 << 20


def average_precisions(
    y_true: ArrayLike, scores: ArrayLike, *, average: str = "concepts"
) -> NDArray[np.float64]:
    """Return the average precision of each concept's ranking of images, or the reverse.

    It is the mean, over the true entries of one ranking, of the precision at their place.
    Equal scores are taken together: each has the precision at the last of them, so that the
    order of rows and columns does not matter.

    Parameters
    ----------
    y_true : array-like of shape (n, c)
        1 where the image has the concept, else 0.
    scores : array-like of shape (n, c)
        Higher is better; infinities are allowed, NaN is not.
    average : {"concepts", "images"}
        Whether each concept ranks the images, or each image the concepts.

    Returns
    -------
    ndarray of shape (c,) or (n,)
        NaN where a concept or image has no true entry.

    Examples
    --------
    >>> average_precisions([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]]).round(3)
    array([0.833,   nan])
    """
    one_of("average", average, ("concepts", "images"))
    truth, table = as_flags("y_true", y_true, 2), as_numbers("scores", scores, 2)
    same_shape(y_true=truth, scores=table)
    if average == "concepts":
        truth, table = truth.T, table.T
    step = max(1, BLOCK_ENTRIES // truth.shape[1])
    blocks = [slice(start, start + step) for start in range(0, len(truth), step)]
    return np.concatenate([_row_average_precisions(truth[b], table[b]) for b in blocks])


def mean_average_precision(
    y_true: ArrayLike, scores: ArrayLike, *, average: str = "concepts", empty: str = "skip"
) -> float:
    """Return the mean of the average precisions over concepts, or over images.

    Parameters
    ----------
    y_true : array-like of shape (n, c)
        1 where the image has the concept, else 0.
    scores : array-like of shape (n, c)
        Higher is better; infinities are allowed, NaN is not.
    average : {"concepts", "images"}
        Whether each concept ranks the images, or each image the concepts.
    empty : {"skip", "zero"}
        What a concept or image without a true entry counts for: left out of the mean, or 0.

    Returns
    -------
    float
        In 0–1.

    Examples
    --------
    >>> mean_average_precision([[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.8]], average="images")
    1.0
    >>> mean_average_precision([[1, 0], [0, 0]], [[0.9, 0.1], [0.2, 0.8]], empty="zero")
    0.5
    """
    one_of("empty", empty, EMPTY_RULES)
    truth = as_flags("y_true", y_true, 2)
    values = average_precisions(truth, scores, average=average)
    refuse_no_truth(truth)
    return float(np.nanmean(values) if empty == "skip" else np.nan_to_num(values).mean())


def _row_average_precisions(
    truth: NDArray[np.bool_], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    order = np.argsort(-scores, axis=1)
    ranked = np.take_along_axis(scores, order, axis=1)
    true = np.take_along_axis(truth, order, axis=1)
    precision = np.cumsum(true, axis=1) / np.arange(1, true.shape[1] + 1)
    precision = np.take_along_axis(precision, _last_of_ties(ranked), axis=1)
    n_true = np.count_nonzero(true, axis=1)
    total = np.sum(precision, axis=1, where=true)
    return np.divide(total, n_true, out=np.full(len(true), np.nan), where=n_true > 0)


def _last_of_ties(ranked: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return, for each place in each sorted row, the last place with the same score."""
    last = np.full(ranked.shape, ranked.shape[1] - 1)
    changes = ranked[:, :-1] != ranked[:, 1:]
    last[:, :-1][changes] = np.nonzero(changes)[1]
    return np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
