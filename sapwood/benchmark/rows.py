"""Rows of a benchmark in a file of JSON lines, which a stopped run leaves fit to be resumed."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from sapwood.atomic import write_atomically

Row = dict[str, Any]
Task = TypeVar("Task")


def read_rows(path: Path) -> list[Row]:
    """Read what was written so far; a line cut short by a kill is left out.

    Parameters
    ----------
    path : Path
        No file is a file without rows.
    """
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def append_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write `rows` after what is there, in one step; the folder is made if it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = _lines(rows)
    with path.open("ab+") as file:
        # A line cut short by a kill would swallow the first of the new rows.
        if _cut_short(file):
            text = "\n" + text
        file.write(text.encode())


def keep_finished(
    path: Path, task_of: Callable[[Row], Task], expected: Callable[[Task], int]
) -> set[Task]:
    """Return the tasks whose rows are all there, and drop those of any other from the file.

    Parameters
    ----------
    path : Path
    task_of : callable
        The task that a row comes from.
    expected : callable
        How many rows a task has when it is finished.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.jsonl")
    ...     append_rows(path, [{"seed": 0}, {"seed": 0}, {"seed": 1}])
    ...     keep_finished(path, lambda row: row["seed"], lambda seed: 2), read_rows(path)
    ({0}, [{'seed': 0}, {'seed': 0}])
    """
    rows = read_rows(path)
    tasks = [task_of(row) for row in rows]
    finished = {task for task, count in Counter(tasks).items() if count == expected(task)}
    kept = [row for task, row in zip(tasks, rows, strict=True) if task in finished]
    if len(kept) < len(rows):
        write_atomically(path, _lines(kept).encode())
    return finished


def _lines(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _cut_short(file: BinaryIO) -> bool:
    if not file.tell():
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
