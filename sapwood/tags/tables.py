"""Tags from a table: one tag a row, or all tags of an image in one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sapwood.data.names import clean, listed
from sapwood.data.problems import Report
from sapwood.data.tables import table_rows
from sapwood.tags.decisions import DROPPED

#: What divides the tags in one cell; spaces do not, since a tag may have some.
SEPARATORS = re.compile(r"[;,|\t]")
#: A tag in a cell that holds a list as programs write it.
QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")


def read_tag_table(path: str | Path, what: str = "tag") -> dict[str, list[str]]:
    r"""Read the tags of each image, or its concepts, from a CSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        Columns ``image`` and ``tag``, a row for each tag, or ``image`` and ``tags``, a row for
        each image with its tags divided by semicolons, commas or bars, or as a list. A column
        without a name for images will do if it is the first. Rows whose ``decision`` is
        ``dropped``, in the table that ``sapwood refine`` writes, have no tag.
    what : {"tag", "concept"}
        What stands for tag in the names of columns.

    Returns
    -------
    dict
        The words of each image, in the order of the table.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "t.csv").write_text("image,tag\na.jpg,sea\na.jpg,sky\nb.jpg,\n")
    ...     read_tag_table(folder + "/t.csv")
    {'a.jpg': ['sea', 'sky'], 'b.jpg': []}
    """
    path, report = Path(path), Report(path)
    rows = table_rows(path, report)
    _, first = next(rows)
    header = [clean(str(cell)).casefold() for cell in first]
    named = [name for name in (what, f"{what}s") if name in header]
    if not named or ("image" not in header and header[0] not in ("", "file", "image_file")):
        ways = f"image and {what} (a row a {what}) or image and {what}s (a row an image)"
        fix = f"name the columns {ways}"
        raise report.fatal("", f"columns {listed(header)}", fix)
    image = header.index("image") if "image" in header else 0
    column = header.index(named[0])
    decision = header.index("decision") if "decision" in header else None
    found: dict[str, list[str]] = {}
    nameless = []
    for line, row in rows:
        name = clean(_cell(row, image))
        if not name:
            nameless.append(line)
            continue
        cells = row[column : column + 1]
        beyond = [cell for cell in row[len(header) :] if str(cell).strip()]
        if beyond and named[0] != what and column == len(header) - 1:
            cells = row[column:]
        elif beyond:
            message = f"line {line} has more cells than the header, first {str(beyond[0])!r}"
            raise report.fatal("", message, "put what holds a comma into quotes")
        if decision is not None and _cell(row, decision) == DROPPED:
            cells = []
        parts = [part for cell in cells for part in _parts(cell, named[0] == what)]
        found.setdefault(name, []).extend(part.strip() for part in parts if part.strip())
    if nameless:
        message = f"{len(nameless)} rows without an image, first line {nameless[0]}"
        raise report.fatal("", message, "name the image in every row")
    if not found:
        raise report.fatal("", "a header but no rows", f"add a row for each {what}")
    return found


def _parts(cell: Any, whole: bool) -> list[str]:
    """Return the tags in a cell; where it is `whole`, text is one tag."""
    if cell is None:
        return []
    if not isinstance(cell, str) and isinstance(cell, Iterable):
        return [str(tag) for tag in cell if tag is not None]
    text = str(cell).strip()
    if whole:
        return [text]
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
        quoted = [one or other for one, other in QUOTED.findall(text)]
        return quoted or SEPARATORS.split(text)
    return SEPARATORS.split(text)


def _cell(row: list[Any], column: int) -> str:
    """Return a cell as text; rows may be short, and tables of other kinds have gaps."""
    return str(row[column]) if column < len(row) and row[column] is not None else ""
