"""The folder of CUB-200-2011 as its authors give it: ``CUB_200_2011``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.names import listed
from sapwood.data.originals import (
    Fields,
    Originals,
    read_wanted_features,
    refuse,
    zero_shot_fields,
)
from sapwood.data.plain_text import in_order, read_number_rows, read_numbered, require_length
from sapwood.data.problems import Report
from sapwood.data.wanted import Wanted

INNER = "CUB_200_2011"
_IMAGES, _LABELS, _CLASSES = "images.txt", "image_class_labels.txt", "classes.txt"
_TABLE = "attributes/class_attribute_labels_continuous.txt"
_COPY = "use files of one and the same copy of the data set"


def is_cub_folder(folder: Path) -> bool:
    """Tell whether this is ``CUB_200_2011`` or the folder it was unpacked in.

    Examples
    --------
    >>> is_cub_folder(Path("no such folder"))
    False
    """
    return any((place / _LABELS).exists() for place in (folder, folder / INNER))


def read_cub_folder(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the fields of CUB from its original text files, not yet checked.

    The attributes are those of ``class_attribute_labels_continuous.txt``, in percent.
    ``train_test_split.txt`` is not read: it divides the images of every class.
    """
    refuse(wanted, report, "features")
    inner = folder if (folder / _LABELS).exists() else folder / INNER
    matrix, where = read_wanted_features(wanted, report, folder, inner)
    classes = read_numbered(inner / _CLASSES, report)
    images = read_numbered(inner / _IMAGES, report)
    labels = _labels(inner, images, classes, report)
    table = read_number_rows(inner / _TABLE, report)
    require_length(table, len(classes), "classes", _TABLE, report)
    found = Originals(
        name="CUB",
        images=in_order(images),
        labels=labels,
        attributes=table,
        class_names=in_order(classes),
        attribute_names=_attribute_names(inner, table.shape[1], report),
        notes={"attributes": f"{_TABLE}, percent"},
    )
    return zero_shot_fields(found, matrix, where, report)


def _labels(
    inner: Path, images: dict[int, str], classes: dict[int, str], report: Report
) -> NDArray[Any]:
    given = read_numbered(inner / _LABELS, report)
    at = {str(number): i for i, number in enumerate(sorted(classes))}
    unknown = sorted({c for c in given.values() if c not in at})
    if unknown:
        raise report.fatal(_LABELS, f"classes not in {_CLASSES}: {listed(unknown)}", _COPY)
    lost = sorted(set(given) - set(images))
    if lost:
        raise report.fatal(_LABELS, f"images not in {_IMAGES}: {listed(lost)}", _COPY)
    bare = [images[i] for i in sorted(set(images) - set(given))]
    if bare:
        message = f"no class for {len(bare)} of {len(images)} images ({listed(bare[:3])})"
        report.warning(_LABELS, message, "they count as unannotated")
    return np.array([at[given[i]] if i in given else -1 for i in sorted(images)], dtype=np.int64)


def _attribute_names(inner: Path, count: int, report: Report) -> list[str] | None:
    # The archive has the list beside the folder, other copies have it inside.
    places = (inner / "attributes", inner, inner.parent)
    path = next((p / "attributes.txt" for p in places if (p / "attributes.txt").is_file()), None)
    if path is None:
        report.warning("attributes.txt", "not there", "attributes are numbered without it")
        return None
    names = in_order(read_numbered(path, report))
    require_length(np.array(names), count, "attributes", "attributes.txt", report)
    return names
