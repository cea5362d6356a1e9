"""Which images to annotate next: those that stand for many others which no annotation reaches."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from sapwood.data.labels import as_labels, unannotated
from sapwood.errors import InputError
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.checks import check_features, check_training_features, require_row_order
from sapwood.models.limits import Number, require
from sapwood.models.parameters import PRESETS

#: How much of an annotation a step along the graph carries on; it goes two steps far.
STEP = 0.5


@dataclass(frozen=True, eq=False)
class Suggestions:
    """Images to annotate, the most useful first.

    Attributes
    ----------
    rows : ndarray of shape (n,)
    novelty : ndarray of shape (n,)
        How far no annotation, and none of the images chosen before, reaches it: 0 to 1.
    reached : ndarray of shape (n,)
        How many other images each reaches better than those annotated or chosen before it.
    """

    rows: np.ndarray
    novelty: np.ndarray
    reached: np.ndarray


def suggest_images(X: Any, n: int, y: Any = None) -> np.ndarray:
    """Choose the images to annotate next, or first, before there is a model.

    Parameters
    ----------
    X : array-like of shape (images, d)
    n : int
    y : array-like of shape (images,), optional
        Annotations so far, as given to fit.

    Returns
    -------
    ndarray of shape (n,)
        Rows of X, the most useful first.

    Examples
    --------
    >>> X = np.eye(3)[np.arange(30) % 3] + 0.1 * np.random.default_rng(0).random((30, 3))
    >>> sorted(suggest_images(X, 3) % 3)
    [np.int64(0), np.int64(1), np.int64(2)]
    """
    unfitted = FeatureMap(**FEATURE_MAPS[PRESETS["robust"]["features"]])
    checked = check_training_features(unfitted, X, y)
    annotated = annotated_rows(y, len(checked))
    _check_count(n, annotated)
    usual = PRESETS["robust"]
    graph = _graph(unfitted.fit_transform(checked), usual["sigma"], usual["symmetrize"])
    return _ranked(graph, annotated, n).rows


def rank_images(model: Any, X: Any, n: int, y: Any = None) -> Suggestions:
    """Choose n images greedily by what they add to the reach of annotations.

    An annotation of image j reaches image i by ``B_ij``, where ``B = I + a S + a² S²`` with a = ½
    and S the normalised affinity of the graph. Image i is covered as far as the best annotation
    reaches it; the next image is the one that adds most to ``Σ_i max_j B_ij``.

    Parameters
    ----------
    model : ZeroShotClassifier
        With a feature map.
    X, n, y
        As in :meth:`sapwood.models.base.ZeroShotClassifier.suggest`.
    """
    check_is_fitted(model)
    require_row_order(X, y, "y")
    checked = check_features(model, X, reset=False)
    annotated = annotated_rows(y, len(checked))
    _check_count(n, annotated)
    if not hasattr(model, "feature_map_"):
        raise InputError(
            f"{type(model).__name__} has no feature map, and so no graph of images; use "
            "SparseAttributePropagation"
        )
    usual = PRESETS["robust"]
    own = [getattr(model, f"{name}_", usual[name]) for name in ("sigma", "symmetrize")]
    return _ranked(_graph(model.feature_map_.transform(checked), *own), annotated, n)


def _ranked(S: scipy.sparse.csr_array, annotated: np.ndarray, n: int) -> Suggestions:
    B = _reach(S)
    covered = np.zeros(len(annotated))
    if annotated.any():
        covered = B[:, np.flatnonzero(annotated)].max(axis=1).toarray().ravel()
    return _greedy(B, covered, np.flatnonzero(~annotated), n)


def annotated_rows(y: Any, n: int) -> np.ndarray:
    """Tell which of n images are annotated in `y`, given as to fit; none if `y` is None.

    Examples
    --------
    >>> annotated_rows(["owl", "", None, "jay"], 4)
    array([ True, False, False,  True])
    """
    if y is None:
        return np.zeros(n, dtype=bool)
    labels = as_labels(y)
    if len(labels) != n or labels.ndim not in (1, 2):
        raise InputError(
            f"y has shape {labels.shape} but X has {n} rows; give one annotation for each image, "
            "-1 where it has none"
        )
    if labels.ndim == 2:
        return ~np.isnan(labels.astype(float)).any(axis=1)
    return ~unannotated(labels)


def _check_count(n: Any, annotated: np.ndarray) -> None:
    require("n", n, Number(1, integer=True))
    left = int((~annotated).sum())
    if len(annotated) < 2:
        raise InputError("X has one image; a graph of images needs at least 2")
    if n > left:
        raise InputError(
            f"n is {n}, but only {left} of the {len(annotated)} images are unannotated; ask for "
            "fewer, or give more images"
        )


def _graph(X: np.ndarray, sigma: float | str, symmetrize: str) -> scipy.sparse.csr_array:
    """S of the robust preset's graph of mapped features."""
    neighbors, squared = nearest_neighbors(X, min(PRESETS["robust"]["k_g"], len(X) - 1))
    return normalised_affinity(
        affinity_matrix(neighbors, squared, sigma=sigma, symmetrize=symmetrize)
    )


def _reach(S: scipy.sparse.csr_array) -> scipy.sparse.csc_array:
    B = scipy.sparse.eye_array(S.shape[0]) + STEP * S + STEP**2 * (S @ S)
    return scipy.sparse.csc_array(B)


def _greedy(
    B: scipy.sparse.csc_array, covered: np.ndarray, candidates: np.ndarray, n: int
) -> Suggestions:
    """Choose columns of B one by one, each time the one that adds most to what is covered."""
    covered = covered.copy()

    def column(j: int) -> tuple[np.ndarray, np.ndarray]:
        part = slice(B.indptr[j], B.indptr[j + 1])
        return B.indices[part], B.data[part]

    def ranked(j: int) -> tuple[float, int]:
        rows, reach = column(j)
        return -float(np.maximum(reach - covered[rows], 0.0).sum()), j

    heap = [ranked(int(j)) for j in candidates]
    heapq.heapify(heap)
    chosen: list[tuple[int, float, int]] = []
    own = B.diagonal()
    while len(chosen) < n:
        best = ranked(heapq.heappop(heap)[1])
        # Gains only fall: one that is the largest at its present value is the largest of all.
        if heap and best > heap[0]:
            heapq.heappush(heap, best)
            continue
        j = best[1]
        rows, reach = column(j)
        reached = int(((reach > covered[rows]) & (rows != j)).sum())
        chosen.append((j, max(0.0, 1 - covered[j] / own[j]) if own[j] else 0.0, reached))
        covered[rows] = np.maximum(covered[rows], reach)
    picked, novelty, counts = zip(*chosen, strict=True)
    return Suggestions(np.array(picked), np.array(novelty), np.array(counts))
