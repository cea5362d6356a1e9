"""A split of the user's own: a list of unseen class names, or JSON with rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.csv_rows import DELIMITERS, text_rows
from sapwood.data.files import read_text
from sapwood.data.names import clean, listed, position, quote, repeated, suggest
from sapwood.data.problems import Report
from sapwood.data.splits import PARTS, Split, tidy_split
from sapwood.errors import counted

if TYPE_CHECKING:
    from sapwood.data.containers import ZeroShotData

_HEADERS = {"class", "class_name", "unseen", "unseen_class", "name"}


def read_split_file(path: str | Path, data: ZeroShotData) -> Split:
    """Read a split for `data` from a text, CSV or JSON file.

    Parameters
    ----------
    path : str or Path
        One unseen class name a line (a header ``class`` is allowed), or a JSON object with
        ``unseen`` and, optionally, ``version``, ``trainval``, ``test_seen``, ``test_unseen``
        (0-based rows or image names).
    data : ZeroShotData

    Examples
    --------
    >>> import tempfile
    >>> from sapwood.data import ZeroShotData
    >>> data = ZeroShotData(features=np.eye(2), labels=[0, 1], attributes=np.eye(2),
    ...                     class_names=["owl", "jay"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "unseen.txt"
    ...     _ = file.write_text("jay")
    ...     read_split_file(file, data).unseen.tolist()
    [1]
    """
    path = Path(path)
    report = Report(path)
    if path.suffix.lower() == ".json":
        content = _json_object(path, report)
    else:
        content = {"unseen": _name_list(path, data, report)}
    split = Split(
        name=path.name,
        unseen=_class_rows(content["unseen"], data, report),
        version=str(content.get("version", "unknown")),
        **{
            part: _image_rows(content[part], part, data, report)
            for part in PARTS
            if part in content
        },
    )
    report.stop()
    split = tidy_split(split, data.labels, len(data.class_names), report)
    report.stop()
    return split


def _json_object(path: Path, report: Report) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path, report))
    except (json.JSONDecodeError, RecursionError) as error:
        raise report.fatal("", f"not JSON ({error})", "correct the file") from error
    if not isinstance(content, dict) or not isinstance(content.get("unseen"), list):
        raise report.fatal("", "no list 'unseen'", 'write {"unseen": ["class name", …]}')
    for part in PARTS:
        if not isinstance(content.get(part, []), list):
            raise report.fatal(part, "not a list", "write a list of rows or image names")
    return content


def _name_list(path: Path, data: ZeroShotData, report: Report) -> list[str]:
    known = set(data.class_names.tolist())
    rows = [(line, _cells(row, known)) for line, row in text_rows(path, report)]
    first = rows[0][1]
    header = [cell.casefold() for cell in first]
    column, width = 0, 1
    if not known.intersection(first) and _HEADERS.intersection(header):
        column = next(i for i, cell in enumerate(header) if cell in _HEADERS)
        rows, width = rows[1:], len(header)
    wide = [(line, len(row)) for line, row in rows if any(row[width:])]
    if wide:
        message = f"line {wide[0][0]} has {wide[0][1]} cells and is no class name"
        fix = "keep one class name a line, or add a header row with a column 'class'"
        raise report.fatal("", message, fix)
    return [row[column] for _, row in rows if column < len(row) and row[column]]


def _cells(row: list[str], known: set[str]) -> list[str]:
    """Return the cells of a line, cleaned; a name may hold what divides cells elsewhere."""
    together = (clean(mark.join(row)) for mark in DELIMITERS)
    name = next((name for name in together if name in known), None)
    return [clean(cell) for cell in row] if name is None else [name]


def _class_rows(names: list[Any], data: ZeroShotData, report: Report) -> NDArray[np.int64]:
    where = position(data.class_names)
    wanted = [clean(name) for name in names]
    unknown = [name for name in wanted if name not in where]
    if unknown:
        hint = suggest(unknown[0], where)
        first = f"unknown class {quote(unknown[0])}"
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        report.error("", f"{first}{more}{hint}", "use the names of the attribute table")
    twice = repeated(wanted)
    if twice:
        report.error("", f"classes named twice: {listed(twice)}", "name each one once")
    return np.array([where[name] for name in dict.fromkeys(wanted) if name in where], np.int64)


def _image_rows(
    given: list[Any], part: str, data: ZeroShotData, report: Report
) -> NDArray[np.int64]:
    if all(type(item) is int for item in given):
        if any(abs(item) > 2**62 for item in given):
            raise report.fatal(part, "a row number past all images", "give 0-based rows")
        return np.array(given, dtype=np.int64)
    where = position(data.image_names)
    unknown = [item for item in given if clean(item) not in where]
    if unknown:
        hint = suggest(unknown[0], where)
        message = f"{counted(len(unknown), 'unknown image')}, first {quote(unknown[0])}{hint}"
        report.error(part, message, "use 0-based rows or the image names of the data set")
    return np.array([where[clean(item)] for item in given if clean(item) in where], np.int64)
