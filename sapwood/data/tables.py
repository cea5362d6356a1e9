"""Tables from CSV text (or Parquet): a column of names and columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.cells import CellReader, are_numbers
from sapwood.data.csv_rows import text_rows
from sapwood.data.names import clean, listed, repeated
from sapwood.data.problems import Report
from sapwood.errors import counted


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
    cells = CellReader(header, whole)
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


def _is_data(cells: list[str]) -> bool:
    """Tell numbers from names; the running numbers 0, 1, 2 … that pandas writes are names."""
    if not are_numbers(cells):
        return False
    numbers = [float(cell) for cell in cells]
    return any(b - a != 1 for a, b in pairwise(numbers)) or (numbers[0] not in (0, 1))


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
        message = f"{counted(len(wide), 'row')} with more cells than columns, first line {wide[0]}"
        raise report.fatal(where, message, 'put names that hold commas into quotes: "…"')
    # Rows whose last cells are missing are unannotated, not wrong.
    return [
        (clean(row[i]), clean(row[c]) if c < len(row) else "") for _, row in rows if i < len(row)
    ]
