"""How often the predicted class is the true one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.metrics._checks import (
    as_count,
    as_labels,
    as_numbers,
    column_labels,
    columns_of,
    one_of,
    same_kind,
    same_length,
)

AVERAGES = ("images", "classes")


def accuracy(y_true: ArrayLike, y_pred: ArrayLike, *, average: str = "images") -> float:
    """Return the fraction of images, or the mean fraction of each class, predicted correctly.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels, both integers or both text.
    average : {"images", "classes"}
        ``"images"`` counts every image once. ``"classes"`` is the mean recall of the classes
        present in `y_true`, so that a class of few images weighs as much as one of many; a
        class that is only predicted does not enter the mean.

    Returns
    -------
    float
        In 0–1.

    Examples
    --------
    >>> accuracy(["wren", "wren", "wren", "crow"], ["wren", "wren", "wren", "wren"])
    0.75
    >>> accuracy([0, 0, 0, 1], [0, 0, 0, 0], average="classes")
    0.5
    """
    one_of("average", average, AVERAGES)
    truth, hits = _truth_and_hits(y_true, y_pred)
    return _mean_hits(truth, hits, average)


def class_recalls(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return the classes present in `y_true`, sorted, and the fraction of each predicted correctly.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels, both integers or both text.

    Returns
    -------
    classes : ndarray of shape (c,)
    recalls : ndarray of shape (c,)

    Examples
    --------
    >>> classes, recalls = class_recalls([3, 3, 7], [3, 7, 7])
    >>> classes.tolist(), recalls.tolist()
    ([3, 7], [0.5, 1.0])
    """
    return _recalls(*_truth_and_hits(y_true, y_pred))


def top_k_accuracy(
    y_true: ArrayLike,
    scores: ArrayLike,
    k: int = 5,
    *,
    classes: ArrayLike | None = None,
    average: str = "images",
) -> float:
    """Return how often the true class is among the `k` best scored ones.

    Of equal scores the one in the lower column ranks first, so that ``k=1`` is the accuracy
    of ``argmax``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    scores : array-like of shape (n, c)
        Higher is better; infinities are allowed, NaN is not.
    k : int
        From 1 to c.
    classes : array-like of shape (c,), optional
        The label of each column; by default labels are column numbers.
    average : {"images", "classes"}
        As in :func:`accuracy`.

    Returns
    -------
    float
        In 0–1.

    Examples
    --------
    >>> scores = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3]]
    >>> top_k_accuracy([1, 0], scores, k=2)
    0.5
    """
    one_of("average", average, AVERAGES)
    truth, table = as_labels("y_true", y_true), as_numbers("scores", scores, 2)
    same_length(y_true=truth, scores=table)
    k = as_count("k", k, table.shape[1])
    labels = column_labels(classes, table.shape[1])
    column = columns_of("y_true", truth, labels, given=classes is not None)[:, None]
    own = np.take_along_axis(table, column, axis=1)
    earlier = np.arange(table.shape[1]) < column
    better = np.count_nonzero((table > own) | ((table == own) & earlier), axis=1)
    return _mean_hits(truth, better < k, average)


def _truth_and_hits(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    truth, guess = as_labels("y_true", y_true), as_labels("y_pred", y_pred)
    same_length(y_true=truth, y_pred=guess)
    same_kind(y_true=truth, y_pred=guess)
    return truth, truth == guess


def _recalls(
    truth: NDArray[Any], hits: NDArray[np.bool_]
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    present, code, count = np.unique(truth, return_inverse=True, return_counts=True)
    return present, np.bincount(code, weights=hits) / count


def _mean_hits(truth: NDArray[Any], hits: NDArray[np.bool_], average: str) -> float:
    return float(hits.mean() if average == "images" else _recalls(truth, hits)[1].mean())
