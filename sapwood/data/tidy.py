"""The rules a data set must obey, in one place: fields in, tidy fields and problems out.

Each function takes the fields of one container as a mapping and returns them tidied. A field
that cannot be used is reported and becomes None, so that the others are still checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import (
    attribute_matrix,
    feature_matrix,
    filled_matrix,
    integers,
    read_only,
    rows_below,
)
from sapwood.data.names import listed, name_vector, repeated
from sapwood.data.problems import Report
from sapwood.data.splits import tidy_split
from sapwood.errors import counted

Fields = dict[str, Any]


def _length(array: NDArray[Any] | None, axis: int = 0) -> int | None:
    return None if array is None else array.shape[axis]


def _sealed(fields: Fields) -> Fields:
    for name, value in fields.items():
        if isinstance(value, np.ndarray):
            fields[name] = read_only(value)
    return fields


def tidy_features(given: Mapping[str, Any], report: Report) -> Fields:
    """Tidy the fields of a `FeatureTable`."""
    features = feature_matrix(given["features"], "features", report)
    names = name_vector(
        given.get("image_names"), _length(features), "image_names", report, prefix="image"
    )
    provenance = dict(given.get("provenance") or {})
    return _sealed({"features": features, "image_names": names, "provenance": provenance})


def tidy_attributes(given: Mapping[str, Any], report: Report) -> Fields:
    """Tidy the fields of an `AttributeTable`."""
    attributes = attribute_matrix(given["attributes"], "attributes", report)
    classes, k = _length(attributes), _length(attributes, 1)
    names = name_vector(given.get("class_names"), classes, "class_names", report, prefix="class")
    columns = name_vector(
        given.get("attribute_names"), k, "attribute_names", report, prefix="attribute"
    )
    twice = repeated(names.tolist()) if names is not None else []
    if twice:
        report.error("class_names", f"given twice: {listed(twice)}", "give each class one name")
    if attributes is not None and names is not None:
        _require_some(attributes, names, report)
    provenance = dict(given.get("provenance") or {})
    fields = {"attributes": attributes, "class_names": names, "attribute_names": columns}
    return _sealed({**fields, "provenance": provenance})


def _require_some(attributes: NDArray[Any], names: NDArray[np.str_], report: Report) -> None:
    empty = np.flatnonzero(np.isnan(attributes).all(axis=1))
    if len(empty) and len(names) == len(attributes):
        message = f"no attribute at all for {listed(names[empty])}"
        report.error("attributes", message, "fill in the row or drop the class")


def tidy_zero_shot(given: Mapping[str, Any], report: Report) -> Fields:
    """Tidy the fields of a `ZeroShotData`."""
    fields = {**tidy_features(given, report), **tidy_attributes(given, report)}
    labels = integers(given["labels"], "labels", report)
    n, classes = _length(fields["features"]), _length(fields["attributes"])
    if labels is not None and n is not None and len(labels) != n:
        message = f"{counted(len(labels), 'label')} for {counted(n, 'image')}"
        report.error("labels", message, "give one for each image, -1 where unannotated")
        labels = None
    if labels is not None and classes is not None:
        labels = _labels_in_range(labels, classes, report)
    fields["labels"] = None if labels is None else read_only(labels)
    return {**fields, **_row_fields(given, labels, classes, report)}


def _labels_in_range(
    labels: NDArray[np.int64], classes: int, report: Report
) -> NDArray[np.int64] | None:
    negative, high = labels[labels < -1], labels[labels >= classes]
    if len(negative):
        message = f"{counted(len(negative), 'label')} below -1, first {negative[0]}"
        report.error("labels", message, "write -1 for images without annotation")
    if len(high):
        message = (
            f"{counted(len(high), 'image')} of classes without attributes "
            f"(labels {listed(np.unique(high).tolist())} for {classes} classes)"
        )
        report.error("labels", message, "count classes from 0, or add rows to the attributes")
    return None if len(negative) or len(high) else labels


def _row_fields(
    given: Mapping[str, Any], labels: NDArray[np.int64] | None, classes: int | None, report: Report
) -> Fields:
    splits, annotated = given.get("splits") or {}, given.get("annotated") or {}
    if labels is None or classes is None:
        return {"splits": dict(splits), "annotated": dict(annotated)}
    tidied = {name: tidy_split(s, labels, classes, report) for name, s in splits.items()}
    lists = {}
    for name, rows in annotated.items():
        found = rows_below(rows, len(labels), f"{name}_annotated", report)
        if found is not None:
            lists[name] = read_only(found)
    return {"splits": tidied, "annotated": lists}


def _tag_matrix(value: Any, where: str, report: Report) -> NDArray[Any] | None:
    array = filled_matrix(value, where, report)
    if array is None:
        return None
    bad = int(np.count_nonzero(~(np.isfinite(array) & (array >= 0))))
    if bad:
        report.error(where, f"{counted(bad, 'value')} negative, NaN or infinite", "write 0 or 1")
    return array


def _concept_matrix(value: Any, where: str, report: Report) -> NDArray[Any] | None:
    """Return what images show; rows of nothing but -1 or NaN, which nobody looked at, become -1."""
    array = filled_matrix(value, where, report)
    if array is None or array.dtype.kind not in "if":
        return array
    unknown = np.isnan(array) | (array == -1)
    whole = unknown.all(axis=1)
    fine = np.isfinite(array) & (array >= 0)
    bad = int(np.count_nonzero(~fine & ~whole[:, None]))
    if bad:
        message = f"{counted(bad, 'value')} negative, NaN or infinite"
        report.error(where, message, "write 0 or 1, or -1 throughout for an image nobody annotated")
    if whole.all():
        report.error(where, "no image with known concepts", "annotate some, or leave it out")
    return np.where(whole[:, None], -1, array).astype(array.dtype) if whole.any() else array


def tidy_tags(given: Mapping[str, Any], report: Report) -> Fields:
    """Tidy the fields of a `TagData`."""
    fields: Fields = {"tags": _tag_matrix(given["tags"], "tags", report)}
    n = _length(fields["tags"])
    for name, reader in (("features", feature_matrix), ("concepts", _concept_matrix)):
        value = given.get(name)
        fields[name] = None if value is None else reader(value, name, report)
        rows = _length(fields[name])
        if n is not None and rows is not None and rows != n:
            message = f"{counted(rows, 'row')} for {counted(n, 'image')}"
            report.error(name, message, "give one row for each image")
    widths = {"tag": _length(fields["tags"], 1), "concept": _length(fields["concepts"], 1)}
    for kind, count in {**widths, "image": n}.items():
        fields[f"{kind}_names"] = name_vector(
            given.get(f"{kind}_names"), count, f"{kind}_names", report, prefix=kind
        )
    fields.update(_train_and_test(given, n, report))
    return _sealed({**fields, "provenance": dict(given.get("provenance") or {})})


def _train_and_test(given: Mapping[str, Any], n: int | None, report: Report) -> Fields:
    parts: Fields = {"train": None, "test": None}
    for name in parts:
        if given.get(name) is not None and n is not None:
            parts[name] = rows_below(given[name], n, name, report)
    if parts["train"] is not None and parts["test"] is not None:
        shared = np.intersect1d(parts["train"], parts["test"])
        if len(shared):
            message = f"{counted(len(shared), 'row')} both in train and in test, first {shared[0]}"
            report.error("test", message, "keep each row in one of them")
    return parts
