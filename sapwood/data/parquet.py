"""Tables from Parquet files, with the extra ``parquet``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.data.files import require_file
from sapwood.data.names import clean, quote
from sapwood.data.problems import Report
from sapwood.data.tables import NumberTable, check_row_names
from sapwood.extras import how_to_install

#: What pandas calls a level of an index that has no name.
_NAMELESS = re.compile(r"__index_level_\d+__")


def _read(path: Path, report: Report, where: str) -> Any:
    require_file(path, report, where)
    try:
        from pyarrow import parquet
    except ImportError:
        fix = f"{how_to_install('parquet')}, or save the table as CSV"
        raise report.fatal(where, "reading Parquet needs pyarrow", fix) from None
    try:
        return _index_first(parquet.read_table(path, partitioning=None))
    except Exception as error:  # a foreign parser on foreign bytes fails in any way it likes
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise report.fatal(
            where, f"not a readable Parquet file ({reason})", "write it again"
        ) from error


def _index_first(table: Any) -> Any:
    """Return the table with the index pandas stored in front, where `to_csv` has it."""
    levels = (table.schema.pandas_metadata or {}).get("index_columns", [])
    for level in reversed(levels):
        if isinstance(level, dict):  # consecutive numbers are no column of the file
            if level["name"] is not None:
                numbers = list(range(level["start"], level["stop"], level["step"]))
                table = table.add_column(0, level["name"], [numbers])
        elif level in table.column_names:
            column, table = table[level], table.drop([level])
            nameless = _NAMELESS.fullmatch(level) is not None
            if not (nameless and _are_row_numbers(column, table)):
                table = table.add_column(0, "" if nameless else level, column)
    return table


def _are_row_numbers(index: Any, table: Any) -> bool:
    """Tell what a frame that was cut or shuffled keeps beside its names from the names."""
    first = clean(table.column_names[0]).casefold() if table.column_names else ""
    named = first in ("image", "class")
    return _holds_numbers(index) and (named or not all(map(_holds_numbers, table.columns)))


def _holds_numbers(column: Any) -> bool:
    return column.to_numpy().dtype.kind in "fiub"


def read_parquet_numbers(path: Path, report: Report, where: str) -> NumberTable:
    """Read names (the index pandas stored, else the first column) and numbers."""
    table = _read(path, report, where)
    columns = list(table.column_names)
    if len(columns) < 2 or table.num_rows == 0:
        message = f"{len(columns)} columns and {table.num_rows} rows"
        raise report.fatal(where, message, "store a column of names and columns of numbers")
    corner, *kept = columns
    names = ["" if v is None else clean(v) for v in table[corner].to_pylist()]
    check_row_names(names, report, where)
    arrays = [table[name].to_numpy() for name in kept]
    for name, array in zip(kept, arrays, strict=True):
        if array.dtype.kind not in "fiub":
            message = f"column {quote(name)} holds {table.schema.field(name).type}, not numbers"
            raise report.fatal(
                where, message, "keep names in the first column and numbers in the others"
            )
    values = np.column_stack([array.astype(np.float64) for array in arrays])
    return NumberTable(corner, names, [clean(name) for name in kept], values)


def parquet_rows(path: Path, report: Report, where: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield (row number, cells), the column names first; an empty cell is ''."""
    table = _read(path, report, where)
    yield 1, list(table.column_names)
    lists = [column.to_pylist() for column in table.columns]
    for number, row in enumerate(zip(*lists, strict=True), 2):
        yield number, ["" if cell is None else cell for cell in row]
