"""Sapwood's own file: one ``.npz`` with arrays of agreed names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sapwood.data.arrays import integers, missing_as_nan, positions
from sapwood.data.labels import as_labels, unannotated
from sapwood.data.names import clean
from sapwood.data.originals import refuse
from sapwood.data.problems import Report
from sapwood.data.splits import PARTS, Split, proposed_version
from sapwood.data.wanted import Wanted
from sapwood.data.zip_arrays import read_arrays
from sapwood.errors import closest

Fields = dict[str, Any]
_NAMES = {"class_names", "attribute_names", "image_files", "image_names"}
_ZERO_SHOT = {"features", "labels", "attributes", "paper_unseen_classes"} | _NAMES
_TUNING = ("train", "val")
_PROPOSED = {f"ps_{part}" for part in (*PARTS, *_TUNING)}
_TAGS = {"tags", "concepts", "features", "tag_names", "concept_names", "image_files",
         "image_names", "train", "test"}  # fmt: skip


def read_npz(path: Path, report: Report, attributes: str | None = None) -> tuple[str, Fields]:
    """Return what kind of data the file holds and its fields, not yet checked.

    Parameters
    ----------
    path : Path
    report : Report
    attributes : str, optional
        Which array describes the classes; "attributes" if not given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "web.npz", features=np.eye(2))
    ...     read_npz(Path(folder) / "web.npz", Report())[0]
    'features'
    """
    arrays = read_arrays(path, report)
    kind = _kind(arrays, attributes or "attributes", report)
    if kind == "tags":
        refuse(Wanted(attributes=attributes), report)
        used = _TAGS
        fields = {name: arrays.get(name) for name in _TAGS - {"image_files"}}
    else:
        used = _ZERO_SHOT | _PROPOSED
        fields = _class_fields(arrays, kind, attributes or "attributes", report)
    if kind != "attributes":
        fields["image_names"] = arrays.get("image_files", arrays.get("image_names"))
    for name in sorted(set(arrays) - used):
        if not name.endswith(("_annotated", "attributes", "attributes_binary")):
            fix = f"drop it, or rename it{closest(name, used)}"
            report.warning(name, "an array of this name is not used", fix)
    return kind, fields


def _kind(arrays: Fields, wanted: str, report: Report) -> str:
    if "tags" in arrays:
        return "tags"
    if wanted != "attributes" and wanted not in arrays:
        has = ", ".join(sorted(n for n in arrays if "attributes" in n)) or "none"
        raise report.fatal(
            wanted, f"no such class attributes (the file has: {has})", "choose one of them"
        )
    found = [name for name in ("features", "labels", wanted) if name in arrays]
    if found in (["features"], [wanted]):
        return "features" if found == ["features"] else "attributes"
    missing = [name for name in ("features", "labels", wanted) if name not in arrays]
    if missing:
        hint = closest(missing[0], set(arrays) - _ZERO_SHOT)
        has = ", ".join(sorted(arrays)[:8]) or "none that can be read"
        message = f"no array {missing[0]!r} (arrays: {has}){hint}"
        raise report.fatal(
            "", message, "add it, or rename yours (names: features, labels, attributes, tags)"
        )
    return "zero-shot"


def _class_fields(arrays: Fields, kind: str, wanted: str, report: Report) -> Fields:
    if kind == "features":
        return {"features": arrays["features"]}
    fields = {
        "attributes": missing_as_nan(arrays[wanted]),
        "class_names": arrays.get("class_names"),
        # The names belong to the table called "attributes", not to a second one.
        "attribute_names": arrays.get("attribute_names") if wanted == "attributes" else None,
        "provenance": {"attributes": wanted},
    }
    if kind == "attributes":
        return fields
    rows = {n.removesuffix("_annotated"): a for n, a in arrays.items() if n.endswith("_annotated")}
    labels = _numbers(arrays["labels"], arrays.get("class_names"), report)
    kept = {"features": arrays["features"], "labels": labels, "annotated": rows}
    return {**fields, **kept, "splits": _splits({**arrays, "labels": labels}, report)}


def _numbers(labels: Any, class_names: Any, report: Report) -> Any:
    """Return labels that are names as rows of `class_names`; others as they are."""
    if np.asarray(labels).dtype.kind not in "UO" or class_names is None:
        return labels
    given = as_labels(labels)
    missing = unannotated(given)
    if given.ndim != 1 or not all(isinstance(name, str) for name in given[~missing]):
        return labels
    row = {clean(str(name)): i for i, name in enumerate(np.ravel(class_names))}
    codes = [-1 if gone else row.get(clean(n)) for gone, n in zip(missing, given, strict=True)]
    strange = [str(n) for n, code in zip(given, codes, strict=True) if code is None]
    if strange:
        message = f"{len(strange)} labels are no class, first {strange[0]!r}"
        raise report.fatal("labels", message, "name the classes as class_names does")
    return np.array(codes)


def _splits(arrays: Fields, report: Report) -> dict[str, Split]:
    splits = {}
    if "paper_unseen_classes" in arrays:
        unseen = arrays["paper_unseen_classes"]
        splits["paper"] = Split(name="paper", unseen=unseen, version="standard")
    rows = {
        name.removeprefix("ps_"): positions(arrays[name], np.size(arrays["labels"]), name, report)
        for name in sorted(_PROPOSED & set(arrays))
    }
    parts = {part: rows[part] for part in PARTS if part in rows}
    if parts and all(found is not None for found in rows.values()):
        train, val = (rows.get(name) for name in _TUNING)
        split = proposed_split(arrays["labels"], parts, train, val, report)
        if split is not None:
            splits["proposed"] = split
    return splits


def proposed_split(
    labels: Any, parts: Fields, train: Any, val: Any, report: Report
) -> Split | None:
    """Return the split that rows of images imply: unseen classes are those of test_unseen.

    Examples
    --------
    >>> parts = {"trainval": np.array([0]), "test_seen": np.array([1]),
    ...          "test_unseen": np.array([2])}
    >>> proposed_split(np.array([0, 0, 1]), parts, None, None, Report()).unseen.tolist()
    [1]
    """
    missing = [part for part in PARTS if part not in parts]
    if missing:
        has = ", ".join(parts)
        message = f"rows of {has} without {', '.join(missing)}"
        report.error("proposed split", message, "give all three or none")
        return None
    whole = integers(labels, "labels", Report())
    rows = integers(parts["test_unseen"], "proposed split: test_unseen", report)
    if whole is None or rows is None:
        return None
    inside = rows[(rows >= 0) & (rows < len(whole))]
    unseen = np.setdiff1d(whole[inside], [-1])
    version = proposed_version(train, val, parts)
    return Split(name="proposed", unseen=unseen, version=version, **parts)
