"""What a data set is: plain arrays with names, checked once and then read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.problems import Report
from sapwood.data.splits import Split
from sapwood.data.tidy import tidy_attributes, tidy_features, tidy_tags, tidy_zero_shot

Names = NDArray[np.str_]
Rows = NDArray[np.int64]
_NONE: Any = ()  # "not given": names are then made up


class _Checked:
    """Puts the tidied fields in place of the ones given, or raises `InputError`."""

    _tidy: Any

    def __post_init__(self) -> None:
        report = Report()
        fields = type(self)._tidy(vars(self), report)
        report.stop()
        for name, value in fields.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ZeroShotData(_Checked):
    """Images with features, classes with attributes, and which image is of which class.

    Parameters
    ----------
    features : array, shape (n, d)
        One row an image; float16, float32 and float64 are kept as they are.
    labels : array of int, shape (n,)
        Position of each image's class, −1 where the image is not annotated.
    attributes : array, shape (classes, k)
        One row a class; NaN where a value is missing.
    class_names, attribute_names, image_names : sequence of str, optional
        Numbered names are made up where they are not given.
    splits : mapping of str to Split, optional
    annotated : mapping of str to array of int, optional
        Published lists of annotated rows, in their published order.
    provenance : mapping of str to str, optional
        Where the data came from and what was done to it on the way in.

    Notes
    -----
    The arrays are read-only views: nobody's array is changed, here or later.

    Examples
    --------
    >>> ZeroShotData(features=np.eye(3), labels=[0, 1, -1], attributes=np.eye(2),
    ...              class_names=["owl", "jay"])
    ZeroShotData(3 images × 3 features, 2 classes × 2 attributes, splits: none)
    """

    _tidy = staticmethod(tidy_zero_shot)

    features: NDArray[Any]
    labels: Rows
    attributes: NDArray[Any]
    class_names: Names = _NONE
    attribute_names: Names = _NONE
    image_names: Names = _NONE
    splits: Mapping[str, Split] = field(default_factory=dict)
    annotated: Mapping[str, Rows] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        n, d = self.features.shape
        c, k = self.attributes.shape
        shapes = f"{n} images × {d} features, {c} classes × {k} attributes"
        return f"ZeroShotData({shapes}, splits: {', '.join(self.splits) or 'none'})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TagData(_Checked):
    """Images with noisy tags and, where known, what they really show.

    Parameters
    ----------
    tags : array, shape (n, t)
        What users wrote: 0 or 1 (or non-negative weights).
    features : array, shape (n, d), optional
    concepts : array, shape (n, c), optional
        What is truly there, 0 or 1; -1 throughout for an image that nobody has annotated.
    tag_names, concept_names, image_names : sequence of str, optional
    train, test : array of int, optional
        Rows for learning and for scoring.
    provenance : mapping of str to str, optional

    Examples
    --------
    >>> TagData(tags=[[1, 0], [0, 1]], tag_names=["sky", "sea"])
    TagData(2 images × 2 tags, no concepts, no features)
    """

    _tidy = staticmethod(tidy_tags)

    tags: NDArray[Any]
    features: NDArray[Any] | None = None
    concepts: NDArray[Any] | None = None
    tag_names: Names = _NONE
    concept_names: Names = _NONE
    image_names: Names = _NONE
    train: Rows | None = None
    test: Rows | None = None
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        n, t = self.tags.shape
        concepts = "no" if self.concepts is None else self.concepts.shape[1]
        features = "no" if self.features is None else self.features.shape[1]
        return f"TagData({n} images × {t} tags, {concepts} concepts, {features} features)"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FeatureTable(_Checked):
    """Features of images about which nothing else is known, such as images from the web.

    Parameters
    ----------
    features : array, shape (n, d)
    image_names : sequence of str, optional
    provenance : mapping of str to str, optional

    Examples
    --------
    >>> FeatureTable(features=np.eye(2), image_names=["a.jpg", "b.jpg"])
    FeatureTable(2 images × 2 features)
    """

    _tidy = staticmethod(tidy_features)

    features: NDArray[Any]
    image_names: Names = _NONE
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        n, d = self.features.shape
        return f"FeatureTable({n} images × {d} features)"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AttributeTable(_Checked):
    """Classes described by attributes, without images.

    Parameters
    ----------
    attributes : array, shape (classes, k)
        NaN where a value is missing.
    class_names, attribute_names : sequence of str, optional
    provenance : mapping of str to str, optional

    Examples
    --------
    >>> AttributeTable(attributes=np.eye(2), class_names=["owl", "jay"])
    AttributeTable(2 classes × 2 attributes)
    """

    _tidy = staticmethod(tidy_attributes)

    attributes: NDArray[Any]
    class_names: Names = _NONE
    attribute_names: Names = _NONE
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        c, k = self.attributes.shape
        return f"AttributeTable({c} classes × {k} attributes)"
