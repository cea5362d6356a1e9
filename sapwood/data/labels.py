"""Labels in whatever form they come, and which of them are missing."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from sapwood.errors import InputError


def as_labels(y: Any) -> np.ndarray:
    """Return y as an array in which missing labels are still missing and numbers are numbers.

    A table of one column is a list of labels.

    Examples
    --------
    >>> as_labels([1, None, 2]), as_labels(["owl", float("nan")])
    (array([ 1, -1,  2]), array(['owl', None], dtype=object))
    """
    array = np.asarray(y)
    if array.dtype.kind in "US" and not hasattr(y, "dtype"):
        # NumPy writes the NaN or None of a mixed list out as text.
        array = np.array(list(y), dtype=object) if array.ndim == 1 else array
    if array.ndim == 2 and array.shape[1] == 1:
        from sklearn.utils.validation import column_or_1d

        array = column_or_1d(array, warn=True)
    if array.dtype.kind != "O" or array.ndim != 1:
        return array
    missing = np.array([_is_missing(v) for v in array], dtype=bool)
    for kind, gap in ((Integral, -1), (Real, np.nan)):
        if all(isinstance(v, kind) and not isinstance(v, bool) for v in array[~missing]):
            return np.where(missing, gap, array).astype(type(gap))
    array = array.copy()
    array[missing] = None
    return array


def _is_missing(value: Any) -> bool:
    # pandas.NA refuses to be compared, so it is told by its name.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return bool(value != value) or (isinstance(value, Real | str) and value in (-1, "", "-1"))


def unannotated(y: np.ndarray) -> np.ndarray:
    """Mark -1, NaN, None and empty text: the ways in which a label is missing."""
    if y.dtype.kind == "c":
        raise InputError("y holds complex numbers; Complex data not supported as labels")
    if y.dtype.kind in "iu":
        return y == -1
    if y.dtype.kind == "f":
        if np.isinf(y).any():
            raise InputError(
                "Input y contains infinity or a value too large for "
                f"{y.dtype!r}; labels are whole numbers or names"
            )
        return np.isnan(y) | (y == -1)
    if y.dtype.kind in "US":
        # NumPy turns the -1 of a mixed list into text.
        return (y == y.dtype.type("")) | (y == y.dtype.type("-1"))
    if y.dtype.kind == "O":
        return np.array([v is None for v in y], dtype=bool)
    return np.zeros(len(y), dtype=bool)
