"""Things that do not stop loading but that its owner should know, or that no model can use."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.identifiers import warn_of_identifiers
from sapwood.data.names import listed, repeated
from sapwood.data.problems import Report
from sapwood.errors import LARGEST, counted

Fields = dict[str, Any]
#: What is odd about a version of the proposed split, and what to do.
_VERSIONS = {
    "1": (
        "rows of test_seen are also in its train and val rows",
        "this is version 1: do not tune on them",
    ),
    "unknown": ("version 1 or 2 cannot be told", "say which file it is from in results"),
}


def oddities(kind: str, fields: Fields, report: Report) -> None:
    """Add problems of tidy fields; fields that are None are passed over.

    Examples
    --------
    >>> report = Report()
    >>> X = np.array([[1.0, 0.0], [1.0, 2.0]])
    >>> oddities("features", {"features": X, "image_names": None}, report)
    >>> [p.message for p in report.problems][0]
    '1 of 2 features are constant, first column 0'
    """
    if fields.get("features") is not None:
        _features(fields["features"], report)
        columns = (fields.get("provenance") or {}).get("feature_columns", "").split("\t")
        warn_of_identifiers(fields["features"], columns, "features", report)
    # Cells that could not be read are empty by now, and would be told again as something else.
    sound = not any("attributes" in p.where for p in report.errors())
    if sound and fields.get("attributes") is not None and fields.get("class_names") is not None:
        _attributes(fields["attributes"], fields["class_names"], report)
        columns = fields.get("attribute_names")
        warn_of_identifiers(fields["attributes"], columns, "attributes", report)
    for name in ("image_names", "attribute_names", "tag_names", "concept_names"):
        _repeated(fields.get(name), name, report)
    if kind == "zero-shot":
        _labels(fields, report)
    for name in ("tags", "concepts"):
        if fields.get(name) is not None:
            _tags(fields[name], name, report)


def _features(features: NDArray[Any], report: Report) -> None:
    low, high = features.min(axis=0), features.max(axis=0)
    huge = np.flatnonzero(np.maximum(-low, high).astype(np.float64) > LARGEST)
    if len(huge):
        message = f"values beyond {LARGEST:g}, first in column {huge[0]}"
        report.error("features", message, "remove such images, or scale the features")
    constant = np.flatnonzero(low == high)
    if len(constant) == len(low) and len(features) > 1:
        message = "all images have the same features"
        report.error("features", message, "compute the features again")
    elif len(constant):
        message = f"{len(constant)} of {features.shape[1]} features are constant"
        report.warning("features", f"{message}, first column {constant[0]}", "they carry nothing")
    zero = np.flatnonzero(~features.any(axis=1))
    if len(zero):
        empty = counted(len(zero), "image has", "images have")
        message = f"{empty} only zeros, first row {zero[0]}"
        report.warning("features", message, "compute their features again")
    # A hash of each row finds copies without sorting the whole matrix.
    rows = [hash(row.tobytes()) for row in np.ascontiguousarray(features)]
    copies = len(rows) - len(set(rows))
    if copies:
        message = f"{counted(copies, 'image has', 'images have')} the same features as another"
        report.warning("features", message, "drop copies, or keep them in one part of a split")


def _attributes(attributes: NDArray[Any], names: NDArray[np.str_], report: Report) -> None:
    missing = int(np.isnan(attributes).sum())
    if missing:
        message = f"{counted(missing, 'value')} missing"
        fix = "fine if meant: they are filled in by the models"
        report.warning("attributes", message, fix, often_meant=True)
    if len(names) != len(attributes):
        return
    filled = np.nan_to_num(attributes)
    zero = np.flatnonzero((attributes == 0).all(axis=1))
    if len(zero):
        message = f"all zero for {listed(names[zero])}"
        report.error("attributes", message, "describe such a class, or remove it")
    _, first, count = np.unique(filled, axis=0, return_index=True, return_counts=True)
    if (count > 1).any():
        message = (
            f"the same row for another class as for {listed(names[np.sort(first[count > 1])])}"
        )
        report.warning("attributes", message, "add an attribute that tells them apart")
    flat = np.flatnonzero(filled.min(axis=0) == filled.max(axis=0))
    if len(flat) == attributes.shape[1] and len(attributes) > 1:
        fix = "classes without images cannot be told apart; give attributes that do"
        report.warning("attributes", "none differs between classes", fix)
    elif len(flat) and len(attributes) > 1:
        same = counted(len(flat), "column is", "columns are")
        message = f"{same} the same for all classes, first column {flat[0]}"
        report.warning("attributes", message, "they carry nothing")


def _repeated(names: NDArray[np.str_] | None, where: str, report: Report) -> None:
    twice = repeated(names.tolist()) if names is not None else []
    if twice:
        message = f"given more than once: {listed(twice)}"
        fix = "fine for several objects in one image, else rename"
        report.warning(where, message, fix, often_meant=True)


def _labels(fields: Fields, report: Report) -> None:
    labels, names = fields.get("labels"), fields.get("class_names")
    if labels is None or names is None:
        return
    annotated = np.unique(labels[labels >= 0])
    if not len(annotated):
        report.error("labels", "no image is annotated", "annotate a few images of each class")
    elif len(annotated) == 1:
        message = f"all annotated images are of {listed(names[annotated])}"
        report.error("labels", message, "annotate images of two classes or more")
    without = np.setdiff1d(np.arange(len(names)), labels)
    if len(without):
        message = f"no annotated image of {listed(names[without])}"
        report.warning("labels", message, "fine for unseen classes", often_meant=True)
    for split in fields["splits"].values():
        if split.name == "proposed" and split.version in _VERSIONS:
            # No fit of ours tunes on these rows: who does so elsewhere asks for a check.
            report.warning("split 'proposed'", *_VERSIONS[split.version], often_meant=True)


def _tags(tags: NDArray[Any], where: str, report: Report) -> None:
    bare, unused = int((~tags.any(axis=1)).sum()), int((~tags.any(axis=0)).sum())
    if bare:
        message = f"{counted(bare, 'image')} without any"
        fix = "fine if meant: say how empty rows are scored"
        report.warning(where, message, fix, often_meant=True)
    if unused:
        report.warning(where, f"{unused} of {tags.shape[1]} columns never used", "drop them")
