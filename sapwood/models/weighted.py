"""Coordinates of classes in which attributes count as far as images show them."""

from __future__ import annotations

import numpy as np

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.projection import Evidence, attribute_weights, ridge_for

#: The settings by which a map is made.
COORDINATES = ("attribute_map", "lambda4", "attribute_freedom")


def weighted_map(
    evidence: Evidence, attribute_map: str, ridge: float, freedom: float
) -> AttributeMap:
    """Fit a named map to the classes of the evidence, with weights of attributes.

    Parameters
    ----------
    evidence : Evidence
        Z being attributes as given.
    attribute_map : str
    ridge : float
        Of the projection.
    freedom : float
        How far weights may differ; see :func:`sapwood.projection.attribute_weights`. 0 for alike.
    """
    classes = AttributeMap(**ATTRIBUTE_MAPS[attribute_map])
    if not freedom:
        return classes.fit(evidence.Z)
    mass = evidence.weights @ evidence.F
    reached = np.flatnonzero(mass)
    means = evidence.FtX[reached] / mass[reached, None]
    own = ridge_for(ridge, evidence)
    weights = attribute_weights(classes, evidence.Z[reached], means, own, freedom)
    return classes.fit(evidence.Z, weights if np.ptp(weights) else None)
