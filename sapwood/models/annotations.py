"""From labels and class descriptions, in whatever form they come, to numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from sapwood.data.labels import as_labels, unannotated
from sapwood.errors import InputError, closest, counted
from sapwood.models.attributes import Attributes, read_attributes


@dataclass(frozen=True)
class Annotations:
    """What is known of the training images' classes.

    Attributes
    ----------
    codes : ndarray of shape (n,)
        Row of `Z` for each image, -1 where it is unannotated.
    Z : ndarray of shape (classes, k)
    classes : ndarray of shape (classes,)
        What `predict` answers for each row of Z.
    one_hot : bool
        Whether classes are their own attributes.
    class_names, attribute_names : list of str, or None
    """

    codes: np.ndarray
    Z: np.ndarray
    classes: np.ndarray
    one_hot: bool
    class_names: list[str] | None
    attribute_names: list[str] | None

    @property
    def seen(self) -> np.ndarray:
        """Rows of Z that occur among the annotations."""
        return np.unique(self.codes[self.codes >= 0])

    def voting(self, weight: np.ndarray) -> Annotations:
        """Return the annotations of images that have a weight: one without is no annotation."""
        return replace(self, codes=np.where(weight > 0, self.codes, -1))

    def of_annotated(self) -> Annotations:
        """Return the annotations without unannotated images."""
        return replace(self, codes=self.codes[self.annotated])

    @property
    def annotated(self) -> np.ndarray:
        """Mask of the annotated images."""
        return self.codes >= 0

    @property
    def seen_codes(self) -> np.ndarray:
        """Position of each image's class within `seen`, -1 where it is unannotated."""
        return np.where(self.codes >= 0, np.searchsorted(self.seen, self.codes), -1)


def read_annotations(
    y: Any, n: int, class_attributes: Any, class_names: Any = None, attribute_names: Any = None
) -> Annotations:
    """Read labels, names or attribute vectors, one for each of n images.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, k)
    n : int
    class_attributes : array-like of shape (classes, k), or None
    class_names, attribute_names : sequence of str, or None
    """
    if y is None:
        raise InputError(
            "requires y to be passed, but the target y is None; give one label for each row of X, "
            "-1 where it is unannotated"
        )
    columns = getattr(y, "columns", None)
    y = as_labels(y)
    if y.ndim == 2 and attribute_names is None:
        attribute_names = columns
    if y.ndim not in (1, 2):
        raise InputError(f"y has {y.ndim} dimensions; expected one label, or one row, for an image")
    if len(y) != n:
        raise InputError(f"y has {len(y)} entries but X has {n} rows; give one for each image")
    if class_attributes is None and class_names is not None:
        raise InputError("class_names names the rows of class_attributes, which is not given")
    if y.ndim == 2:
        found = _from_vectors(y, class_attributes, attribute_names)
    elif class_attributes is None:
        found = _from_labels_alone(y)
    else:
        known = read_attributes(class_attributes, class_names, attribute_names)
        found = _from_labels(y, known)
    return _with_enough_classes(found)


def _from_vectors(y: np.ndarray, class_attributes: Any, attribute_names: Any) -> Annotations:
    if class_attributes is not None:
        raise InputError(
            "y is a matrix of attribute vectors, so each distinct row is a class of its own; leave "
            "class_attributes out of fit and give it to predict"
        )
    try:
        y = y.astype(float)
    except (TypeError, ValueError) as error:
        raise InputError(f"y is a matrix with entries that are not numbers ({error})") from None
    missing = np.isnan(y)
    partial = np.flatnonzero(missing.any(axis=1) & ~missing.all(axis=1))
    if len(partial):
        raise InputError(
            f"y has {counted(len(partial), 'row')} with some values missing (first: row "
            f"{partial[0]}); a row is either an attribute vector or all NaN, meaning unannotated"
        )
    codes = np.full(len(y), -1)
    known = np.flatnonzero(~missing.any(axis=1))
    if not len(known):
        return Annotations(codes, np.empty((0, y.shape[1])), np.arange(0), False, None, None)
    rows, inverse = np.unique(y[known], axis=0, return_inverse=True)
    codes[known] = inverse.ravel()
    found = read_attributes(rows, attribute_names=attribute_names, argument="y")
    return Annotations(codes, found.Z, np.arange(len(rows)), False, None, found.attribute_names)


def _from_labels_alone(y: np.ndarray) -> Annotations:
    missing = unannotated(y)
    if not missing.all():
        with warnings.catch_warnings():
            # One image of each class is what few annotations look like, and no regression.
            warnings.filterwarnings("ignore", "The number of unique classes is greater")
            check_classification_targets(y[~missing])
    classes, inverse = np.unique(y[~missing], return_inverse=True)
    codes = np.full(len(y), -1)
    codes[~missing] = inverse
    names = [str(c) for c in classes]
    return Annotations(codes, np.eye(len(classes)), classes, True, names, names)


def _from_labels(y: np.ndarray, known: Attributes) -> Annotations:
    missing = unannotated(y)
    codes = np.full(len(y), -1)
    if y.dtype.kind in "OUS":
        codes[~missing] = _look_up(y[~missing], known)
        classes = np.asarray(known.class_names)
    else:
        codes[~missing] = _whole_numbers(y, missing)
        outside = np.flatnonzero((codes < -1) | (codes >= len(known.Z)) | ((codes < 0) & ~missing))
        if len(outside):
            raise InputError(
                f"y has {counted(len(outside), 'label')} outside the rows of class_attributes "
                f"(first: {y[outside[0]]} at position {outside[0]}); expected 0 to "
                f"{len(known.Z) - 1}, or -1 where unannotated"
            )
        classes = np.arange(len(known.Z))
    return Annotations(codes, known.Z, classes, False, known.class_names, known.attribute_names)


def _whole_numbers(y: np.ndarray, missing: np.ndarray) -> np.ndarray:
    labels = y[~missing]
    if labels.dtype.kind == "f" and (labels != np.round(labels)).any():
        raise InputError(
            f"y holds {labels[labels != np.round(labels)][0]}, which is no class index; labels are "
            "whole numbers that index the rows of class_attributes, or names"
        )
    return labels.astype(np.int64)


def _look_up(labels: np.ndarray, known: Attributes) -> list[int]:
    if known.class_names is None:
        raise InputError(
            "y holds names but the rows of class_attributes have none; pass class_names=, or "
            "class_attributes as a DataFrame indexed by class name"
        )
    row = {name: i for i, name in enumerate(known.class_names)}
    names = [label.decode() if isinstance(label, bytes) else str(label) for label in labels]
    unknown = [name for name in names if name not in row]
    if unknown:
        first = unknown[0]
        raise InputError(
            f"y holds {counted(len(unknown), 'label')} ({counted(len(set(unknown)), 'name')}) that "
            f"class_attributes does not describe (first: {first!r}{closest(first, row)})"
        )
    return [row[name] for name in names]


def _with_enough_classes(found: Annotations) -> Annotations:
    seen = found.seen
    if len(seen) == 0:
        raise InputError(
            "y annotates no image: every entry is missing (-1, NaN or empty); at least two classes "
            "need an annotated image"
        )
    if len(seen) == 1:
        named = found.classes if found.class_names is None else found.class_names
        raise InputError(
            f"y annotates one class only ({named[seen[0]]}); annotate images of at least two, to "
            "tell classes apart"
        )
    return found
