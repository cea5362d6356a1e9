"""Graphs of images: neighbours, affinities, Laplacian and spectral basis."""

from sapwood.graph.affinity import SYMMETRISATIONS, affinity_matrix
from sapwood.graph.cache import remembering_neighbors
from sapwood.graph.kmeans import LANDMARK_CHOICES, choose_landmarks
from sapwood.graph.landmarks import LandmarkBasis, LandmarkGraph, landmark_graph
from sapwood.graph.laplacian import (
    laplacian,
    normalised_affinity,
    spectral_basis,
)
from sapwood.graph.neighbors import nearest_neighbors

__all__ = [
    "LANDMARK_CHOICES",
    "SYMMETRISATIONS",
    "LandmarkBasis",
    "LandmarkGraph",
    "affinity_matrix",
    "choose_landmarks",
    "landmark_graph",
    "laplacian",
    "nearest_neighbors",
    "normalised_affinity",
    "remembering_neighbors",
    "spectral_basis",
]
