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
#: Range of a column, in that of the widest other one, from which it decides what is near.
DWARFS = 3.0
#: In fewer rows small whole numbers count up by chance.
LEAST = 5


def warn_of_identifier(
    values: NDArray[Any], columns: Sequence[str] | NDArray[Any] | None, where: str, report: Report
) -> None:
    """Warn of a column that looks like an identifier, and is so wide that it decides distances.

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
    >>> warn_of_identifier(np.array([[7, 0.2], [900, 0.1]]), ["id", "f1"], "features", report)
    >>> print(report.problems[0].message)
    the column 'id' looks like an identifier: it is called so, and by far the widest
    """
    widest = _dwarfing(values)
    if widest is None:
        return
    names = [] if columns is None else [str(column) for column in columns]
    name = names[widest] if len(names) == values.shape[1] else None
    counts = _counts_up(values[:, widest])
    if not counts and (name is None or loose(name) not in NAMES):
        return
    called = f"the column {quote(name)}" if name is not None else f"column {widest}"
    why = "it counts up" if counts else "it is called so"
    message = f"{called} looks like an identifier: {why}, and by far the widest"
    report.warning(where, message, "remove it if it only numbers the rows")


def _dwarfing(values: NDArray[Any]) -> int | None:
    """Return the column that is much wider than all others, if one is."""
    if values.shape[1] < 2 or len(values) < 2:
        return None
    # Half precision has no room for the difference of its ends.
    low = np.fmin.reduce(values, axis=0).astype(np.float64)
    high = np.fmax.reduce(values, axis=0).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        wide = np.nan_to_num(high - low)
    second, first = np.argsort(wide, kind="stable")[-2:]
    return int(first) if wide[first] / DWARFS > wide[second] else None


def _counts_up(column: NDArray[Any]) -> bool:
    """Tell whether the numbers follow each other in equal steps, in whatever order they come."""
    steps = np.diff(np.sort(column.astype(np.float64)))
    return len(column) >= LEAST and steps[0] > 0 and bool((steps == steps[0]).all())
