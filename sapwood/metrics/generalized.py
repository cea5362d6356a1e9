"""Accuracy when the classes seen in training and the unseen ones compete for each image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError
from sapwood.metrics._checks import (
    NUMBERS,
    as_labels,
    one_of,
    same_kind,
    same_length,
)
from sapwood.metrics.classification import AVERAGES, accuracy

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GeneralizedAccuracy:
    """Accuracy on images of unseen and of seen classes, and the harmonic mean of the two.

    Examples
    --------
    >>> GeneralizedAccuracy(acc_u=0.5, acc_s=0.5, harmonic_mean=0.5).acc_u
    0.5
    """

    acc_u: float
    acc_s: float
    harmonic_mean: float


@overload
def harmonic_mean(a: float, b: float) -> float: ...
@overload
def harmonic_mean(a: Floats, b: Floats) -> Floats: ...
def harmonic_mean(a: ArrayLike, b: ArrayLike) -> float | Floats:
    """Return ``2ab / (a + b)`` element by element, and 0 where both are 0.

    Parameters
    ----------
    a, b : float or ndarray of one shape
        Not negative.

    Returns
    -------
    float or ndarray
        A float for two numbers, else an array.

    Examples
    --------
    >>> harmonic_mean(0.25, 0.75)
    0.375
    """
    first, second = np.asarray(a), np.asarray(b)
    if first.shape != second.shape:
        raise InputError(f"a has shape {first.shape} and b {second.shape}; give equal shapes")
    for name, values in (("a", first), ("b", second)):
        if values.dtype.kind not in NUMBERS or not (np.isfinite(values) & (values >= 0)).all():
            raise InputError(f"{name} must hold finite numbers of at least 0, such as accuracies")
    first, second = first.astype(np.float64), second.astype(np.float64)
    total = np.asarray(first + second)
    mean = np.divide(2 * first * second, total, out=np.zeros_like(total), where=total > 0)
    return float(mean) if mean.ndim == 0 else mean


def generalized_accuracy(
    y_true: ArrayLike, y_pred: ArrayLike, unseen_classes: ArrayLike, *, average: str = "images"
) -> GeneralizedAccuracy:
    """Return acc_u, acc_s and their harmonic mean.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Class labels; predictions are among seen and unseen classes alike.
    unseen_classes : array-like of shape (u,)
        Labels of the unseen classes; every other label is of a seen class.
    average : {"images", "classes"}
        Over what each of the two accuracies is a mean, as in :func:`accuracy`.

    Returns
    -------
    GeneralizedAccuracy

    Examples
    --------
    >>> generalized_accuracy([0, 0, 1, 1], [0, 0, 0, 1], unseen_classes=[1])
    GeneralizedAccuracy(acc_u=0.5, acc_s=1.0, harmonic_mean=0.6666666666666666)
    """
    one_of("average", average, AVERAGES)
    truth, guess = as_labels("y_true", y_true), as_labels("y_pred", y_pred)
    same_length(y_true=truth, y_pred=guess)
    unseen = unseen_images(truth, as_labels("unseen_classes", unseen_classes))
    acc_u = accuracy(truth[unseen], guess[unseen], average=average)
    acc_s = accuracy(truth[~unseen], guess[~unseen], average=average)
    return GeneralizedAccuracy(acc_u, acc_s, harmonic_mean(acc_u, acc_s))


def unseen_images(truth: NDArray[Any], unseen_labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which images are of an unseen class, refusing images of one kind only."""
    same_kind(y_true=truth, unseen_classes=unseen_labels)
    unseen = np.isin(truth, unseen_labels)
    if unseen.all() or not unseen.any():
        missing = "a seen" if unseen.all() else "an unseen"
        raise InputError(
            f"y_true has no image of {missing} class; the generalized setting needs images of "
            "both kinds: check unseen_classes, or use accuracy"
        )
    return unseen
