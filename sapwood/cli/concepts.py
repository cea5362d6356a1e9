"""Learning concepts from photos, and scoring others by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.cli.photos import Photos
from sapwood.errors import InputError


def require_tags_together(annotator: Any, taught: Photos, given: Photos) -> None:
    """Refuse to refine photos together that have no tags, or not the same to go by."""
    if annotator.refiner is None or "tags" not in annotator.inputs:
        raise InputError("--together is about repairing tags, and here none are; leave it out")
    if given.tags is None or not given.tags.any():
        raise InputError("--together needs photos to annotate that have tags; leave it out")
    if (taught.features is None) != (given.features is None):
        which = ("annotate", "learn from")[given.features is None]
        raise InputError(
            f"--together: only the photos to {which} have features; give both kinds the same, or "
            "leave it out"
        )


def learned_scores(
    annotator: Any, taught: Photos | None, given: Photos, together: bool
) -> np.ndarray:
    """Learn, where there is something to learn from, and score the photos given, shape (n, c).

    Parameters
    ----------
    annotator : SocialImageAnnotator
        Fitted already where `taught` is None.
    taught : Photos, or None
        With concepts.
    given : Photos
    together : bool
        Whether tags of the photos given help to learn how to repair tags.
    """
    if taught is None:
        return annotator.decision_function(given.features, given.tags)
    names = {"concept_names": taught.concept_names, "tag_names": taught.tag_names}
    if not together:
        annotator.fit(taught.features, taught.tags, taught.concepts, **names)
        return annotator.decision_function(given.features, given.tags)
    assert given.tags is not None
    # A photo that nobody has tagged says nothing of how tags are used.
    tagged = np.flatnonzero(given.tags.any(axis=1))
    unknown = np.full((len(tagged), len(taught.concept_names)), -1, dtype=np.int8)
    concepts = np.concatenate([np.asarray(taught.concepts, dtype=np.int8), unknown])
    features = _joined(taught.features, given.features, tagged)
    annotator.fit(features, _joined(taught.tags, given.tags, tagged), concepts, **names)
    scores = np.empty((len(given.tags), concepts.shape[1]))
    scores[tagged] = annotator.unannotated_scores_
    rest = np.setdiff1d(np.arange(len(scores)), tagged)
    if len(rest):
        features = None if given.features is None else given.features[rest]
        scores[rest] = annotator.decision_function(features, given.tags[rest])
    return scores


def _joined(ours: Any, theirs: Any, rows: np.ndarray) -> np.ndarray | None:
    return None if ours is None else np.concatenate([ours, theirs[rows]])
