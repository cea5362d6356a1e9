"""Deciding which concepts an image has, and the precision and recall of such decisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError
from sapwood.metrics._checks import as_count, as_flags, as_number, as_numbers, one_of, same_shape
from sapwood.metrics.generalized import harmonic_mean

EMPTY_RULES = ("zero", "skip")


@dataclass(frozen=True)
class TagScores:
    """Averaged precision and recall, and the harmonic mean of these two averages.

    Examples
    --------
    >>> TagScores(precision=0.5, recall=0.5, f1=0.5).f1
    0.5
    """

    precision: float
    recall: float
    f1: float


def decide_top_k(scores: ArrayLike, k: int = 3) -> NDArray[np.bool_]:
    """Give every image its `k` best scored concepts, however low their scores.

    Of equal scores the one in the lower column is taken first.

    Parameters
    ----------
    scores : array-like of shape (n, c)
        Higher is better; infinities are allowed, NaN is not.
    k : int
        From 1 to c.

    Returns
    -------
    ndarray of bool of shape (n, c)
        With k True in each row.

    Examples
    --------
    >>> decide_top_k([[0.2, 0.9, 0.2]], k=2).tolist()
    [[True, True, False]]
    """
    table = as_numbers("scores", scores, 2)
    k = as_count("k", k, table.shape[1])
    lowest_taken = np.partition(table, -k, axis=1)[:, -k, None]
    above, tied = table > lowest_taken, table == lowest_taken
    places_left = k - np.count_nonzero(above, axis=1, keepdims=True)
    return above | (tied & (np.cumsum(tied, axis=1) <= places_left))


def decide_threshold(scores: ArrayLike, threshold: float = 0.0) -> NDArray[np.bool_]:
    """Give every image the concepts that score above `threshold`, be they many or none.

    Parameters
    ----------
    scores : array-like of shape (n, c)
        Higher is better; infinities are allowed, NaN is not.
    threshold : float
        A score equal to it is not enough.

    Returns
    -------
    ndarray of bool of shape (n, c)

    Examples
    --------
    >>> decide_threshold([[-0.5, 0.0, 0.5]]).tolist()
    [[False, False, True]]
    """
    limit = as_number("threshold", threshold)
    return np.asarray(as_numbers("scores", scores, 2) > limit)


def tag_precision_recall(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: str = "concepts", empty: str = "zero"
) -> TagScores:
    """Return precision, recall and F1 of the concepts given to images.

    F1 is the harmonic mean of the averaged precision and the averaged recall, not the average
    of single F1 values.

    Parameters
    ----------
    y_true : array-like of shape (n, c)
        1 where the image has the concept, else 0.
    y_pred : array-like of shape (n, c)
        1 where it was given the concept, from :func:`decide_top_k` or :func:`decide_threshold`.
    average : {"concepts", "images", "overall"}
        Take both ratios for each concept (C-P, C-R, C-F1) or for each image (I-P, I-R, I-F1)
        and then the mean, or once from the counts of the whole matrix (O-P, O-R, O-F1).
    empty : {"zero", "skip"}
        What a row (or a concept's column) counts for whose ratio is 0/0: precision where
        nothing was given, recall where nothing is true. ``"zero"`` keeps it in the mean as 0;
        ``"skip"`` leaves it out of the mean of that ratio only.

    Returns
    -------
    TagScores
        With ``"skip"``, precision and F1 are NaN if no image was given any concept.

    Notes
    -----
    To leave images without a true concept out altogether, give only the rows
    ``y_true.any(axis=1)``.

    Examples
    --------
    >>> y_true = [[1, 1, 0], [0, 1, 0]]
    >>> y_pred = [[1, 0, 0], [1, 1, 0]]
    >>> tag_precision_recall(y_true, y_pred, average="images")
    TagScores(precision=0.75, recall=0.75, f1=0.75)
    >>> tag_precision_recall(y_true, y_pred, average="concepts", empty="skip")
    TagScores(precision=0.75, recall=0.75, f1=0.75)
    """
    one_of("average", average, ("concepts", "images", "overall"))
    one_of("empty", empty, EMPTY_RULES)
    truth, given = as_flags("y_true", y_true, 2), as_flags("y_pred", y_pred, 2)
    same_shape(y_true=truth, y_pred=given)
    refuse_no_truth(truth)
    axis = {"concepts": 0, "images": 1, "overall": None}[average]
    hits, n_given, n_true = (
        np.atleast_1d(np.count_nonzero(flags, axis=axis)) for flags in (truth & given, given, truth)
    )
    precision = _mean_ratio(hits, n_given, empty)
    recall = _mean_ratio(hits, n_true, empty)
    f1 = precision if np.isnan(precision) else harmonic_mean(precision, recall)
    return TagScores(precision, recall, f1)


def refuse_no_truth(truth: NDArray[np.bool_]) -> None:
    """Refuse a ground truth without a single concept: every score against it is undefined."""
    if not truth.any():
        raise InputError(
            "y_true marks no concept in any image; give the true concepts as 1, the others as 0"
        )


def _mean_ratio(part: NDArray[np.intp], whole: NDArray[np.intp], empty: str) -> float:
    full = whole > 0
    ratios = part[full] / whole[full]
    if empty == "zero":
        return float(ratios.sum() / len(whole))
    return float(ratios.mean()) if full.any() else float("nan")
