"""Bidirectional projection learning and the rules that predict with it."""

from sapwood.projection.bidirectional import (
    ScaledProjection,
    learn_forward,
    learn_projection,
    learn_scaled,
)
from sapwood.projection.bounds import Bounds, proposition_bounds
from sapwood.projection.evidence import Evidence
from sapwood.projection.prediction import (
    METRICS,
    fit_temperature,
    log_loss,
    prototype_scores,
    softmax,
)

__all__ = [
    "METRICS",
    "Bounds",
    "Evidence",
    "ScaledProjection",
    "fit_temperature",
    "learn_forward",
    "learn_projection",
    "learn_scaled",
    "log_loss",
    "proposition_bounds",
    "prototype_scores",
    "softmax",
]
