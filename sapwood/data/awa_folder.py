"""The folders of Animals with Attributes 1 and 2 as their authors give them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.matrix_files import Matrix, read_matrix
from sapwood.data.names import listed, quote
from sapwood.data.originals import (
    Fields,
    Originals,
    find_features,
    refuse,
    zero_shot_fields,
)
from sapwood.data.plain_text import (
    class_rows,
    in_order,
    read_lines,
    read_number_rows,
    read_numbered,
    require_length,
)
from sapwood.data.problems import Report
from sapwood.data.splits import Split
from sapwood.data.wanted import Wanted

_TABLES = {"continuous": "predicate-matrix-continuous.txt", "binary": "predicate-matrix-binary.txt"}
_UNSEEN = "testclasses.txt"
_FEATURES, _LABELS, _FILES = "AwA2-features.txt", "AwA2-labels.txt", "AwA2-filenames.txt"
_PLACES = ("", "Features/ResNet101")


def is_awa_folder(folder: Path) -> bool:
    """Tell whether a folder has a predicate matrix.

    Examples
    --------
    >>> is_awa_folder(Path("no such folder"))
    False
    """
    return any((folder / name).exists() for name in _TABLES.values())


def read_awa_folder(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the fields of AwA1 or AwA2 from the original text files, not yet checked.

    Without a feature file of one's own, ``AwA2-features.txt`` is read where it is. The labels are
    those of ``AwA2-labels.txt``, or the classes that the image names begin with. The split
    "testclasses" has the classes of ``testclasses.txt``, which in AwA2 are not the paper's.

    Parameters
    ----------
    folder : Path
    report : Report
    wanted : Wanted
        Attributes "continuous" (the default; -1 is missing) or "binary".
    """
    refuse(wanted, report, "attributes", "features")
    classes = in_order(read_numbered(folder / "classes.txt", report))
    table = _table(folder, wanted.attributes or "continuous", len(classes), report)
    matrix, where = _features(folder, wanted, report)
    images, labels = _images(folder, classes, matrix, report)
    found = Originals(
        name=_name(folder),
        images=images,
        labels=labels,
        attributes=table,
        class_names=classes,
        attribute_names=_attribute_names(folder, table.shape[1], report),
        splits=_splits(folder, classes, report),
        notes={"attributes": _TABLES[wanted.attributes or "continuous"]},
    )
    return zero_shot_fields(found, matrix, where, report)


def _find(folder: Path, name: str) -> Path | None:
    return next((folder / p / name for p in _PLACES if (folder / p / name).is_file()), None)


def _name(folder: Path) -> str:
    second = folder.resolve().name.endswith("2") or _find(folder, _FILES) is not None
    return "AwA2" if second else "AwA1"


def _table(folder: Path, which: str, classes: int, report: Report) -> NDArray[Any]:
    if which not in _TABLES or not (folder / _TABLES[which]).exists():
        has = ", ".join(name for name, file in _TABLES.items() if (folder / file).exists())
        message = f"no class attributes {which!r} (it has: {has})"
        raise report.fatal("", message, "choose one of them")
    table = read_number_rows(folder / _TABLES[which], report)
    require_length(table, classes, "classes", _TABLES[which], report)
    return table


def _attribute_names(folder: Path, count: int, report: Report) -> list[str] | None:
    if not (folder / "predicates.txt").exists():
        report.warning("predicates.txt", "not there", "attributes are numbered without it")
        return None
    names = in_order(read_numbered(folder / "predicates.txt", report))
    require_length(np.array(names), count, "attributes", "predicates.txt", report)
    return names


def _features(folder: Path, wanted: Wanted, report: Report) -> tuple[Matrix | None, str]:
    path = find_features(wanted, folder) or _find(folder, _FEATURES)
    if path is None:
        return None, "features"
    matrix, files = read_matrix(path, report), _find(folder, _FILES)
    if matrix.names is None and path.name == _FEATURES and files is not None:
        matrix = Matrix(matrix.values, read_lines(files, report))
    return matrix, path.name


def _images(
    folder: Path, classes: list[str], matrix: Matrix | None, report: Report
) -> tuple[list[str], NDArray[Any]]:
    files, labels = _find(folder, _FILES), _find(folder, _LABELS)
    if files is not None:
        names = read_lines(files, report)
    elif matrix is not None and matrix.names is not None:
        names = matrix.names
    elif matrix is None:
        return [], np.empty(0, dtype=np.int64)
    else:
        fix = f"add {_FILES} or give features with names"
        raise report.fatal("", "no list of images for features without names", fix)
    by_name = [_class_of(name, classes) for name in names]
    if files is None or labels is None:
        return names, class_rows(by_name, classes, "image names", report)
    return names, _numbered_labels(labels, names, by_name, classes, report)


def _class_of(name: str, classes: list[str]) -> str:
    """Return ``antelope`` for ``antelope_10001.jpg`` and for ``antelope/10001.jpg``."""
    path = PurePosixPath(name.replace("\\", "/"))
    start = path.name.rpartition("_")[0]
    return start if start in classes else path.parent.name


def _numbered_labels(
    path: Path, names: list[str], by_name: list[str], classes: list[str], report: Report
) -> NDArray[Any]:
    numbers = read_number_rows(path, report, np.int64).ravel()
    require_length(numbers, len(names), "images", _LABELS, report)
    if len(numbers) and not (1 <= numbers.min() <= numbers.max() <= len(classes)):
        span = f"{numbers.min()}…{numbers.max()}"
        message = f"labels {span}, but 1…{len(classes)} were expected"
        raise report.fatal(_LABELS, message, "copy the original file again")
    pairs = zip(names, numbers, by_name, strict=True)
    wrong = [n for n, number, c in pairs if c in classes and classes[number - 1] != c]
    if wrong:
        message = f"{len(wrong)} labels contradict the image names, first {quote(wrong[0])}"
        raise report.fatal(_LABELS, message, f"use {_LABELS} and {_FILES} of one copy")
    return numbers - 1


def _splits(folder: Path, classes: list[str], report: Report) -> dict[str, Split]:
    if not (folder / _UNSEEN).exists():
        return {}
    names = read_lines(folder / _UNSEEN, report)
    unknown = [name for name in names if name not in classes]
    if unknown:
        raise report.fatal(_UNSEEN, f"unknown classes {listed(unknown)}", "correct the names")
    unseen = np.sort([classes.index(name) for name in names])
    return {"testclasses": Split(name="testclasses", unseen=unseen, version=_UNSEEN)}
