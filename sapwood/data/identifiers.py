"""Columns of numbers that only number the rows, among columns that say something of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.names import loose, quote
from sapwood.data.problems import Report

#: What such columns are called, in the spelling of :func:`sapwood.data.names.loose`.
NAMES = {"id", "classid", "imageid", "index", "label"}
#: Largest value of a column, in that of all others, from which it decides what is near.
DWARFS = 3.0
#: In fewer rows small whole numbers count up by chance.
LEAST = 5


def warn_of_identifiers(
    values: NDArray[Any], columns: Sequence[str] | NDArray[Any] | None, where: str, report: Report
) -> None:
    """Warn of columns that look like identifiers: distances of rows would go by their numbers.

    Parameters
    ----------
    values : array, shape (rows, columns)
        NaN marks a missing value.
    columns : sequence of str, optional
        Their names; names of another number are none.
    where : str
    report : Report

    Examples
    --------
    >>> report = Report()
    >>> warn_of_identifiers(np.array([[7, 0.2], [900, 0.1]]), ["id", "f1"], "features", report)
    >>> print(report.problems[0].message)
    the column 'id' looks like an identifier: it is called so, and its values are by far the largest
    """
    if values.shape[1] < 2 or len(values) < 2:
        return
    names = [] if columns is None else [str(column) for column in columns]
    named = len(names) == values.shape[1]
    found = dict.fromkeys(_counting(values), "it counts up")
    largest = _dwarfing(values)
    if named and largest is not None and loose(names[largest]) in NAMES:
        found.setdefault(largest, "it is called so, and its values are by far the largest")
    for column, why in found.items():
        called = f"the column {quote(names[column])}" if named else f"column {column}"
        message = f"{called} looks like an identifier: {why}"
        report.warning(where, message, "remove it if it only numbers the rows")


def _counting(values: NDArray[Any]) -> list[int]:
    """Return columns of whole numbers in equal steps, in whatever order they come.

    Where most columns are so, they are ranks, and say something of the rows.
    """
    low, high = _ends(values)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = (high - low) / (len(values) - 1)
    likely = np.flatnonzero((steps > 0) & (steps == np.round(steps)))
    found = [
        int(column)
        for column in likely
        if (np.diff(np.sort(values[:, column].astype(np.float64))) == steps[column]).all()
    ]
    return found if len(values) >= LEAST and 2 * len(found) <= values.shape[1] else []


def _dwarfing(values: NDArray[Any]) -> int | None:
    """Return the column whose numbers are much larger than all others, if one is."""
    sizes = np.nan_to_num(np.abs(_ends(values)).max(axis=0))
    second, first = np.argsort(sizes, kind="stable")[-2:]
    return int(first) if sizes[first] / DWARFS > sizes[second] else None


def _ends(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the least and the largest value of each column, shape (2, columns)."""
    with np.errstate(invalid="ignore"):
        ends = np.stack([np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)])
    # Half precision has no room for the difference of its ends.
    return ends.astype(np.float64)
