"""Graphs of images: neighbours, affinities, Laplacian and spectral basis."""

from sapwood.graph.affinity import SYMMETRISATIONS, affinity_matrix
from sapwood.graph.cache import remembering_neighbors
from sapwood.graph.laplacian import (
    laplacian,
    normalised_affinity,
    spectral_basis,
)
from sapwood.graph.neighbors import nearest_neighbors

__all__ = [
    "SYMMETRISATIONS",
    "affinity_matrix",
    "laplacian",
    "nearest_neighbors",
    "normalised_affinity",
    "remembering_neighbors",
    "spectral_basis",
]
