"""Whether the stated probabilities can be believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError
from sapwood.metrics._checks import (
    as_array,
    as_count,
    as_flags,
    as_labels,
    as_number,
    as_numbers,
    column_labels,
    columns_of,
    one_of,
    same_length,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """Stated confidence against the accuracy found, for each bin that holds an image.

    Attributes
    ----------
    count : ndarray of shape (b,)
        Number of images in the bin.
    confidence : ndarray of shape (b,)
        Their mean confidence.
    accuracy : ndarray of shape (b,)
        The fraction of them that is right.

    Examples
    --------
    >>> import numpy as np
    >>> ReliabilityCurve(np.array([4]), np.array([0.9]), np.array([0.75])).count.tolist()
    [4]
    """

    count: NDArray[np.intp]
    confidence: Floats
    accuracy: Floats


def top_label(
    y_true: ArrayLike, proba: ArrayLike, *, classes: ArrayLike | None = None
) -> tuple[NDArray[np.bool_], Floats]:
    """Return whether the most probable class is the true one, and its probability.

    Of equal probabilities the one in the lower column wins.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    proba : array-like of shape (n, c)
        Rows are probabilities that sum to 1.
    classes : array-like of shape (c,), optional
        The label of each column; by default labels are column numbers.

    Returns
    -------
    correct : ndarray of bool of shape (n,)
    confidence : ndarray of shape (n,)

    Examples
    --------
    >>> correct, confidence = top_label([0, 0], [[0.75, 0.25], [0.25, 0.75]])
    >>> correct.tolist(), confidence.tolist()
    ([True, False], [0.75, 0.75])
    """
    column, table = _columns_and_probabilities(y_true, proba, classes)
    return table.argmax(axis=1) == column, table.max(axis=1)


def reliability_curve(
    correct: ArrayLike, confidence: ArrayLike, *, n_bins: int = 15, bins: str = "width"
) -> ReliabilityCurve:
    """Return count, mean confidence and accuracy of the images in each bin of confidence.

    Parameters
    ----------
    correct : array-like of shape (n,)
        Whether each prediction was right (0 or 1).
    confidence : array-like of shape (n,)
        The probability stated for it, in 0–1.
    n_bins : int
        How many bins.
    bins : {"width", "mass"}
        Of equal width, or cut at quantiles of the confidence. A value on an edge belongs to
        the bin below it, and equal values always share a bin, so "mass" bins differ in size
        where values repeat.

    Returns
    -------
    ReliabilityCurve
        Empty bins are left out.

    Examples
    --------
    >>> curve = reliability_curve([1, 0, 1, 1], [0.5, 0.5, 1.0, 1.0], n_bins=2)
    >>> curve.count.tolist(), curve.confidence.tolist(), curve.accuracy.tolist()
    ([2, 2], [0.5, 1.0], [0.5, 1.0])
    """
    one_of("bins", bins, ("width", "mass"))
    right, stated = as_flags("correct", correct, 1), as_numbers("confidence", confidence, 1)
    same_length(correct=right, confidence=stated)
    _refuse_outside_unit("confidence", stated)
    n_bins = as_count("n_bins", n_bins)
    edges = np.linspace(0, 1, n_bins + 1)
    inner = edges[1:-1] if bins == "width" else np.quantile(stated, edges[1:-1])
    place = np.searchsorted(inner, stated, side="left")
    count = np.bincount(place, minlength=n_bins)
    used = count > 0
    confidence_sum = np.bincount(place, weights=stated, minlength=n_bins)[used]
    right_sum = np.bincount(place, weights=right, minlength=n_bins)[used]
    return ReliabilityCurve(count[used], confidence_sum / count[used], right_sum / count[used])


def expected_calibration_error(
    correct: ArrayLike, confidence: ArrayLike, *, n_bins: int = 15, bins: str = "width"
) -> float:
    """Return the mean distance between confidence and accuracy, bins weighted by their images.

    Parameters are those of :func:`reliability_curve`; :func:`top_label` makes the first two
    from probabilities.

    Returns
    -------
    float
        In 0–1, lower is better.

    Examples
    --------
    >>> expected_calibration_error([1, 1, 1, 0], [1.0, 1.0, 1.0, 1.0])
    0.25
    """
    curve = reliability_curve(correct, confidence, n_bins=n_bins, bins=bins)
    gaps = np.abs(curve.confidence - curve.accuracy)
    return float(curve.count @ gaps / curve.count.sum())


def negative_log_likelihood(
    y_true: ArrayLike,
    proba: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    floor: float = float(np.finfo(np.float64).eps),
) -> float:
    """Return the mean of ``-log p`` over images, p the probability given to the true class.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Class labels.
    proba : array-like of shape (n, c)
        Rows are probabilities that sum to 1.
    classes : array-like of shape (c,), optional
        The label of each column; by default labels are column numbers.
    floor : float
        Smaller probabilities count as this, so that one certain mistake does not make the
        mean infinite. With 0 it does.

    Returns
    -------
    float
        Natural logarithm, lower is better.

    Examples
    --------
    >>> round(negative_log_likelihood([0, 1], [[0.5, 0.5], [0.5, 0.5]]), 4)
    0.6931
    """
    if not 0 <= as_number("floor", floor) < 1:
        raise InputError(f"floor is {floor!r}; give a probability from 0 to less than 1")
    column, table = _columns_and_probabilities(y_true, proba, classes)
    own = np.maximum(table[np.arange(len(table)), column], floor)
    with np.errstate(divide="ignore"):
        # Adding 0 turns the -0.0 of a perfect prediction into 0.0.
        return float(-np.log(own).mean() + 0.0)


def _refuse_outside_unit(name: str, values: Floats) -> None:
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise InputError(
            f"{name} holds {values[outside][0]:g}, outside 0–1; give probabilities, not scores"
        )


def _columns_and_probabilities(
    y_true: ArrayLike, proba: ArrayLike, classes: ArrayLike | None
) -> tuple[NDArray[np.intp], Floats]:
    truth, given = as_labels("y_true", y_true), as_array("proba", proba, 2)
    table = as_numbers("proba", given, 2)
    same_length(y_true=truth, proba=table)
    _refuse_outside_unit("proba", table)
    # Rows rounded to single or half precision do not sum to 1 more closely than this.
    precision = given.dtype if given.dtype.kind == "f" else np.dtype(np.float64)
    sums = table.sum(axis=1)
    off = np.abs(sums - 1) > np.sqrt(np.finfo(precision).eps)
    if off.any():
        row = int(off.argmax())
        raise InputError(
            f"proba row {row} sums to {sums[row]:.6g}, not 1; normalise each row (softmax)"
        )
    labels = column_labels(classes, table.shape[1])
    return columns_of("y_true", truth, labels, given=classes is not None), table
