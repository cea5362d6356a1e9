"""The folder of the SUN Attribute Database as its authors give it: ``SUNAttributeDB``."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import numeric
from sapwood.data.mat import read_mat
from sapwood.data.names import quote
from sapwood.data.originals import (
    Fields,
    Originals,
    read_wanted_features,
    refuse,
    zero_shot_fields,
)
from sapwood.data.plain_text import require_length
from sapwood.data.problems import Report
from sapwood.data.wanted import Wanted

INNER = "SUNAttributeDB"
_IMAGES, _VALUES, _NAMES = "images.mat", "attributeLabels_continuous.mat", "attributes.mat"
_AGAIN = "copy the original file again"


def is_sun_folder(folder: Path) -> bool:
    """Tell whether this is ``SUNAttributeDB`` or the folder it was unpacked in.

    Examples
    --------
    >>> is_sun_folder(Path("no such folder"))
    False
    """
    return any((place / _VALUES).exists() for place in (folder, folder / INNER))


def read_sun_folder(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the fields of SUN from its MATLAB files, not yet checked.

    The class of an image is the folder it lies in, with folders within folders joined as in
    ``apartment_building_outdoor``; classes are in alphabetical order. The attributes of a class
    are the means over its images.
    """
    refuse(wanted, report, "features")
    inner = folder if (folder / _VALUES).exists() else folder / INNER
    matrix, where = read_wanted_features(wanted, report, folder, inner)
    images = _texts(inner / _IMAGES, "images", report)
    values = _values(inner, len(images), report)
    classes, labels = np.unique([_class_of(image, report) for image in images], return_inverse=True)
    means = np.array([values[labels == c].mean(axis=0) for c in range(len(classes))])
    found = Originals(
        name="SUN",
        images=images,
        labels=labels.astype(np.int64),
        attributes=means,
        class_names=classes.tolist(),
        attribute_names=_attribute_names(inner, values.shape[1], report),
        notes={"attributes": "means over the images of a class"},
    )
    return zero_shot_fields(found, matrix, where, report)


def _texts(path: Path, variable: str, report: Report) -> list[str]:
    found = read_mat(path, (variable,), report).get(variable)
    if not isinstance(found, list) or not found:
        message = f"no cell of text {variable!r}"
        raise report.fatal(path.name, message, _AGAIN)
    return [text.strip().replace("\\", "/") for text in found]


def _values(inner: Path, images: int, report: Report) -> NDArray[Any]:
    found = read_mat(inner / _VALUES, ("labels_cv",), report).get("labels_cv")
    values = numeric(found, 2, f"{_VALUES}: labels_cv", report)
    report.stop()
    require_length(values, images, "images", _VALUES, report)  # type: ignore[arg-type]
    return values  # type: ignore[return-value]  # stop() raised if it is None


def _class_of(image: str, report: Report) -> str:
    """Return ``apse_indoor`` for ``a/apse/indoor/sun_x.jpg`` and for ``apse/indoor/sun_x.jpg``."""
    folders = [part for part in PurePosixPath(image).parts[:-1] if part != "/"]
    if len(folders) > 1 and len(folders[0]) == 1:
        folders = folders[1:]
    if not folders:
        raise report.fatal(_IMAGES, f"{quote(image)} lies in no folder", _AGAIN)
    return "_".join(folders)


def _attribute_names(inner: Path, count: int, report: Report) -> list[str] | None:
    if not (inner / _NAMES).exists():
        report.warning(_NAMES, "not there", "attributes are numbered without it")
        return None
    names = _texts(inner / _NAMES, "attributes", report)
    require_length(np.array(names), count, "attributes", _NAMES, report)
    return names
