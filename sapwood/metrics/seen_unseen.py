"""Accuracy on seen and on unseen classes for every bias between the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.metrics._checks import (
    as_labels,
    as_numbers,
    column_labels,
    columns_of,
    one_of,
    same_length,
)
from sapwood.metrics.classification import AVERAGES
from sapwood.metrics.generalized import unseen_images

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SeenUnseenCurve:
    """What each bias against the seen classes does to the two accuracies.

    Attributes
    ----------
    biases : ndarray of shape (b,)
        One bias inside each interval on which no prediction changes, increasing. Subtract it
        from the scores of all seen classes to obtain the two accuracies.
    acc_u : ndarray of shape (b,)
        Accuracy on images of unseen classes, rising from 0.
    acc_s : ndarray of shape (b,)
        Accuracy on images of seen classes, falling to 0.

    Examples
    --------
    >>> import numpy as np
    >>> SeenUnseenCurve(np.array([-1.0, 1.0]), np.array([0.0, 1.0]), np.array([0.5, 0.0])).area
    0.25
    """

    biases: Floats
    acc_u: Floats
    acc_s: Floats

    @property
    def area(self) -> float:
        """The area under `acc_s` as a function of `acc_u`, by trapezoids."""
        heights = (self.acc_s[1:] + self.acc_s[:-1]) / 2
        return float(np.diff(self.acc_u) @ heights)


def seen_unseen_curve(
    y_true: ArrayLike,
    scores: ArrayLike,
    unseen_classes: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    average: str = "images",
) -> SeenUnseenCurve:
    """Return acc_u and acc_s for every bias that can be subtracted from the seen classes' scores.

    An image changes from its best seen class to its best unseen class where the bias passes
    the difference of those two scores. Sorting these differences gives the whole curve, exactly.
    Images that change at one bias change together, which makes a slanted step. Of equal scores
    among the seen, or among the unseen, the one in the lower column wins.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels, of seen and unseen classes.
    scores : array-like of shape (n, c)
        Finite, higher is better.
    unseen_classes : array-like of shape (u,)
        Labels of the unseen classes, each standing for a column.
    classes : array-like of shape (c,), optional
        The label of each column; by default labels are column numbers.
    average : {"images", "classes"}
        Over what each of the two accuracies is a mean, as in :func:`accuracy`.

    Returns
    -------
    SeenUnseenCurve

    Notes
    -----
    The best bias on the images that are scored is a ceiling, not a result: choose the bias on
    other images.

    Examples
    --------
    >>> curve = seen_unseen_curve([0, 1], [[0.9, 0.2], [0.6, 0.5]], unseen_classes=[1])
    >>> curve.acc_u.tolist(), curve.acc_s.tolist()
    ([0.0, 1.0, 1.0], [1.0, 1.0, 0.0])
    """
    one_of("average", average, AVERAGES)
    truth, table = as_labels("y_true", y_true), as_numbers("scores", scores, 2, finite=True)
    same_length(y_true=truth, scores=table)
    labels = column_labels(classes, table.shape[1])
    column = columns_of("y_true", truth, labels, given=classes is not None)
    unseen_column = _unseen_columns(unseen_classes, labels, given=classes is not None)
    unseen = unseen_images(truth, labels[unseen_column])
    differences, right = _changes(table, column, unseen_column, unseen)
    points, place = np.unique(differences, return_inverse=True)
    # Leaving the seen side, an unseen image may become right, and a seen one can only be lost:
    # the second accuracy is the first one's mirror image, summed from the largest bias down.
    acc_u, acc_s_mirrored = (
        _rising_accuracy(truth[kind], right[kind], at[kind], len(points), average)
        for kind, at in ((unseen, place), (~unseen, len(points) - 1 - place))
    )
    return SeenUnseenCurve(_between(points), acc_u, acc_s_mirrored[::-1])


def ausuc(
    y_true: ArrayLike,
    scores: ArrayLike,
    unseen_classes: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    average: str = "images",
) -> float:
    """Return the area under the seen–unseen curve, taken over all biases.

    It needs no choice of a bias. Parameters are those of :func:`seen_unseen_curve`.

    Returns
    -------
    float
        In 0–1.

    Examples
    --------
    >>> ausuc([0, 1], [[0.9, 0.2], [0.6, 0.5]], unseen_classes=[1])
    1.0
    """
    return seen_unseen_curve(y_true, scores, unseen_classes, classes=classes, average=average).area


def _unseen_columns(
    unseen_classes: ArrayLike, labels: NDArray[Any], *, given: bool
) -> NDArray[np.bool_]:
    unseen_labels = as_labels("unseen_classes", unseen_classes)
    unseen_column = np.zeros(len(labels), dtype=bool)
    unseen_column[columns_of("unseen_classes", unseen_labels, labels, given=given)] = True
    return unseen_column


def _changes(
    table: Floats,
    column: NDArray[np.intp],
    unseen_column: NDArray[np.bool_],
    unseen: NDArray[np.bool_],
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the bias at which each image changes sides, and if it is right on its own side."""
    rows = np.arange(len(table))
    seen_side, unseen_side = np.flatnonzero(~unseen_column), np.flatnonzero(unseen_column)
    best_seen = seen_side[table[:, seen_side].argmax(axis=1)]
    best_unseen = unseen_side[table[:, unseen_side].argmax(axis=1)]
    right = np.where(unseen, best_unseen, best_seen) == column
    return table[rows, best_seen] - table[rows, best_unseen], right


def _rising_accuracy(
    truth: NDArray[Any], right: NDArray[np.bool_], place: NDArray[np.intp], n: int, average: str
) -> Floats:
    """Return the accuracy before, between and after `n` points when each right image joins at one.

    The sums are of whole numbers for the mean over images, hence exact.
    """
    _, code, count = np.unique(truth, return_inverse=True, return_counts=True)
    weight = np.ones(len(truth)) if average == "images" else 1 / count[code]
    joined = np.bincount(place[right], weights=weight[right], minlength=n)
    total = len(truth) if average == "images" else len(count)
    return np.minimum(np.concatenate([[0.0], np.cumsum(joined)]) / total, 1)


def _between(points: Floats) -> Floats:
    """Return a bias below, one between each two, and one above the sorted `points`."""
    first, last = points[0], points[-1]
    below, above = first - max(1.0, abs(first)), last + max(1.0, abs(last))
    return np.concatenate([[below], points[:-1] + np.diff(points) / 2, [above]])
