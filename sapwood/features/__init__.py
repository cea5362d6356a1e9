"""Feature preprocessing: statistics from all training images, labelled or not."""

from sapwood.features.maps import FEATURE_MAPS, FeatureMap, unit_rows

__all__ = ["FEATURE_MAPS", "FeatureMap", "unit_rows"]
