"""Concepts learned from tag scores and features of annotated images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sapwood.solvers import Rows, fit_sigmoids
from sapwood.tags.design import Design, fit_design
from sapwood.tags.named import NamedTags, choose_weight, match_names
from sapwood.tags.svm import OneVsAllSVM


@dataclass(frozen=True)
class Taught:
    """What there is to learn from.

    Attributes
    ----------
    Y : Rows of shape (n, t), or None
        Tag scores.
    X : Rows of shape (n, d), or None
    flags : ndarray of bool of shape (n, c)
        The concepts.
    concept_names : list of str
    tag_names : list of str, or None
    """

    Y: Rows | None
    X: Rows | None
    flags: np.ndarray
    concept_names: list[str]
    tag_names: list[str] | None


@dataclass(frozen=True)
class Concepts:
    """Fitted classifiers; their attributes are those of the annotator."""

    design: Design
    svm: OneVsAllSVM
    named: NamedTags
    slope: np.ndarray
    offset: np.ndarray

    def scores(self, Y: Rows | None, X: Rows | None) -> np.ndarray:
        """Return how far each image is on each concept's side, shape (n, c)."""
        scores = self.svm.decision_function(self.design.rows(Y, X))
        return scores if Y is None else self.named.add(scores, Y)


def learn_concepts(
    taught: Taught, svm: OneVsAllSVM, features: str, tag_weights: Sequence[float]
) -> Concepts:
    """Fit SVMs, and choose what tags of the concepts' names add to their scores.

    Parameters
    ----------
    taught : Taught
    svm : OneVsAllSVM
        Is fitted.
    features : str
        Preprocessing of features.
    tag_weights : sequence of float
        Lengths of a row of tag scores among which to choose; a row of features has 1.
    """
    Y, flags = taught.Y, taught.flags
    design = fit_design(Y, taught.X, features)
    D = design.rows(Y, taught.X)
    scales = [design.weighted(weight, D.shape[1]) for weight in tag_weights]
    svm.fit(D, flags, scales=scales)
    rows, scores = svm.held_out_rows_, svm.held_out_scores_
    named = NamedTags(*(np.empty(0, dtype=np.int64),) * 2, np.empty(0))
    if Y is not None and taught.tag_names is not None:
        named = match_names(taught.concept_names, taught.tag_names, design.tag_mean)
        named, scores = choose_weight(named, scores, Y[rows], flags[rows])
    slope, offset = fit_sigmoids(scores, flags[rows])
    return Concepts(design, svm, named, slope, offset)
