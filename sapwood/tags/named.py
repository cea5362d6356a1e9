"""Concepts that are called as a tag is: the tag's own score speaks for them, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sapwood.metrics import average_precisions
from sapwood.solvers import Rows
from sapwood.tags.design import dense
from sapwood.tags.vocabulary import fold_tag

#: What a whole tag may add to an SVM's score, among which to choose.
NAME_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class NamedTags:
    """Pairs of a concept and the tag of its name.

    Attributes
    ----------
    concepts, tags : ndarray of int of shape (k,)
        Columns.
    mean : ndarray of shape (k,)
        Of the tags' scores.
    weight : float
    """

    concepts: np.ndarray
    tags: np.ndarray
    mean: np.ndarray
    weight: float = 0.0

    def add(self, scores: np.ndarray, Y: Rows) -> np.ndarray:
        """Return scores of concepts, shape (n, c), raised by tag scores Y, shape (n, t)."""
        if not self.weight:
            return scores
        raised = scores.astype(np.float64)
        raised[:, self.concepts] += self.weight * (dense(Y[:, self.tags]) - self.mean)
        return raised


def match_names(
    concept_names: Sequence[str], tag_names: Sequence[str], tag_mean: np.ndarray
) -> NamedTags:
    """Find the tag of each concept's name; words are folded first.

    Examples
    --------
    >>> match_names(["Dog", "joy"], ["sea", "#dog"], np.zeros(2)).tags
    array([1])
    """
    column = {fold_tag(str(name)): j for j, name in enumerate(tag_names)}
    folded = [fold_tag(str(name)) for name in concept_names]
    concepts = np.array([c for c, name in enumerate(folded) if name in column], dtype=np.int64)
    tags = np.array([column[folded[c]] for c in concepts], dtype=np.int64)
    return NamedTags(concepts, tags, tag_mean[tags])


def choose_weight(
    named: NamedTags, scores: np.ndarray, Y: Rows, flags: np.ndarray
) -> tuple[NamedTags, np.ndarray]:
    """Take the weight with the highest mean average precision on images held out.

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
    ndarray of shape (n, c)
        The scores so raised.
    """

    def quality(one: NamedTags) -> float:
        return float(np.nanmean(average_precisions(flags, one.add(scores, Y))))

    weights = NAME_WEIGHTS if len(named.concepts) else NAME_WEIGHTS[:1]
    # Of equals the first, the lowest: a tag without a say needs no reason.
    best = max((replace(named, weight=weight) for weight in weights), key=quality)
    return best, best.add(scores, Y)
