"""Classes described in words: a table, and the vectors an encoder makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sapwood.data import AttributeTable
from sapwood.data.names import clean, listed
from sapwood.data.problems import Report
from sapwood.data.tables import table_rows
from sapwood.errors import InputError
from sapwood.features import unit_rows
from sapwood.text.encoder import TextEncoder, encode


def read_descriptions(path: str | Path) -> dict[str, list[str]]:
    r"""Read a table with the columns class and description; several lines a class are fine.

    Parameters
    ----------
    path : str or Path
        CSV (commas, semicolons or tabs) or Parquet. Other columns are ignored.

    Returns
    -------
    dict of str to list of str
        The texts of each class, in the order in which classes come first.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "c.csv").write_text("class,description\nowl,a brown bird\n")
    ...     read_descriptions(folder + "/c.csv")
    {'owl': ['a brown bird']}
    """
    report = Report(path)
    rows = table_rows(Path(path), report)
    _, first = next(rows)
    header = [clean(cell).casefold() for cell in first]
    if not is_description_header(first):
        fix = "name the columns class and description in the first row"
        message = f"columns {listed(header)}, but class and description were expected"
        raise report.fatal("", message, fix)
    c, t = header.index("class"), header.index("description")
    texts: dict[str, list[str]] = {}
    for line, row in rows:
        cells = [clean(row[at]) if at < len(row) and row[at] is not None else "" for at in (c, t)]
        if not all(cells):
            report.error("", f"line {line} lacks a class or its description", "complete the line")
        if len(row) > len(header):
            fix = 'put descriptions that hold commas into quotes: "…"'
            report.error("", f"line {line} has more cells than the first line", fix)
        texts.setdefault(cells[0], []).append(cells[1])
    report.stop()
    if not texts:
        raise report.fatal("", "a header but no rows", "add a line for each class")
    return texts


def is_description_header(cells: Sequence[object]) -> bool:
    """Tell a table of descriptions from one of attributes by its first line."""
    return {"class", "description"} <= {clean(cell).casefold() for cell in cells}


def class_vectors(
    encoder: TextEncoder, descriptions: Mapping[str, str | Sequence[str]]
) -> AttributeTable:
    """Return the vectors of classes: the mean over each one's texts, all of unit length.

    Parameters
    ----------
    encoder : TextEncoder
    descriptions : mapping of str to str or sequence of str
        The text or the texts of each class.

    Returns
    -------
    AttributeTable
        With a column for each of the encoder's t numbers.
    """
    of_class = {name: [t] if isinstance(t, str) else list(t) for name, t in descriptions.items()}
    bare = [name for name, several in of_class.items() if not several]
    if bare:
        raise InputError(f"no text for class {listed(bare)}; describe every class in words")
    texts = [text for several in of_class.values() for text in several]
    counts = [len(several) for several in of_class.values()]
    vectors = unit_rows(encode(encoder, texts))
    sums = np.add.reduceat(vectors, np.cumsum([0, *counts[:-1]]), axis=0)
    return AttributeTable(
        attributes=sums / np.array(counts)[:, None],
        class_names=np.array(list(descriptions)),
        attribute_names=text_columns(vectors.shape[1]),
    )


def text_columns(t: int) -> NDArray[np.str_]:
    """Return what the columns of text vectors are called."""
    return np.array([f"text {j + 1}" for j in range(t)])
