"""Rows of a benchmark in a file of JSON lines: only ever added to, by any number of processes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from sapwood.benchmark.locks import locked

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Read what was written so far; a line cut short by a kill or a full disk is left out.

    Parameters
    ----------
    path : Path
        No file is a file without rows.
    """
    rows = []
    # Bytes, because a cut may go through a letter, and because a text has other line ends, too.
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def append_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write `rows` after what is there and see them to the disk; the folder is made if need be.

    Parameters
    ----------
    path : Path
    rows : iterable of dict

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.jsonl")
    ...     append_rows(path, [{"seed": 0}])
    ...     append_rows(path, [{"seed": 1}])
    ...     read_rows(path)
    [{'seed': 0}, {'seed': 1}]
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with path.open("ab+") as file, locked(file):
        # A line cut short would swallow the first of the new rows.
        if _cut_short(file):
            text = "\n" + text
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _cut_short(file: BinaryIO) -> bool:
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
