"""A user's own data: tables of features, annotations and class attributes, matched by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import missing_as_nan
from sapwood.data.cells import MISSING
from sapwood.data.names import clean, listed, position, quote, repeated, suggest
from sapwood.data.problems import Report
from sapwood.data.tables import check_row_names, read_numbers, read_pairs
from sapwood.data.zip_arrays import read_arrays
from sapwood.errors import counted

Fields = dict[str, Any]
Pairs = list[tuple[str, str]]
TABLES = (".csv", ".tsv", ".txt", ".parquet")
#: The three tables of a folder, and how the file of each may end.
PARTS = {"features": (*TABLES, ".npz"), "annotations": TABLES, "attributes": (*TABLES, ".npz")}
#: How files end that hold a table once they are unpacked or exported.
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip", ".7z")
SHEET = ".xls"


def is_own(folder: Path) -> bool:
    """Tell whether a folder has any of the three tables.

    Examples
    --------
    >>> is_own(Path("no such folder"))
    False
    """
    return any(tables_in(folder).values())


def tables_in(folder: Path) -> dict[str, list[Path]]:
    """Return the paths in a folder that may be its features, annotations and attributes."""
    named = {part: [folder / f"{part}{end}" for end in ends] for part, ends in PARTS.items()}
    return {part: [path for path in paths if path.exists()] for part, paths in named.items()}


def find_tables(
    folder: Path, report: Report, parts: Iterable[str] = tuple(PARTS)
) -> dict[str, Path]:
    """Return the path of each part in a folder; each must be there once."""
    found, there = {}, tables_in(folder)
    for part in parts:
        paths = there[part]
        if not paths:
            report.error(part, *_missing(part, [p.name for p in sorted(folder.iterdir())]))
        elif len(paths) > 1:
            several = listed(p.name for p in paths)
            report.error(part, f"several tables: {several}", "keep one of them")
        else:
            found[part] = paths[0]
    report.stop()
    return found


def _missing(part: str, names: list[str]) -> tuple[str, str]:
    """Say which table a folder of these files lacks, and the fix."""
    own = next((name for name in names if name.startswith(f"{part}.")), None)
    message = f"no {part}.csv in the folder"
    if own is None:
        others = [name for name in names if name.split(".")[0] not in PARTS]
        return f"{message}{suggest(f'{part}.csv', others)}", "add the table"
    end = Path(own).suffix.lower()
    if end in PACKED:
        return message, f"unpack {own}"
    if end.startswith(SHEET):
        return message, f"save {own} as CSV"
    return f"{message}; {own} is not read", f"write it as {part}{', '.join(PARTS[part])}"


def _shown(path: Path, report: Report) -> str:
    """Return what to call a file: its name where the report already says the folder."""
    if report.path is None:
        return str(path)
    return "" if Path(report.path) == path else path.name


def read_features(path: Path, report: Report, *, whole: bool = True) -> Fields:
    """Return features and image names from a table or an ``.npz`` file.

    `whole` is that of :func:`read_numbers`.
    """
    where = _shown(path, report)
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path, report, where)
        names = arrays.get("image_files", arrays.get("image_names"))
        if "features" not in arrays:
            raise report.fatal(where, "no array 'features'", "add features (n × d) and image_files")
        return {"features": arrays["features"], "image_names": names}
    table = read_numbers(path, report, where, whole=whole)
    # Features of new images must come in the same columns; whoever predicts can compare.
    notes = {"feature_columns": "\t".join(str(column) for column in table.columns)}
    return {"features": table.values, "image_names": table.names, "provenance": notes}


def read_attributes(path: Path, report: Report) -> Fields:
    """Return attributes, class names and attribute names from a table or an ``.npz`` file."""
    where = _shown(path, report)
    if path.suffix.lower() == ".npz":
        arrays = read_arrays(path, report, where)
        if "attributes" not in arrays or "class_names" not in arrays:
            fix = "add attributes (classes × k) and class_names"
            raise report.fatal(where, "no arrays 'attributes' and 'class_names'", fix)
        fields = {n: arrays.get(n) for n in ("attributes", "class_names", "attribute_names")}
        return {**fields, "attributes": missing_as_nan(arrays["attributes"])}
    table = read_numbers(path, report, where)
    values = missing_as_nan(table.values)
    return {"attributes": values, "class_names": table.names, "attribute_names": table.columns}


def read_own(paths: dict[str, Path], report: Report) -> tuple[str, Fields]:
    """Return the fields of a data set kept in three tables, not yet checked.

    Images are matched by name between features and annotations, classes between annotations
    and attributes. Images that are not in the annotations, or there without a class, are
    unannotated.
    """
    shown = {part: _shown(path, report) for part, path in paths.items()}
    begun = len(report.problems)
    features = read_features(paths["features"], report, whole=False)
    of_features = slice(begun, len(report.problems))
    attributes = read_attributes(paths["attributes"], report)
    pairs = read_pairs(paths["annotations"], report, shown["annotations"])
    if features["image_names"] is None:
        fix = "add image_files, so that images can be matched by name"
        raise report.fatal(shown["features"], "no names of images", fix)
    images, classes = _cleaned(features["image_names"]), _cleaned(attributes["class_names"])
    _refuse_swapped(images, classes, pairs, shown, report)
    if paths["features"].suffix.lower() == ".npz":  # tables were looked through when read
        check_row_names(images, report, shown["features"])
    as_text = paths["features"].suffix.lower() not in (".npz", ".parquet")
    if as_text and not np.isfinite(features["features"]).all():
        # Read again for line and column: an attribute in its place may well be missing.
        del report.problems[of_features]
        features = read_features(paths["features"], report)
    labels = _match(images, classes, pairs, shown, report)
    notes = {**features.get("provenance", {}), "annotations": shown["annotations"]}
    return "zero-shot", {**features, **attributes, "labels": labels, "provenance": notes}


def _cleaned(names: Any) -> list[str]:
    return [
        clean(n.decode("utf-8", "replace") if isinstance(n, bytes) else n)
        for n in np.asarray(names, dtype=object).ravel()
    ]


def _refuse_swapped(
    images: list[str], classes: list[str], pairs: Pairs, shown: dict[str, str], report: Report
) -> None:
    annotated, used = {image for image, _ in pairs}, {name for _, name in pairs}
    if annotated.intersection(classes) and not used.intersection(classes):
        message = "its rows are named after images, not classes"
        fix = "give the class-by-attribute table here; the feature table may be swapped with it"
        raise report.fatal(shown["attributes"], message, fix)
    if used.intersection(images) and not annotated.intersection(images):
        message = "its rows are named after classes, not images"
        fix = "give the image-by-feature table here; the attribute table may be swapped with it"
        raise report.fatal(shown["features"], message, fix)


def _match(
    images: list[str], classes: list[str], pairs: Pairs, shown: dict[str, str], report: Report
) -> NDArray[np.int64]:
    file = shown["annotations"]
    row, column = position(images), position(classes)
    pairs = [(i, "" if c.casefold() in MISSING and c not in column else c) for i, c in pairs]
    twice = repeated(image for image, _ in pairs)
    if twice:
        message = f"images annotated twice: {listed(twice)}"
        report.error(file, message, "keep one row for each image")
    lost = [image for image, _ in pairs if image not in row]
    if lost:
        message = f"{counted(len(lost), 'image')} without features, first {quote(lost[0])}"
        fix = f"correct the names or complete {shown['features']}"
        report.error(file, f"{message}{suggest(lost[0], images)}", fix)
    _complain_unknown(Counter(c for _, c in pairs if c and c not in column), column, file, report)
    labels = np.full(len(images), -1, dtype=np.int64)
    for image, name in pairs:
        if image in row and name in column:
            labels[row[image]] = column[name]
    return labels


def _complain_unknown(
    unknown: Counter[str], known: dict[str, int], file: str, report: Report
) -> None:
    for name, count in unknown.most_common():
        called = f"class {quote(name)} ({counted(count, 'image')})"
        message = f"{called} has no attributes{suggest(name, known)}"
        report.error(file, message, "correct the name or add the class to the attribute table")
