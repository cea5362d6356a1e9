"""Single arrays: made numeric, read-only and checked, with every complaint in the report."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.problems import Report
from sapwood.errors import counted


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written; the array given stays as it is.

    Examples
    --------
    >>> mine = np.zeros(2)
    >>> read_only(mine).flags.writeable, mine.flags.writeable
    (False, True)
    """
    view = array.view()
    view.flags.writeable = False
    return view


def numeric(value: Any, ndim: int, where: str, report: Report) -> NDArray[Any] | None:
    """Return `value` as a numeric array with `ndim` axes, or None after reporting why not.

    Examples
    --------
    >>> numeric([[1, 2]], 2, "features", Report()).shape
    (1, 2)
    """
    axes = {1: "one axis", 2: "two axes (rows, columns)"}[ndim]
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        report.error(where, "rows of different lengths", f"give an array with {axes}")
        return None
    if array.dtype.kind not in "fiub":
        found = f"{array.dtype} values where numbers belong"
        report.error(where, found, "give an array of numbers")
        return None
    if array.ndim != ndim:
        report.error(where, f"an array of shape {array.shape}", f"give an array with {axes}")
        return None
    return array


def _floating(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind == "f":
        wide = array.dtype.itemsize > 8
        return array.astype(np.float64) if wide else array.astype(array.dtype.newbyteorder("="))
    return array.astype(np.float32 if array.dtype.itemsize <= 2 else np.float64)


def _as_float(array: NDArray[Any]) -> NDArray[Any]:
    kept = array.dtype.kind == "f" and array.dtype.itemsize <= 8 and array.dtype.isnative
    return array if kept else _floating(array)


def _complain_nonfinite(bad: NDArray[np.bool_], where: str, report: Report, what: str) -> None:
    rows, columns = np.nonzero(bad)
    first = ", ".join(f"({r}, {c})" for r, c in zip(rows[:3], columns[:3], strict=True))
    where_from = counted(len(np.unique(rows)), "row")
    message = f"{counted(len(rows), what)} in {where_from}, first at (row, column) {first}"
    report.error(where, message, "drop those rows or fill the values in")


def filled_matrix(value: Any, where: str, report: Report) -> NDArray[Any] | None:
    """Return a matrix of numbers with at least one entry, or report why it is none.

    Examples
    --------
    >>> filled_matrix([[1, 2]], "tags", Report()).shape
    (1, 2)
    """
    array = numeric(value, 2, where, report)
    if array is not None and 0 in array.shape:
        report.error(where, f"an empty array of shape {array.shape}", "give at least one value")
        return None
    return array


def feature_matrix(value: Any, where: str, report: Report) -> NDArray[Any] | None:
    """Return features (n × d) as floating point of the width given, every value finite.

    Examples
    --------
    >>> feature_matrix(np.ones((2, 3), np.float16), "features", Report()).dtype
    dtype('float16')
    """
    array = filled_matrix(value, where, report)
    if array is None:
        return None
    array = _as_float(array)
    bad = ~np.isfinite(array)
    if bad.any():
        _complain_nonfinite(bad, where, report, "NaN or infinite value")
    return array


def attribute_matrix(value: Any, where: str, report: Report) -> NDArray[Any] | None:
    """Return class attributes (classes × k); NaN marks a missing value, infinity is refused.

    Examples
    --------
    >>> attribute_matrix([[0.5, float("nan")]], "attributes", Report()).shape
    (1, 2)
    """
    array = filled_matrix(value, where, report)
    if array is None:
        return None
    array = _as_float(array)
    infinite = np.isinf(array)
    if infinite.any():
        _complain_nonfinite(infinite, where, report, "infinite value")
    return array


def integers(value: Any, where: str, report: Report) -> NDArray[np.int64] | None:
    """Return whole numbers (n,) as int64; floats are taken if they are whole.

    Examples
    --------
    >>> integers([0.0, -1.0], "labels", Report()).tolist()
    [0, -1]
    """
    array = numeric(value, 1, where, report)
    if array is None:
        return None
    # Numbers past 2^53 are not exact in floating point, and NaN equals nothing.
    odd = (array != np.round(array)) | (np.abs(array) > 2**53) if array.dtype.kind == "f" else None
    if odd is not None and odd.any():
        first = int(np.flatnonzero(odd)[0])
        message = f"entry {first} is {array[first]}, not a whole number"
        report.error(where, message, "give whole numbers (labels: -1 where unannotated)")
        return None
    return array.astype(np.int64)


def positions(
    value: Any, limit: int, where: str, report: Report, *, what: str = "rows"
) -> NDArray[np.int64] | None:
    """Return positions as int64; those of a mask are where it is true.

    Examples
    --------
    >>> positions([False, True], 2, "train", Report()).tolist()
    [1]
    """
    array = integers(value, where, report)
    if array is None or np.asarray(value).dtype != bool:
        return array
    if len(array) != limit:
        message = f"a mask of shape {array.shape} for {limit} {what}"
        report.error(where, message, f"give one entry for each, or positions of {what}")
        return None
    return np.flatnonzero(array)


def rows_below(
    value: Any, limit: int, where: str, report: Report, *, what: str = "rows"
) -> NDArray[np.int64] | None:
    """Return 0-based positions, each below `limit` and given once; a mask has `limit` entries.

    Examples
    --------
    >>> report = Report()
    >>> rows_below([0, 9], 5, "test", report) is None
    True
    >>> print(report.problems[0])
    test: 1 of 2 positions outside 0…4, first 9; give 0-based rows of this data set
    """
    array = positions(value, limit, where, report, what=what)
    if array is None:
        return None
    outside = array[(array < 0) | (array >= limit)]
    if len(outside):
        found = f"{len(outside)} of {len(array)} positions outside 0…{limit - 1}"
        report.error(where, f"{found}, first {outside[0]}", f"give 0-based {what} of this data set")
        return None
    again = len(array) - len(np.unique(array))
    if again:
        message = f"{counted(again, 'position')} given more than once"
        report.error(where, message, "give each one once")
    return array


def missing_as_nan(attributes: NDArray[Any]) -> NDArray[Any]:
    """Return attributes with the mark −1 replaced by NaN where −1 can only be a mark.

    That is where −1 is the only negative value and the scale reaches past 1, as in the 0–100
    table of Animals with Attributes. A table of −1 and +1 is left alone.

    Examples
    --------
    >>> missing_as_nan(np.array([[-1.0, 80.0]])).tolist()
    [[nan, 80.0]]
    >>> missing_as_nan(np.array([[-1.0, 1.0]])).tolist()
    [[-1.0, 1.0]]
    """
    if attributes.dtype.kind not in "fi" or not attributes.size:
        return attributes
    marks = attributes == -1
    if not marks.any() or np.any(attributes[~marks] < 0) or not np.any(attributes > 1):
        return attributes
    return np.where(marks, np.nan, _as_float(attributes)).astype(_as_float(attributes).dtype)
