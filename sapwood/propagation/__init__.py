"""Sparse attribute propagation: the paper's (`sparse`) and the robust one (`posterior`)."""

from sapwood.propagation.posterior import Posterior, class_votes, graph_posterior, sharpen
from sapwood.propagation.sparse import (
    PENALTIES,
    propagate_to_images,
    smooth_coefficients,
    smoothness,
)

__all__ = [
    "PENALTIES",
    "Posterior",
    "class_votes",
    "graph_posterior",
    "propagate_to_images",
    "sharpen",
    "smooth_coefficients",
    "smoothness",
]
