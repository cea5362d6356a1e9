"""Preprocessing of features (statistics from all training images) and of attributes."""

from sapwood.features.attributes import ATTRIBUTE_MAPS, AttributeMap, equally_unlike
from sapwood.features.maps import FEATURE_MAPS, FeatureMap, unit_rows
from sapwood.features.streamed import MappedRows, fit_in_blocks

__all__ = [
    "ATTRIBUTE_MAPS",
    "FEATURE_MAPS",
    "AttributeMap",
    "FeatureMap",
    "MappedRows",
    "equally_unlike",
    "fit_in_blocks",
    "unit_rows",
]
