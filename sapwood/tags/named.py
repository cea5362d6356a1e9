"""Concepts that are called as a tag is: the tag's own score speaks for them, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sapwood.solvers import Rows, map_blocks, rows_at_a_time
from sapwood.tags.design import dense
from sapwood.tags.frames import columns_by_name

#: The least score of a tag of which a logarithm is taken.
LEAST = 1e-3
#: Holds the weights of standardised terms back, in the same way for any number of images: the
#: fewer there are, the more it matters.
RIDGE = 8.0
#: Pairs of an image and a concept that weights are learned from.
MOST = 1_000_000
#: Facts about a pair that are weighed, and those of them that also say what an SVM's score counts.
FACTS, SLOPES = 6, 4
#: A higher score of the SVM never counts against a concept, whatever few images say.
LEAST_SLOPE = 1e-3
#: What a pair has of its own.
PAIRED = ("concepts", "tags", "rarity")


@dataclass(frozen=True)
class NamedTags:
    """Log-odds of concepts from an SVM's scores and the scores of the tags of their names.

    What the two scores mean is much the same for all concepts, and a rare one has too few images
    to tell. So there is one logistic regression for all, which knows how rare each of them is.

    Attributes
    ----------
    concepts, tags : ndarray of int of shape (k,)
        Columns of each pair.
    rarity : ndarray of shape (k,)
        Logarithm of the share of annotated images that show the concept.
    offset : ndarray of shape (6,)
        Weights of a constant, the tag's score, its logarithm, the rarity, and of products of the
        latter with the two before it.
    slope : ndarray of shape (4,)
        How the first four of them change what the SVM's score counts.
    """

    concepts: np.ndarray
    tags: np.ndarray
    rarity: np.ndarray
    offset: np.ndarray
    slope: np.ndarray

    def log_odds(self, scores: np.ndarray, Y: Rows) -> np.ndarray:
        """Return the log-odds of the concepts that have a tag, shape (n, k).

        Parameters
        ----------
        scores : ndarray of shape (n, c)
            Of the SVMs.
        Y : Rows of shape (n, t)
            Of the tags.
        """
        k = len(self.concepts)

        def work(rows: slice) -> np.ndarray:
            facts = _facts(dense(Y[rows][:, self.tags]), self.rarity)
            slope = np.maximum(np.tensordot(self.slope, facts[:SLOPES], 1), LEAST_SLOPE)
            return np.tensordot(self.offset, facts, 1) + slope * scores[rows][:, self.concepts]

        blocks = map_blocks(work, len(scores), rows_at_a_time(2 * FACTS * max(k, 1)))
        return np.concatenate([np.empty((0, k)), *blocks])


def match_names(
    concept_names: Sequence[str], tag_names: Sequence[str] | None, flags: np.ndarray
) -> NamedTags:
    """Find the tag of each concept's name; words are folded first.

    Parameters
    ----------
    concept_names : sequence of str
    tag_names : sequence of str, or None
        None where there are no tags, or nobody knows what they are called.
    flags : ndarray of bool of shape (n, c)
        Which annotated images show which concept.

    Examples
    --------
    >>> match_names(["Dog", "joy"], ["sea", "#dog"], np.ones((4, 2))).tags
    array([1])
    """
    column = columns_by_name(() if tag_names is None else tag_names)
    found = [column(str(name)) for name in concept_names]
    concepts = np.array([c for c, tag in enumerate(found) if tag is not None], dtype=np.int64)
    tags = np.array([tag for tag in found if tag is not None], dtype=np.int64)
    # One image more on either side: a concept that none shows is not impossible.
    share = (flags[:, concepts].sum(axis=0) + 1) / (len(flags) + 2)
    return NamedTags(concepts, tags, np.log(share), np.zeros(FACTS), np.zeros(SLOPES))


def learn_weights(named: NamedTags, scores: np.ndarray, Y: Rows, flags: np.ndarray) -> NamedTags:
    """Learn what scores and tags mean, from images held out.

    Parameters
    ----------
    named : NamedTags
    scores : ndarray of shape (n, c)
        Of SVMs that were not fitted to these images.
    Y : Rows of shape (n, t)
        Their tag scores.
    flags : ndarray of bool of shape (n, c)

    Returns
    -------
    NamedTags
        Without any pair where all images show the concepts of all pairs, or none does.
    """
    # Images may be in an order that means something, so that the first ones are unlike the others.
    most = min(len(flags), MOST // max(len(named.concepts), 1))
    some = np.linspace(0, len(flags) - 1, most).astype(np.int64)
    truth = flags[some][:, named.concepts].ravel()
    if truth.all() or not truth.any():
        return replace(named, **{name: getattr(named, name)[:0] for name in PAIRED})
    facts = _facts(dense(Y[some][:, named.tags]), named.rarity)
    given = scores[some][:, named.concepts]
    # With few images products may say that higher scores count against some concepts. Then all
    # scores count alike or, if that is no better, not at all.
    for slopes in (SLOPES, 1):
        weights = _logistic_weights([*facts[1:], *(facts[:slopes] * given)], truth)
        slope = np.append(weights[FACTS:], np.zeros(SLOPES - slopes))
        if np.tensordot(slope, facts[:SLOPES], 1).min() >= LEAST_SLOPE:
            return replace(named, offset=weights[:FACTS], slope=slope)
    return replace(named, offset=_logistic_weights([*facts[1:]], truth))


def _logistic_weights(terms: list[np.ndarray], truth: np.ndarray) -> np.ndarray:
    """Return the weights of a constant and of terms, each as large as `truth`."""
    from sklearn.linear_model import LogisticRegression

    D = np.stack([term.ravel() for term in terms], axis=1)
    mean, scale = D.mean(axis=0), D.std(axis=0)
    # What is constant but for rounding has nothing to say.
    scale[scale <= 1e-9 * np.abs(mean)] = np.inf
    fitted = LogisticRegression(C=1 / (2 * RIDGE), solver="newton-cholesky")
    fitted.fit((D - mean) / scale, truth)
    weights = fitted.coef_[0] / scale
    return np.append(fitted.intercept_ - weights @ mean, weights)


def _facts(given: np.ndarray, rarity: np.ndarray) -> np.ndarray:
    """Return what is weighed of tag scores, shape (n, k), and rarities: shape (6, n, k)."""
    given = given.astype(np.float64)
    level, rare = np.log(np.maximum(given, LEAST)), np.broadcast_to(rarity, given.shape)
    return np.stack([np.ones(given.shape), given, level, rare, rare * given, rare * level])
