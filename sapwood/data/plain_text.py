"""The plain text of original data sets: numbered names, and rows of numbers without a header."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sapwood.data.files import read_text, require_file
from sapwood.data.names import clean, listed, quote
from sapwood.data.problems import Report


def read_lines(path: Path, report: Report, where: str = "") -> list[str]:
    """Return the lines of a text file that are not blank, without outer blanks."""
    where = where or path.name
    lines = (clean(line) for line in read_text(path, report, where).splitlines())
    return [line for line in lines if line]


def read_numbered(path: Path, report: Report) -> dict[int, str]:
    r"""Return what stands behind each number in lines such as ``7 a name``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "classes.txt").write_text("1 owl\n 2\tjay\n")
    ...     read_numbered(Path(folder, "classes.txt"), Report())
    {1: 'owl', 2: 'jay'}
    """
    found: dict[int, str] = {}
    for number, line in enumerate(read_lines(path, report), 1):
        first, _, rest = line.replace("\t", " ").partition(" ")
        if not first.isdecimal() or not rest.strip():
            message = f"line {number} is {quote(line)}, not a number and a name"
            raise report.fatal(path.name, message, "copy the original file again")
        if int(first) in found:
            raise report.fatal(
                path.name, f"number {first} is given twice", "copy the original file again"
            )
        found[int(first)] = rest.strip()
    return found


def read_number_rows(
    path: Path, report: Report, dtype: DTypeLike = np.float64, where: str = ""
) -> NDArray[Any]:
    r"""Return a matrix from rows of numbers that blanks or tabs separate.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "m.txt").write_text("  1.5   2\n3 -1\n")
    ...     read_number_rows(Path(folder, "m.txt"), Report()).tolist()
    [[1.5, 2.0], [3.0, -1.0]]
    """
    where = where or path.name
    require_file(path, report, where)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # NumPy warns of a file without numbers
            return np.loadtxt(path, dtype=dtype, comments=None, ndmin=2, encoding="utf-8")
    except (ValueError, UserWarning) as error:
        reason = " ".join(str(error).split())[:120]
        fix = "give rows of numbers of one length, separated by blanks"
        raise report.fatal(where, f"not rows of numbers ({reason})", fix) from error


def in_order(numbered: dict[int, str]) -> list[str]:
    """Return the names by ascending number.

    Examples
    --------
    >>> in_order({2: "jay", 1: "owl"})
    ['owl', 'jay']
    """
    return [numbered[number] for number in sorted(numbered)]


def require_length(
    array: NDArray[Any], expected: int, what: str, where: str, report: Report
) -> None:
    """Stop unless an array has one row for each of `expected` things."""
    if len(array) != expected:
        message = f"{len(array)} rows for {expected} {what}"
        raise report.fatal(where, message, "use files of one and the same copy of the data set")


def class_rows(names: list[str], classes: list[str], where: str, report: Report) -> NDArray[Any]:
    """Return the positions of class names in `classes`; unknown ones are reported.

    Examples
    --------
    >>> class_rows(["jay", "jay"], ["owl", "jay"], "labels.txt", Report()).tolist()
    [1, 1]
    """
    at = {name: i for i, name in enumerate(classes)}
    unknown = sorted({name for name in names if name not in at})
    if unknown:
        message = f"classes without attributes: {listed(unknown)}"
        raise report.fatal(where, message, "use files of one and the same copy of the data set")
    return np.array([at[name] for name in names], dtype=np.int64)
