"""Turn each argument into an array of a known kind, or say what is wrong with it."""

from __future__ import annotations

import operator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError, closest

NUMBERS = "biuf"


def one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a `value` that is not one of the `allowed` words."""
    if not isinstance(value, str) or value not in allowed:
        choices = " or ".join(repr(word) for word in allowed)
        raise InputError(f"{name} is {value!r}; give {choices}{closest(value, allowed)}")


def as_count(name: str, value: object, highest: int | None = None) -> int:
    """Return `value` as an integer of at least 1, and at most `highest`."""
    limit = "" if highest is None else f" up to {highest}, the number of columns"
    try:
        # A bool is an integer to Python, but True is never meant as a count.
        count = 0 if isinstance(value, (bool, np.bool_)) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        count = 0
    if count < 1 or (highest is not None and count > highest):
        raise InputError(f"{name} is {value!r}; give a whole number from 1{limit}")
    return count


def as_number(name: str, value: object) -> float:
    """Return `value` as a float that is not NaN."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, str) or np.isnan(number):
        raise InputError(f"{name} is {value!r}; give one number")
    return number


def as_array(name: str, values: ArrayLike, ndim: int) -> NDArray[Any]:
    """Return `values` as a non-empty array of `ndim` dimensions."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name} has rows of unequal length; give a rectangular array") from error
    if array.ndim != ndim:
        raise InputError(
            f"{name} has shape {array.shape}; give an array of {ndim} dimension{'s' * (ndim > 1)}"
        )
    if array.size == 0:
        raise InputError(f"{name} is empty (shape {array.shape}); give at least one value")
    return array


def as_numbers(name: str, values: ArrayLike, ndim: int, *, finite: bool = False) -> NDArray[Any]:
    """Return `values` as a float64 array without NaN (and without infinities if `finite`)."""
    array = as_array(name, values, ndim)
    if array.dtype.kind not in NUMBERS:
        raise InputError(f"{name} holds {array.dtype} values; give a dense array of numbers")
    array = array.astype(np.float64, copy=False)
    wrong = ~np.isfinite(array) if finite else np.isnan(array)
    if wrong.any():
        kind = "NaN or infinite" if finite else "NaN"
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f"row {place[0]}" + (f", column {place[1]}" if ndim == 2 else "")
        raise InputError(
            f"{name} has {int(wrong.sum())} {kind} value(s), the first in {where}; "
            "remove or replace them before scoring"
        )
    return array


def as_flags(name: str, values: ArrayLike, ndim: int) -> NDArray[np.bool_]:
    """Return an array of 0 and 1 as booleans."""
    array = as_array(name, values, ndim)
    if array.dtype == np.bool_:
        return array
    numbers = as_numbers(name, array, ndim)
    wrong = (numbers != 0) & (numbers != 1)
    if wrong.any():
        raise InputError(
            f"{name} holds {numbers[wrong][0]:g}; give only 0 and 1, or False and True"
        )
    return numbers == 1


def as_labels(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return class labels as a 1-D array, all numbers or all text, none missing."""
    array = as_array(name, values, 1)
    if array.dtype.kind == "O":
        texts = [isinstance(value, str) for value in array]
        numbers = [isinstance(v, Integral) and not isinstance(v, bool) for v in array]
        if not all(texts) and not all(numbers):
            types = sorted({type(value).__name__ for value in array})
            raise InputError(
                f"{name} holds values of type {', '.join(types)}; "
                "give labels that are all text or all integers, none missing"
            )
        array = np.array(array.tolist())
    if array.dtype.kind in NUMBERS:
        as_numbers(name, array, 1)
    elif array.dtype.kind != "U":
        raise InputError(f"{name} holds {array.dtype} values; give labels as integers or as str")
    return array


def same_length(**arrays: NDArray[Any]) -> None:
    """Refuse two arrays, given by name, with different numbers of rows."""
    (first, a), (second, b) = arrays.items()
    if len(a) != len(b):
        raise InputError(
            f"{first} has {len(a)} rows and {second} has {len(b)}; give one row for each image"
        )


def same_shape(**arrays: NDArray[Any]) -> None:
    """Refuse two matrices, given by name, with different shapes."""
    (first, a), (second, b) = arrays.items()
    if a.shape != b.shape:
        raise InputError(
            f"{first} has shape {a.shape} and {second} has shape {b.shape}; "
            "give one row for each image and one column for each concept in both"
        )


def same_kind(**labels: NDArray[Any]) -> None:
    """Refuse text labels beside numbers: nothing would ever match."""
    (first, a), (second, b) = labels.items()
    if (a.dtype.kind in NUMBERS) != (b.dtype.kind in NUMBERS):
        raise InputError(
            f"{first} holds {a.dtype} labels and {second} holds {b.dtype}; "
            "give both as integers or both as text"
        )


def column_labels(classes: ArrayLike | None, n_columns: int) -> NDArray[Any]:
    """Return the label of each column: `classes`, or the column numbers when it is None."""
    if classes is None:
        return np.arange(n_columns)
    labels = as_labels("classes", classes)
    if len(labels) != n_columns:
        raise InputError(
            f"classes has {len(labels)} labels for {n_columns} columns of scores; "
            "give one label for each column"
        )
    names, counts = np.unique(labels, return_counts=True)
    if len(names) < len(labels):
        twice = names[counts > 1][0].item()
        raise InputError(f"classes names {twice!r} more than once; give each column its own label")
    return labels


def columns_of(
    name: str, labels: NDArray[Any], columns: NDArray[Any], *, given: bool
) -> NDArray[np.intp]:
    """Return the column of each of the `labels`; `given` says if the user named the columns."""
    text = labels.dtype.kind == "U"
    if text and not given:
        raise InputError(f"{name} holds text; give classes, the label of each column of scores")
    same_kind(**{name: labels, "classes": columns})
    order = np.argsort(columns)
    place = np.searchsorted(columns, labels, sorter=order)
    found = order[np.minimum(place, len(columns) - 1)]
    absent = columns[found] != labels
    if absent.any():
        label = labels[absent][0].item()
        fix = (
            f"add it to classes{closest(label, columns) if text else ''}"
            if given
            else f"without classes, labels are column numbers from 0 to {len(columns) - 1}"
        )
        raise InputError(f"{name} has {label!r}, which no column of scores stands for; {fix}")
    return found
