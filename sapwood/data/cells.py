"""Cells of a table as numbers, and what to say of those that are none."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from sapwood.data.names import listed, quote
from sapwood.data.problems import Report
from sapwood.errors import counted

MISSING = {"", "na", "n/a", "nan", "none", "null", "?"}
#: Tables of names that are easily given for one of numbers: columns of theirs, and their use.
_OF_CLASSES = (
    "keep annotations in annotations.csv, beside features and attributes: give their folder"
)
_OF_TAGS = "a table of tags is given as --tags TABLE, to sapwood refine or annotate"
_NAMES = {"class": _OF_CLASSES, "image": _OF_CLASSES, "tag": _OF_TAGS, "tags": _OF_TAGS}

#: Share of its cells, and how many, from which a column is one of text and not of slips.
TEXT, LEAST = 0.9, 2


def are_numbers(cells: list[str]) -> bool:
    """Tell whether there are cells, and each is a number."""
    try:
        return [float(cell) for cell in cells] != []
    except ValueError:
        return False


class CellReader:
    """Turns cells into numbers and remembers what could not be turned.

    Parameters
    ----------
    header : list of str
        Names of the columns, that of the names first.
    whole : bool
        Whether a number that is missing is an error.
    """

    def __init__(self, header: list[str], whole: bool = False) -> None:
        self.header = header
        self.whole = whole
        self.ragged: list[tuple[int, int]] = []
        self.bad: list[tuple[int, str, str]] = []
        self.missing: list[tuple[int, str, str]] = []

    def numbers(self, line: int, row: list[str]) -> NDArray[np.float64]:
        """Return the numbers of a row without its name, NaN for what is none."""
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
        """Report what could not be turned into numbers, in rows that are called `names`."""
        if self.ragged:
            line, found = self.ragged[0]
            message = (
                f"{counted(len(self.ragged), 'row')} of the wrong length, first line {line} with "
                f"{counted(found, 'cell')} instead of {len(self.header)}"
            )
            report.error(where, message, "give every row a cell for every column")
        if self.bad:
            message = _told(self.bad, "is not a number", "are not numbers")
            column = self.bad[0][1]
            if column.casefold() in _NAMES:
                # What else could be said of such a table would only distract.
                raise report.fatal(where, message, self._use_of(column, names))
            report.error(where, message, self._fix(len(names)))
        text = self._text_columns(len(names))
        missing = [cell for cell in self.missing if cell[1] not in text]
        if missing:
            message = _told(missing, "is empty or not finite", "are empty or not finite")
            report.error(where, message, "write a number for every image and column")

    def _fix(self, rows: int) -> str:
        cell, text = self.bad[0][2], self._text_columns(rows)
        if cell.count(",") == 1 and "." not in cell:
            return "write decimal points, not commas"
        if text:
            columns = f"column{'s' * (len(text) > 1)} {listed(text)}"
            others = any(column not in text for _, column, _ in self.bad)
            return f"remove the {columns}{', and write numbers elsewhere' * others}"
        return "write numbers" if self.whole else "write numbers or leave it empty"

    def _text_columns(self, rows: int) -> list[str]:
        """Return the columns that hold hardly any number, where others hold some."""
        counts = Counter(column for _, column, _ in self.bad)
        text = [column for column, count in counts.items() if count >= max(TEXT * rows, LEAST)]
        return text if len(text) < len(self.header) - 1 else []

    def _use_of(self, column: str, names: list[str]) -> str:
        """Return what to do about a column of names: it may be that of the rows."""
        named = self.header[0].casefold() in _NAMES
        if column.casefold() in ("image", "class") and not named and are_numbers(names):
            return f"put the column {quote(column)} first"
        return _NAMES[column.casefold()]


def _told(cells: list[tuple[int, str, str]], one: str, several: str) -> str:
    line, column, cell = cells[0]
    found = counted(len(cells), f"cell {one}", f"cells {several}")
    return f"{found}, first {quote(cell)} in column {quote(column)}, line {line}"
