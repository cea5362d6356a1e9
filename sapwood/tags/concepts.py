"""Concepts learned from tag scores and features of annotated images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sapwood.solvers import Rows
from sapwood.tags.design import Design, fit_design
from sapwood.tags.named import NamedTags, learn_weights, match_names
from sapwood.tags.svm import OneVsAllSVM
from sapwood.tags.threshold import best_threshold

#: Of a sigmoid, so that scores keep their order.
FLATTEST = 1e-6
#: Images are given so many times as many concepts as they show, at most.
MOST_GIVEN = 2.0


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
    threshold: float

    def scores(self, Y: Rows | None, X: Rows | None) -> np.ndarray:
        """Return the log-odds of each image's concepts less the threshold, shape (n, c)."""
        scores = self.svm.decision_function(self.design.rows(Y, X))
        return log_odds(scores, Y, self.svm, self.named) - self.threshold


def log_odds(scores: np.ndarray, Y: Rows | None, svm: OneVsAllSVM, named: NamedTags) -> np.ndarray:
    """Return the log-odds that go with an SVM's scores and tag scores, shape (n, c)."""
    # Where scores misled on images held out, their order is all that they say.
    found = np.maximum(svm.slope_, FLATTEST) * scores + svm.offset_
    if Y is not None:
        found[:, named.concepts] = named.log_odds(scores, Y)
    return found


def learn_concepts(
    taught: Taught, svm: OneVsAllSVM, features: str, tag_weights: Sequence[float]
) -> Concepts:
    """Fit SVMs, and learn what their scores and the tags of the concepts' names mean.

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
    named = match_names(taught.concept_names, None if Y is None else taught.tag_names, flags)
    held_out = None if Y is None else Y[rows]
    if held_out is not None:
        named = learn_weights(named, scores, held_out, flags[rows])
    found = log_odds(scores, held_out, svm, named)
    return Concepts(design, svm, named, best_threshold(flags[rows], found, MOST_GIVEN))
