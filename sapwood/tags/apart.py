"""Refined tags to learn from: each image's as if it were new."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from sapwood.progress import report
from sapwood.solvers import Rows
from sapwood.tags.design import dense
from sapwood.tags.refiner import TagRefiner
from sapwood.tags.settings import divide

#: Parts into which images are divided to be refined by what was learned from the others.
FOLDS = 5


def refine_apart(
    refiner: Any, X: Rows | None, tags: Any, names: list[str] | None, folds: int | None, seed: int
) -> np.ndarray:
    """Fit a refiner to all images, and refine each without its own tags' part in the result.

    Parameters
    ----------
    refiner : estimator
        With ``fit(X, tags)`` and ``transform(X, tags)``.
    X : Rows of shape (n, d) or None
    tags : sparse array of shape (n, t)
    names : list of str, or None
        Of the tags.
    folds : int, optional
        Parts, each refined by what was learned from the others; by default none for a robust
        :class:`TagRefiner`, which leaves an image's own tags out by itself, and 5 for any other.
    seed : int
        Of the division.

    Returns
    -------
    ndarray of shape (n, t)
    """
    report("refining")
    named = {"tag_names": names} if isinstance(refiner, TagRefiner) else {}
    if folds is None and isinstance(refiner, TagRefiner) and refiner.preset == "robust":
        return refiner.fit_transform(X, tags, **named)
    parts = FOLDS if folds is None else folds
    part_of = divide(tags.shape[0], parts, np.random.default_rng(seed), "folds")
    refined = np.empty(tags.shape, dtype=np.float32)
    for part in range(parts):
        report("refining", part / (parts + 1))
        own, others = np.flatnonzero(part_of == part), np.flatnonzero(part_of != part)
        fitted = clone(refiner).fit(_take(X, others), tags[others], **named)
        refined[own] = dense(fitted.transform(_take(X, own), tags[own]))
    refiner.fit(X, tags, **named)
    return refined


def _take(X: Rows | None, rows: np.ndarray) -> np.ndarray | None:
    return None if X is None else X[rows]
