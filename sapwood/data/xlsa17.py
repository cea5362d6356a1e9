"""The layout of Xian et al. (xlsa17): a folder with ``res101.mat`` and ``att_splits.mat``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import integers, missing_as_nan, numeric
from sapwood.data.cards import find_card, paper_split
from sapwood.data.mat import read_mat
from sapwood.data.names import listed, made_up
from sapwood.data.npz import proposed_split
from sapwood.data.path_labels import labels_by_path
from sapwood.data.problems import Report
from sapwood.data.splits import PARTS, Split

Fields = dict[str, Any]
FEATURES, SPLITS = "res101.mat", "att_splits.mat"
_LOCS = tuple(f"{part}_loc" for part in (*PARTS, "train", "val"))
_TABLES = ("att", "original_att")


def is_xlsa17(folder: Path) -> bool:
    """Tell whether a folder has one of the two files of this layout.

    Examples
    --------
    >>> is_xlsa17(Path("no such folder"))
    False
    """
    return any((folder / name).exists() for name in (FEATURES, SPLITS))


def read_xlsa17(folder: Path, report: Report, attributes: str | None = None) -> tuple[str, Fields]:
    """Return the fields of a data set in the xlsa17 layout, not yet checked.

    MATLAB counts from 1 and keeps images in columns; here rows count from 0.

    Parameters
    ----------
    folder : Path
    report : Report
    attributes : {"att", "original_att"}, optional
        "att" (the default) has each class at unit length, "original_att" is as published.
    """
    wanted = attributes or "att"
    images = read_mat(folder / FEATURES, ("features", "labels", "image_files"), report)
    classes = read_mat(folder / SPLITS, (*_TABLES, "allclasses_names", *_LOCS), report)
    _require(images, ("features", "labels"), FEATURES, report)
    if wanted not in _TABLES or wanted not in classes:
        has = ", ".join(name for name in _TABLES if name in classes) or "none"
        message = f"no class attributes {wanted!r} (it has: {has})"
        raise report.fatal(SPLITS, message, "choose one of them")
    labels = _from_one(images["labels"], f"{FEATURES} labels", report)
    if labels is None:
        report.stop()
    features = _features(images["features"], len(labels), report)
    table = _attributes(classes, wanted, report)
    names = classes.get("allclasses_names")
    names = made_up("class", len(table)) if names is None else names
    files = images.get("image_files")
    notes = {"attributes": wanted}
    if files is not None:
        labels = labels_by_path(labels, list(names), files, notes, report)
    splits = _splits(folder, classes, labels, names, report)
    kept = {"image_names": files, "splits": splits, "provenance": notes}
    return "zero-shot", {
        "features": features, "labels": labels, "attributes": table, "class_names": names, **kept,
    }  # fmt: skip


def _require(content: Fields, names: tuple[str, ...], file: str, report: Report) -> None:
    missing = [name for name in names if name not in content]
    if missing:
        raise report.fatal(file, f"no variable {listed(missing)}", "copy the original file again")


def _from_one(value: Any, where: str, report: Report) -> Any:
    """Return 0-based whole numbers; a 0 shows that the file was already shifted."""
    flat = value.ravel() if isinstance(value, np.ndarray) else value
    numbers = integers(flat, where, report)
    if numbers is None:
        return None
    if len(numbers) and numbers.min() < 1:
        message = f"the smallest is {numbers.min()}, but this layout counts from 1"
        report.error(where, message, "add 1, or copy the original file again")
        return None
    return numbers - 1


def _features(value: Any, n: int, report: Report) -> NDArray[Any]:
    array = numeric(value, 2, f"{FEATURES} features", report)
    if array is not None and array.shape[1] != n:
        message = f"shape {array.shape} for {n} labels, but columns are images in this layout"
        fix = "transpose the features, or copy the original file again"
        report.error(f"{FEATURES} features", message, fix)
    report.stop()
    return array.T  # type: ignore[union-attr]  # stop() raised if it is None


def _attributes(classes: Fields, wanted: str, report: Report) -> NDArray[Any]:
    table = numeric(classes[wanted], 2, f"{SPLITS} {wanted}", report)
    report.stop()
    table = missing_as_nan(table.T)  # type: ignore[union-attr]
    raw = classes.get("original_att")
    if wanted == "att" and isinstance(raw, np.ndarray) and raw.T.shape == table.shape:
        # Scaling hides the mark -1 in `att`; `original_att` still shows where it was.
        table = np.where(np.isnan(missing_as_nan(raw.T)), np.nan, table)
    return table


def _splits(
    folder: Path, classes: Fields, labels: NDArray[np.int64], names: Any, report: Report
) -> dict[str, Split]:
    locs = {
        name.removesuffix("_loc"): _from_one(classes[name], f"{SPLITS} {name}", report)
        for name in _LOCS
        if name in classes
    }
    splits = {}
    card = find_card(folder.name)
    paper = paper_split(card, list(names)) if card else None
    if paper is not None:
        splits["paper"] = paper
    parts = {part: locs[part] for part in PARTS if locs.get(part) is not None}
    if any(part in locs for part in PARTS) and len(parts) == sum(p in locs for p in PARTS):
        split = proposed_split(labels, parts, locs.get("train"), locs.get("val"), report)
        if split is not None:
            splits["proposed"] = split
    return splits
