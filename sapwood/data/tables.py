"""Tables from CSV text (or Parquet): a column of names and columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.csv_rows import text_rows
from sapwood.data.names import clean, listed, quote, repeated
from sapwood.data.problems import Report

MISSING = {"", "na", "n/a", "nan", "none", "null", "?"}
#: Tables of names that are easily given for one of numbers: columns of theirs, and their use.
_OF_CLASSES = (
    "keep annotations in annotations.csv, beside features and attributes: give their folder"
)
_OF_TAGS = "a table of tags is given as --tags TABLE, to sapwood refine or annotate"
_NAMES = {"class": _OF_CLASSES, "image": _OF_CLASSES, "tag": _OF_TAGS, "tags": _OF_TAGS}


@dataclass(frozen=True)
class NumberTable:
    """A table of numbers with a name for each row and each column.

    Examples
    --------
    >>> NumberTable("class", ["owl"], ["beak"], np.ones((1, 1))).names
    ['owl']
    """

    corner: str
    names: list[str]
    columns: list[str]
    values: NDArray[np.float64]


def read_numbers(
    path: Path, report: Report, where: str = "", *, whole: bool = False
) -> NumberTable:
    """Read names and numbers from a CSV or Parquet file; a missing number becomes NaN.

    Parameters
    ----------
    path : Path
    report : Report
    where : str
    whole : bool
        Whether numbers of a CSV file that are missing or not finite are errors, told by line and
        column (and are 1 in what is returned).
    """
    if path.suffix.lower() == ".parquet":
        from sapwood.data.parquet import read_parquet_numbers

        return read_parquet_numbers(path, report, where)
    rows = text_rows(path, report, where)
    _, first = next(rows)
    header = [clean(cell) for cell in first]
    _check_header(header, report, where)
    names, values, width = [], [], len(header)
    cells = _CellReader(header, whole)
    for line, row in rows:
        if len(row) != width:
            cells.ragged.append((line, len(row)))
            continue
        names.append(clean(row[0]))
        values.append(cells.numbers(line, row))
    cells.complain(names, report, where)
    if not names:
        raise report.fatal(where, "a header but no rows", "add one row for each name")
    check_row_names(names, report, where)
    numbers = np.array(values, dtype=np.float64)
    if whole:
        numbers[~np.isfinite(numbers)] = 1.0
    return NumberTable(header[0], names, header[1:], numbers)


def check_row_names(names: list[str], report: Report, where: str) -> None:
    """Report rows without a name and names given to two rows."""
    if "" in names:
        message = f"row {names.index('') + 1} has no name"
        report.error(where, message, "name every row in the first column")
    twice = repeated(name for name in names if name)
    if twice:
        report.error(where, f"rows given twice: {listed(twice)}", "keep one row for each name")


def _check_header(header: list[str], report: Report, where: str) -> None:
    if len(header) < 2:
        fix = "separate the columns with commas, semicolons or tabs"
        raise report.fatal(where, "only one column, a name and numbers were expected", fix)
    if not header[0] and header[1].casefold() in ("image", "class"):
        message = f"the first column has no name, and the second is {header[1]}"
        fix = "write the table without its index (pandas: to_csv(..., index=False))"
        raise report.fatal(where, message, fix)
    if _is_data(header[1:]):
        fix = "add a header row such as image,f1,f2 or class,attribute1,attribute2"
        raise report.fatal(where, "the first row holds numbers, not column names", fix)
    twice = repeated(header[1:])
    if twice:
        report.error(where, f"columns given twice: {listed(twice)}", "give each its own name")


def _are_numbers(cells: list[str]) -> bool:
    try:
        return [float(cell) for cell in cells] != []
    except ValueError:
        return False


def _is_data(cells: list[str]) -> bool:
    """Tell numbers from names; the running numbers 0, 1, 2 … that pandas writes are names."""
    if not _are_numbers(cells):
        return False
    numbers = [float(cell) for cell in cells]
    return any(b - a != 1 for a, b in pairwise(numbers)) or (numbers[0] not in (0, 1))


class _CellReader:
    """Turns cells into numbers and remembers what could not be turned."""

    def __init__(self, header: list[str], whole: bool = False) -> None:
        self.header = header
        self.whole = whole
        self.ragged: list[tuple[int, int]] = []
        self.bad: list[tuple[int, str, str]] = []
        self.missing: list[tuple[int, str, str]] = []

    def numbers(self, line: int, row: list[str]) -> NDArray[np.float64]:
        before = len(self.bad)
        try:
            found = np.array(row[1:], dtype=np.float64)
        except ValueError:
            found = np.array([self._number(line, j, cell) for j, cell in enumerate(row[1:], 1)])
        if self.whole and not np.isfinite(found).all():
            told = {column for _, column, _ in self.bad[before:]}
            self.missing += [
                (line, self.header[j], row[j])
                for j in np.flatnonzero(~np.isfinite(found)) + 1
                if self.header[j] not in told
            ]
        return found

    def _number(self, line: int, column: int, cell: str) -> float:
        try:
            return float(cell)
        except ValueError:
            if cell.strip().casefold() not in MISSING:
                self.bad.append((line, self.header[column], cell))
            return float("nan")

    def complain(self, names: list[str], report: Report, where: str) -> None:
        if self.ragged:
            line, found = self.ragged[0]
            message = (
                f"{len(self.ragged)} rows of the wrong length, first line {line} with {found} "
                f"cells instead of {len(self.header)}"
            )
            report.error(where, message, "give every row a cell for every column")
        if self.bad:
            line, column, cell = self.bad[0]
            message = (
                f"{len(self.bad)} cells are not numbers, first {quote(cell)} in column "
                f"{quote(column)}, line {line}"
            )
            if column.casefold() in _NAMES:
                # What else could be said of such a table would only distract.
                raise report.fatal(where, message, self._fix(column, names))
            comma = cell.count(",") == 1 and "." not in cell
            fix = "write numbers" if self.whole else "write numbers or leave it empty"
            report.error(where, message, "write decimal points, not commas" if comma else fix)
        if self.missing:
            line, column, cell = self.missing[0]
            message = (
                f"{len(self.missing)} cells are empty or not finite, first {quote(cell)} in column "
                f"{quote(column)}, line {line}"
            )
            report.error(where, message, "write a number for every image and column")

    def _fix(self, column: str, names: list[str]) -> str:
        """Return what to do about a column of names: it may be that of the rows."""
        named = self.header[0].casefold() in _NAMES
        if column.casefold() in ("image", "class") and not named and _are_numbers(names):
            return f"put the column {quote(column)} first"
        return _NAMES[column.casefold()]


def table_rows(path: Path, report: Report, where: str = "") -> Iterator[tuple[int, list[Any]]]:
    """Yield (row number, cells) of a CSV or Parquet file, the column names first."""
    if path.suffix.lower() == ".parquet":
        from sapwood.data.parquet import parquet_rows

        return parquet_rows(path, report, where)
    return text_rows(path, report, where)


def read_pairs(path: Path, report: Report, where: str = "") -> list[tuple[str, str]]:
    """Read (image, class) pairs from a CSV or Parquet file; an empty class is ''."""
    (_, first), *rows = table_rows(path, report, where)
    header = [clean(cell).casefold() for cell in first]
    if "image" not in header or "class" not in header:
        fix = "name the columns image and class in the first row"
        raise report.fatal(
            where, f"columns {listed(header)}, but image and class were expected", fix
        )
    i, c = header.index("image"), header.index("class")
    wide = [line for line, row in rows if any(map(clean, row[len(header) :]))]
    if wide:
        message = f"{len(wide)} rows with more cells than columns, first line {wide[0]}"
        raise report.fatal(where, message, 'put names that hold commas into quotes: "…"')
    # Rows whose last cells are missing are unannotated, not wrong.
    return [
        (clean(row[i]), clean(row[c]) if c < len(row) else "") for _, row in rows if i < len(row)
    ]
