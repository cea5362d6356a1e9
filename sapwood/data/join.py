"""Features put to the images a data set lists, by the images' names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.matrix_files import Matrix
from sapwood.data.names import listed, quote
from sapwood.data.problems import Report

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Joined:
    """The listed images that have features, in their order.

    Parameters
    ----------
    images : array of int, shape (m,)
        Their positions in the list.
    features : array, shape (m, d)
    note : str
        What did not match; empty if everything did.

    Examples
    --------
    >>> Joined(np.array([0]), np.eye(1), "").note
    ''
    """

    images: Rows
    features: NDArray[Any]
    note: str


def _whole(name: str) -> str:
    text = name.replace("\\", "/").strip("/")
    return text.removeprefix("./")


def _last_two(name: str) -> str:
    return "/".join(_whole(name).rsplit("/", 2)[-2:])


def _file_name(name: str) -> str:
    return _whole(name).rpartition("/")[2]


def _bare(name: str) -> str:
    """Return a name without its ending; a file name may begin with a dot, but is never empty."""
    file = _file_name(name)
    return _whole(name).removesuffix(file) + (file.rpartition(".")[0] or file)


def join_features(images: Sequence[str], matrix: Matrix, where: str, report: Report) -> Joined:
    """Return the features of the images listed.

    Names are compared whole, then by folder and file name and by file name, then in the same
    three ways without their endings; the first of these that matches every image is taken, else
    the one that matches most, but never one that confuses two images. An image listed several
    times (several objects in one photograph) takes its feature rows in their order. Features
    without names must have a row for every image listed.

    Parameters
    ----------
    images : sequence of str
    matrix : Matrix
    where : str
        What to call the feature file in messages.
    report : Report
        What does not match is counted and listed here.

    Examples
    --------
    >>> matrix = Matrix(np.array([[1.0], [2.0]]), ["x/b.jpg", "x/c.jpg"])
    >>> joined = join_features(["a.jpg", "b.jpg"], matrix, "f.npz", Report())
    >>> joined.images.tolist(), joined.features.tolist()
    ([1], [[1.0]])
    >>> joined.note.split("; ")[0]
    "1 of 2 images have no features ('a.jpg')"
    """
    if matrix.names is None:
        _require_all(len(images), len(matrix.values), where, report)
        return Joined(np.arange(len(images)), matrix.values, "")
    if len(matrix.names) != len(matrix.values):
        message = f"{len(matrix.names)} names for {len(matrix.values)} rows"
        raise report.fatal(where, message, "give one name for each row")
    mine, theirs = _best_spelling(list(images), matrix.names)
    _require_counts(mine, theirs, where, report)
    waiting = defaultdict(list)
    for row, name in reversed(list(enumerate(theirs))):
        waiting[name].append(row)
    pairs = [(i, waiting[name].pop()) for i, name in enumerate(mine) if waiting.get(name)]
    if not pairs:
        message = f"no name fits, such as {quote(matrix.names[0])} for {quote(images[0])}"
        raise report.fatal(where, message, "name the rows after the images that the data set lists")
    rows, used = np.array(pairs, dtype=np.int64).T
    note = _note(images, matrix.names, rows, used)
    if note:
        report.warning(where, note, "only images with features are kept; complete the file")
    return Joined(rows, _taken(matrix.values, used), note)


def _taken(values: NDArray[Any], used: Rows) -> NDArray[Any]:
    # A mapped file stays mapped where nothing is left out.
    return values if np.array_equal(used, np.arange(len(values))) else values[used]


def _require_all(images: int, rows: int, where: str, report: Report) -> None:
    if rows != images:
        message = f"{rows} rows without names for {images} images listed"
        raise report.fatal(where, message, "give a row for every image, or an array image_files")


def _best_spelling(images: list[str], names: list[str]) -> tuple[list[str], list[str]]:
    different = len(set(map(_whole, images))), len(set(map(_whole, names)))
    best: tuple[int, list[str], list[str]] = (-1, [], [])
    for ending, part in product((_whole, _bare), (_whole, _last_two, _file_name)):
        mine, theirs = ([part(ending(name)) for name in given] for given in (images, names))
        if (len(set(mine)), len(set(theirs))) != different:
            continue
        common = len(set(mine) & set(theirs))
        if common > best[0]:
            best = (common, mine, theirs)
        if common == different[0]:
            break
    return best[1:]


def _require_counts(mine: list[str], theirs: list[str], where: str, report: Report) -> None:
    expected, given = Counter(mine), Counter(theirs)
    wrong = [name for name in given if 0 < expected[name] != given[name]]
    if wrong:
        name = wrong[0]
        message = (
            f"{given[name]} rows named {quote(name)} where {expected[name]} are listed "
            f"({len(wrong)} such images)"
        )
        raise report.fatal(where, message, "give as many rows as the data set lists")


def _note(images: Sequence[str], names: list[str], rows: Rows, used: Rows) -> str:
    lost = np.setdiff1d(np.arange(len(images)), rows)
    extra = np.setdiff1d(np.arange(len(names)), used)
    parts = []
    if len(lost):
        first = listed(images[i] for i in lost[:3])
        parts.append(f"{len(lost)} of {len(images)} images have no features ({first})")
    if len(extra):
        first = listed(names[i] for i in extra[:3])
        parts.append(f"{len(extra)} of {len(names)} feature rows are of no image listed ({first})")
    return "; ".join(parts)
