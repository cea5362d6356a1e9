"""Bidirectional projection learning and the rules that predict with it."""

from sapwood.projection.bidirectional import (
    ScaledProjection,
    learn_forward,
    learn_projection,
    learn_scaled,
)
from sapwood.projection.bounds import Bounds, proposition_bounds
from sapwood.projection.prediction import METRICS, fit_temperature, prototype_scores, softmax

__all__ = [
    "METRICS",
    "Bounds",
    "ScaledProjection",
    "fit_temperature",
    "learn_forward",
    "learn_projection",
    "learn_scaled",
    "proposition_bounds",
    "prototype_scores",
    "softmax",
]
