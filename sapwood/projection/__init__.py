"""Bidirectional projection learning and the rules that predict with it."""

from sapwood.projection.bidirectional import (
    ScaledProjection,
    lack_of_images,
    learn_forward,
    learn_projection,
    learn_scaled,
    prototypes_along,
    ridge_for,
)
from sapwood.projection.bounds import Bounds, proposition_bounds
from sapwood.projection.evidence import Evidence
from sapwood.projection.prediction import (
    METRICS,
    common_temperature,
    doubted,
    fit_temperature,
    log_loss,
    log_losses,
    prototype_scores,
    softmax,
)
from sapwood.projection.relevance import attribute_weights

__all__ = [
    "METRICS",
    "Bounds",
    "Evidence",
    "ScaledProjection",
    "attribute_weights",
    "common_temperature",
    "doubted",
    "fit_temperature",
    "lack_of_images",
    "learn_forward",
    "learn_projection",
    "learn_scaled",
    "log_loss",
    "log_losses",
    "proposition_bounds",
    "prototype_scores",
    "prototypes_along",
    "ridge_for",
    "softmax",
]
