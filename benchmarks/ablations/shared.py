"""CUB, its mapped features, graphs and spectral bases: each computed once for all changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from sapwood.data import Split, ZeroShotData, load_zero_shot, standard_setting
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity, spectral_basis
from sapwood.solvers import Eigen

ANNOTATED = (1, 5, 25)
FEATURES = {
    **FEATURE_MAPS,
    "whitened, no root": {**FEATURE_MAPS["whitened"], "root": False},
    "whitened fully": {**FEATURE_MAPS["whitened"], "whitening": 0.5},
}
#: Longest list of neighbours any graph on these features needs.
LONGEST = {"whitened": 300, "unit": 300}
#: Eigenvectors in the largest basis; smaller ones are its beginning.
BASIS = 400
#: Seen classes that play the unseen ones in a partition.
HELD_OUT = 50

_remembered: list[Any] = []


def remembered(size: int | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Keep the last `size` results of a function until :func:`turn_to`; None keeps all."""

    def wrap(function: Callable[..., Any]) -> Any:
        wrapped = lru_cache(maxsize=size)(function)
        _remembered.append(wrapped)
        return wrapped

    return wrap


@dataclass(frozen=True)
class Problem:
    """One draw of annotations.

    Attributes
    ----------
    codes : ndarray of shape (n,)
        Seen class of each annotated image, -1 elsewhere.
    Z, Z_new : ndarray of shape (p, k), (unseen, k)
        Attributes of seen and of unseen classes, as given.
    truth : ndarray of shape (test images,)
        Row of `Z_new`.
    """

    codes: np.ndarray
    Z: np.ndarray
    Z_new: np.ndarray
    truth: np.ndarray


@dataclass(frozen=True)
class Graph:
    """How a graph is made; by default as in the robust preset."""

    features: str = "whitened"
    k_g: int = 10
    sigma: float | str = 1.0
    symmetrize: str = "max"


_data: list[ZeroShotData] = []
_part: list[int | None] = [None]


def cub() -> ZeroShotData:
    """Return the data turned to; at first the paper's split of CUB."""
    if not _data:
        _data.append(load_zero_shot("cub"))
    return _data[-1]


def turned_to() -> int | None:
    """Return the partition turned to; None is the paper's split."""
    return _part[-1]


def turn_to(part: int) -> None:
    """Turn to a partition of the paper's 150 seen classes: 50 of them play the unseen ones."""
    del _data[1:]
    data = cub()
    seen = data.splits["paper"].seen(len(data.class_names))
    rows = np.flatnonzero(np.isin(data.labels, seen))
    unseen = np.random.default_rng(500 + part).permutation(len(seen))[:HELD_OUT]
    _data.append(
        ZeroShotData(
            features=data.features[rows],
            labels=np.searchsorted(seen, data.labels[rows]),
            attributes=data.attributes[seen],
            splits={"paper": Split(name="paper", unseen=np.sort(unseen))},
        )
    )
    _part[:] = [part]
    for function in _remembered:
        function.cache_clear()


@remembered()
def problem(K: int, seed: int) -> Problem:
    data, setting = cub(), standard_setting(cub(), "paper", annotated=K, seed=seed)
    codes = np.where(setting.y >= 0, np.searchsorted(setting.seen, setting.y), -1)
    truth = np.searchsorted(setting.unseen, data.labels[setting.test_unseen])
    Z = np.asarray(data.attributes, dtype=float)
    return Problem(codes, Z[setting.seen], Z[setting.unseen], truth)


@remembered(size=2)
def mapped(name: str, draw: tuple[int, int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return training and test features, which are the same for every draw of annotations.

    With a draw, K and seed, the map's statistics are those of its annotated images alone.
    """
    setting = standard_setting(cub(), "paper", annotated=1, seed=0)
    X, X_test = (
        cub().features[rows].astype(float) for rows in (setting.train, setting.test_unseen)
    )
    features = FeatureMap(**FEATURES[name])
    if draw is None:
        return features.fit_transform(X), features.transform(X_test)
    features.fit(X[problem(*draw).codes >= 0])
    return features.transform(X), features.transform(X_test)


@remembered()
def affinity(graph: Graph) -> scipy.sparse.csr_array:
    k = graph.k_g
    neighbors, squared = nearest_neighbors(
        mapped(graph.features)[0], LONGEST.get(graph.features, k)
    )
    return affinity_matrix(
        neighbors[:, :k], squared[:, :k], sigma=graph.sigma, symmetrize=graph.symmetrize
    )


@remembered()
def normalised(graph: Graph) -> scipy.sparse.csr_array:
    return normalised_affinity(affinity(graph))


@remembered(size=1)
def factor(graph: Graph, alpha: float) -> tuple[np.ndarray, bool]:
    """Cholesky factor of ``I - αS``: a graph of 300 neighbours is hardly sparse any more."""
    M = np.eye(len(mapped(graph.features)[0])) - alpha * normalised(graph).toarray()
    return scipy.linalg.cho_factor(M, overwrite_a=True, check_finite=False)


@remembered()
def _largest_basis(graph: Graph) -> Eigen:
    return spectral_basis(affinity(graph), BASIS)


def basis(graph: Graph, m: int) -> Eigen:
    """Return the m smoothest eigenvectors of the graph's Laplacian."""
    whole = _largest_basis(graph)
    return Eigen(whole.values[:m], whole.vectors[:, :m])
