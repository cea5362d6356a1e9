"""Rows of cells from CSV text, however a program wrote it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from sapwood.data.files import read_text
from sapwood.data.problems import Report

DELIMITERS = ",;\t"
#: Excel reads, and some programs write, a first line that only says what divides the cells.
_DIVIDER = re.compile(r"\s*sep=[,;\t]\s*")


def sniff(line: str) -> str:
    """Return the delimiter (comma, semicolon or tab) that divides the line most often.

    Examples
    --------
    >>> sniff('image;"a, b";c')
    ';'
    """
    outside = "".join(line.split('"')[::2])
    return max(DELIMITERS, key=outside.count)


def text_rows(path: Path, report: Report, where: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of every row of a CSV file that is not blank."""
    text = read_text(path, report, where)
    filled = (line for line in text.splitlines() if line.strip())
    first = next(filled, "")
    if _DIVIDER.fullmatch(first):
        text, first = text.replace(first, "", 1), next(filled, "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sniff(first), strict=True)
    empty, begun = True, 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            line = f"line {begun} is not CSV ({error})"
            raise report.fatal(
                where, line, "close every quote; double a quote inside quotes"
            ) from error
        if any(cell.strip() for cell in row):
            empty = False
            yield begun, row
        begun = reader.line_num + 1
    if empty:
        raise report.fatal(where, "only empty cells", "write the table or copy it again")
