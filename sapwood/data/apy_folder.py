"""The folder of aPascal & aYahoo as its authors give it: ``attribute_data``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.originals import (
    Fields,
    Originals,
    read_wanted_features,
    refuse,
    zero_shot_fields,
)
from sapwood.data.plain_text import class_rows, read_lines, require_length
from sapwood.data.problems import Report
from sapwood.data.wanted import Wanted

INNER = "attribute_data"
#: In the order that features are computed in, here and by Xian et al.
_OBJECTS = ("apascal_train.txt", "apascal_test.txt", "ayahoo_test.txt")
_BEFORE = 6  # file name, class and the four sides of the box
_AGAIN = "copy the original files again"


def is_apy_folder(folder: Path) -> bool:
    """Tell whether this is ``attribute_data`` or the folder it was unpacked in.

    Examples
    --------
    >>> is_apy_folder(Path("no such folder"))
    False
    """
    return any((place / n).exists() for place in (folder, folder / INNER) for n in _OBJECTS)


def read_apy_folder(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the fields of aPY from its lists of objects, not yet checked.

    Each line is an object: image file, class, box and 64 attributes of 0 and 1. Several objects
    may share an image file. The attributes of a class are the means over its objects.
    """
    refuse(wanted, report, "features")
    inner = folder / INNER if (folder / INNER).is_dir() else folder
    matrix, where = read_wanted_features(wanted, report, folder, inner)
    images, names, table = _objects(inner, report)
    classes = _classes(inner, names, report)
    labels = class_rows(names, classes, "class_names.txt", report)
    used = np.unique(labels)
    means = np.array([table[labels == c].mean(axis=0) for c in used])
    found = Originals(
        name="aPY",
        images=images,
        labels=np.searchsorted(used, labels),
        attributes=means,
        class_names=[classes[c] for c in used],
        attribute_names=_attribute_names(inner, table.shape[1], report),
        notes={"attributes": "means over the objects of a class"},
    )
    return zero_shot_fields(found, matrix, where, report)


def _objects(inner: Path, report: Report) -> tuple[list[str], list[str], NDArray[Any]]:
    rows = []
    for name in _OBJECTS:
        if (inner / name).exists():
            rows += _rows(inner / name, report)
        else:
            report.warning(name, "not there", "its objects are left out")
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        message = f"lines of {min(lengths)} to {max(lengths)} parts, but one length was expected"
        raise report.fatal("", message, _AGAIN)
    try:
        table = np.array([row[_BEFORE:] for row in rows], dtype=np.float64)
    except ValueError as error:
        raise report.fatal("", f"attributes that are not numbers ({error})", _AGAIN) from error
    return [row[0] for row in rows], [row[1] for row in rows], table


def _rows(path: Path, report: Report) -> list[list[str]]:
    rows = [line.split() for line in read_lines(path, report)]
    short = [i for i, row in enumerate(rows, 1) if len(row) <= _BEFORE]
    if short:
        message = f"line {short[0]} is not a file, a class, a box and attributes"
        raise report.fatal(path.name, message, _AGAIN)
    return rows


def _classes(inner: Path, names: list[str], report: Report) -> list[str]:
    path = inner / "class_names.txt"
    return read_lines(path, report) if path.exists() else list(dict.fromkeys(names))


def _attribute_names(inner: Path, count: int, report: Report) -> list[str] | None:
    path = inner / "attribute_names.txt"
    if not path.exists():
        report.warning("attribute_names.txt", "not there", "attributes are numbered without it")
        return None
    names = read_lines(path, report)
    require_length(np.array(names), count, "attributes", path.name, report)
    return names
