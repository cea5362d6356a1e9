"""Learning concepts from photos, and scoring others by them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sapwood.cli.output import note
from sapwood.cli.photos import Photos
from sapwood.errors import InputError


def comparable(taught: Photos, given: Photos, source: str) -> tuple[Photos, Photos]:
    """Return photos to learn from and to annotate with features only where both have them.

    Parameters
    ----------
    taught, given : Photos
    source : str
        What the photos to annotate are called in messages.
    """
    ours, theirs = taught.features, given.features
    if ours is not None and theirs is not None:
        if ours.shape[1] != theirs.shape[1]:
            raise InputError(
                f"{source}: {theirs.shape[1]} features a photo; those to learn from have "
                f"{ours.shape[1]}: compute both in the same way"
            )
        return taught, given
    if ours is not None or theirs is not None:
        which = "the photos to learn from have" if ours is None else f"{source} has"
        note(f"{which} no features: tags are all that is learned from")
    return replace(taught, features=None), replace(given, features=None)


def require_enough(annotator: Any, taught: Photos, source: object) -> None:
    """Refuse fewer photos than are held out in turn; `source` tells the concepts of these."""
    if len(taught.names) < annotator.cv:
        raise InputError(
            f"{source}: tells the concepts of {len(taught.names)} photos; at least {annotator.cv} "
            "are needed to learn from: annotate more"
        )


def tags_together(annotator: Any, given: Photos) -> bool:
    """Tell whether tags are repaired, and photos to annotate have some."""
    tagged = given.tags is not None and bool(given.tags.any())
    return annotator.refiner is not None and "tags" in annotator.inputs and tagged


def require_tags_together(annotator: Any, given: Photos) -> None:
    """Refuse to refine photos together where there is nothing to refine."""
    if not tags_together(annotator, given):
        raise InputError(
            "--together is about repairing tags: it needs photos to annotate that have tags, and "
            "inputs among which tags are, refined; leave it out"
        )


def learned_scores(annotator: Any, taught: Photos, given: Photos, together: bool) -> np.ndarray:
    """Learn, and score the photos given, shape (n, c).

    Parameters
    ----------
    annotator : SocialImageAnnotator
    taught : Photos
        With concepts.
    given : Photos
    together : bool
        Whether tags of the photos given help to learn how to repair tags.
    """
    names = {"concept_names": taught.concept_names, "tag_names": taught.tag_names}
    copies = _copies(taught, given)
    if not together:
        annotator.fit(taught.features, taught.tags, taught.concepts, **names)
        return annotator.decision_function(given.features, given.tags)
    assert given.tags is not None
    # A photo that nobody has tagged says nothing of how tags are used, and the tags of a copy would
    # tell what is to be predicted of the photo that is learned from.
    joined = np.flatnonzero(given.tags.any(axis=1) & ~copies)
    unknown = np.full((len(joined), len(taught.concept_names)), -1, dtype=np.int8)
    concepts = np.concatenate([np.asarray(taught.concepts, dtype=np.int8), unknown])
    features = _joined(taught.features, given.features, joined)
    annotator.fit(features, _joined(taught.tags, given.tags, joined), concepts, **names)
    scores = np.empty((len(given.tags), concepts.shape[1]))
    scores[joined] = annotator.unannotated_scores_
    rest = np.setdiff1d(np.arange(len(scores)), joined)
    if len(rest):
        own = None if given.features is None else given.features[rest]
        scores[rest] = annotator.decision_function(own, given.tags[rest])
    return scores


def _copies(taught: Photos, given: Photos) -> np.ndarray:
    """Mask of the photos given that are learned from, too, by their features; they are told."""
    from sapwood.evaluation.record import row_hashes

    if taught.features is None or given.features is None:
        return np.zeros(len(given.names), dtype=bool)
    copies = np.isin(row_hashes(given.features), row_hashes(taught.features))
    if copies.any():
        note(
            f"{copies.sum()} of the {len(copies)} photos to annotate are among those learned from: "
            "what is said of them is little more than what was taught"
        )
    return copies


def _joined(ours: Any, theirs: Any, rows: np.ndarray) -> np.ndarray | None:
    return None if ours is None else np.concatenate([ours, theirs[rows]])
