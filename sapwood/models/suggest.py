"""Which images to annotate next: uncertain ones that stand for many others."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.annotations import as_array, unannotated
from sapwood.models.checks import check_features
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
    uncertainty : ndarray of shape (n,)
        1 less the lead of the most probable seen class over the second: 0 is sure, 1 a tie.
    reached : ndarray of shape (n,)
        How many other images each reaches better than those annotated or chosen before it.
    """

    rows: np.ndarray
    uncertainty: np.ndarray
    reached: np.ndarray


def rank_images(model: Any, X: Any, n: int, y: Any = None) -> Suggestions:
    """Choose n images greedily by what they add to the coverage of uncertain ones.

    An annotation of image j reaches image i by ``B_ij``, where ``B = I + a S + a² S²`` with a = ½
    and S the normalised affinity of the graph. Image i is uncertain by ``u_i = 1 − (p₁ − p₂)``, the
    two largest probabilities among seen classes, and covered as far as the best annotation
    reaches it; the next image is the one that adds most to ``Σ u_i max_j B_ij``.

    Parameters
    ----------
    model : ZeroShotClassifier
        With a feature map.
    X, n, y
        As in :meth:`sapwood.models.base.ZeroShotClassifier.suggest`.
    """
    check_is_fitted(model)
    checked = check_features(model, X, reset=False)
    annotated = annotated_rows(y, len(checked))
    _check_count(n, annotated)
    if not hasattr(model, "feature_map_"):
        raise InputError(
            f"{type(model).__name__} has no feature map, and so no graph of images; use "
            "SparseAttributePropagation"
        )
    proba = np.sort(model.predict_proba(X, classes="seen"), axis=1)
    uncertainty = 1 - (proba[:, -1] - proba[:, -2])
    B = _reach(_graph(model, checked))
    covered = np.zeros(len(checked))
    if annotated.any():
        covered = B[:, np.flatnonzero(annotated)].max(axis=1).toarray().ravel()
    rows, reached = _greedy(B, uncertainty, covered, np.flatnonzero(~annotated), n)
    return Suggestions(rows, uncertainty[rows], reached)


def annotated_rows(y: Any, n: int) -> np.ndarray:
    """Tell which of n images are annotated in `y`, given as to fit; none if `y` is None.

    Examples
    --------
    >>> annotated_rows(["owl", "", None, "jay"], 4)
    array([ True, False, False,  True])
    """
    if y is None:
        return np.zeros(n, dtype=bool)
    labels = as_array(y)
    if len(labels) != n or labels.ndim not in (1, 2):
        raise InputError(
            f"y has shape {labels.shape} but X has {n} rows; give one annotation for each image, "
            "-1 where it has none"
        )
    if labels.ndim == 2 and labels.shape[1] > 1:
        return ~np.isnan(labels.astype(float)).any(axis=1)
    return ~unannotated(labels.ravel())


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


def _graph(model: Any, X: np.ndarray) -> scipy.sparse.csr_array:
    """S of the robust preset's graph, with the model's own width of the affinity if it has one."""
    usual = PRESETS["robust"]
    mapped = model.feature_map_.transform(X)
    neighbors, squared = nearest_neighbors(mapped, min(usual["k_g"], len(X) - 1))
    options = {name: getattr(model, f"{name}_", usual[name]) for name in ("sigma", "symmetrize")}
    return normalised_affinity(affinity_matrix(neighbors, squared, **options))


def _reach(S: scipy.sparse.csr_array) -> scipy.sparse.csc_array:
    B = scipy.sparse.eye_array(S.shape[0]) + STEP * S + STEP**2 * (S @ S)
    return scipy.sparse.csc_array(B)


def _greedy(
    B: scipy.sparse.csc_array,
    uncertainty: np.ndarray,
    covered: np.ndarray,
    candidates: np.ndarray,
    n: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Choose columns of B one by one; also return how many other rows each one reached."""
    covered = covered.copy()

    def column(j: int) -> tuple[np.ndarray, np.ndarray]:
        part = slice(B.indptr[j], B.indptr[j + 1])
        return B.indices[part], B.data[part]

    def ranked(j: int) -> tuple[float, int]:
        rows, reach = column(j)
        gain = uncertainty[rows] * np.maximum(reach - covered[rows], 0.0)
        return -float(gain.sum()), j

    heap = [ranked(int(j)) for j in candidates]
    heapq.heapify(heap)
    chosen: list[int] = []
    reached: list[int] = []
    while len(chosen) < n:
        best = ranked(heapq.heappop(heap)[1])
        # Gains only fall: one that is the largest at its present value is the largest of all.
        if heap and best > heap[0]:
            heapq.heappush(heap, best)
            continue
        rows, reach = column(best[1])
        chosen.append(best[1])
        reached.append(int(((reach > covered[rows]) & (rows != best[1])).sum()))
        covered[rows] = np.maximum(covered[rows], reach)
    return np.array(chosen, dtype=np.int64), np.array(reached, dtype=np.int64)
