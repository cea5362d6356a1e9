"""Tables from Parquet files, with the extra ``parquet``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.data.files import require_file
from sapwood.data.names import clean, quote
from sapwood.data.problems import Report
from sapwood.data.tables import NumberTable, check_row_names
from sapwood.extras import how_to_install

_PANDAS_INDEX = "__index_level_0__"


def _read(path: Path, report: Report, where: str) -> Any:
    require_file(path, report, where)
    try:
        from pyarrow import parquet
    except ImportError:
        fix = f"{how_to_install('parquet')}, or save the table as CSV"
        raise report.fatal(where, "reading Parquet needs pyarrow", fix) from None
    try:
        return parquet.read_table(path, partitioning=None)
    except Exception as error:  # a foreign parser on foreign bytes fails in any way it likes
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise report.fatal(
            where, f"not a readable Parquet file ({reason})", "write it again"
        ) from error


def read_parquet_numbers(path: Path, report: Report, where: str) -> NumberTable:
    """Read names (the first column, or the index pandas stored) and numbers."""
    table = _read(path, report, where)
    columns = list(table.column_names)
    if len(columns) < 2 or table.num_rows == 0:
        message = f"{len(columns)} columns and {table.num_rows} rows"
        raise report.fatal(where, message, "store a column of names and columns of numbers")
    corner = _PANDAS_INDEX if _PANDAS_INDEX in columns else columns[0]
    names = ["" if v is None else clean(v) for v in table[corner].to_pylist()]
    check_row_names(names, report, where)
    kept = [name for name in columns if name != corner]
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
