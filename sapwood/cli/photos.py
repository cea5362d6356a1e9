"""Photos with tags, features or both, as ``sapwood refine`` and ``annotate`` read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sapwood.cli.output import note
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.data import FeatureTable, TagData, ZeroShotData


@dataclass(frozen=True)
class Photos:
    """Photos, and what they show, if that is known."""

    names: list[str]
    features: np.ndarray | None
    tags: np.ndarray | None
    concepts: np.ndarray | None = None
    tag_names: list[str] = field(default_factory=list)
    concept_names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Tagged:
    """Photos and what was written about them: a matrix with names, or words."""

    images: list[str]
    features: np.ndarray | None
    tags: Any
    tag_names: list[str] | None = None


def refuse_with_model(**given: object) -> None:
    """Refuse what is about learning where --model has learned."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"--model has learned already, so {name} cannot be chosen any more; with it, give "
                "the photos to work at and nothing to learn from"
            )


def load_photos(
    source: str, tag_names: list[str], by_features: bool, concept_names: list[str]
) -> Photos:
    """Load photos with tags, features or both; columns of tags are matched by their names.

    Parameters
    ----------
    source : str
    tag_names : list of str
        The training photos'.
    by_features : bool
        Whether these had features, too.
    concept_names : list of str
        Theirs; concepts of the photos are kept where all of them are known.
    """
    from sapwood.data import TagData

    data = _load(source)
    if not by_features and not isinstance(data, TagData):
        raise InputError(f"{source}: has no tags, and the training photos have nothing else")
    tags = _aligned(data, tag_names, source) if isinstance(data, TagData) and tag_names else None
    shown = _concepts(data, concept_names, source) if isinstance(data, TagData) else None
    return Photos([str(name) for name in data.image_names], data.features, tags, shown)


def _columns(given: Any, names: list[str]) -> list[int | None]:
    from sapwood.tags.frames import columns_by_name

    return [*map(columns_by_name(given), names)]


def _concepts(data: TagData, names: list[str], source: str) -> np.ndarray | None:
    if data.concepts is None or data.concept_names is None:
        return None
    found = _columns(data.concept_names, names)
    missing = [name for name, at in zip(names, found, strict=True) if at is None]
    if missing:
        note(f"{source}: has concepts, but none called {missing[0]!r}, so nothing is scored")
        return None
    return data.concepts[:, np.array(found)]


def _load(source: str, features: str | None = None) -> TagData | ZeroShotData | FeatureTable:
    from sapwood.data import AttributeTable, load, load_features

    try:
        data = load(source, features=features)
    except InputError:
        # A table of features may not say that it is one.
        return load_features(source, features=features)
    if isinstance(data, AttributeTable):
        raise InputError(
            f"{source}: holds attributes of classes, but photos were expected; give their tags or "
            "features"
        )
    return data


def _aligned(data: TagData, names: list[str], source: str) -> np.ndarray:
    found = _columns(data.tag_names, names)
    shared = [(j, at) for j, at in enumerate(found) if at is not None]
    if not shared:
        raise InputError(
            f"{source}: none of its {len(data.tag_names)} tags is one of the training photos'; "
            "name the same words alike (tag_names)"
        )
    if len(shared) < len(names):
        missing = len(names) - len(shared)
        note(f"{missing} of {len(names)} training tags are not in {source}")
    ours, theirs = np.array(shared).T
    tags = np.zeros((len(data.tags), len(names)), dtype=data.tags.dtype)
    tags[:, ours] = data.tags[:, theirs]
    return tags


def photos_to_learn_from(known: TagData, source: str) -> Photos:
    """Return the photos of a set that are to be learned from, with their concepts."""
    if known.concepts is None:
        raise InputError(
            f"{source}: has no concepts to learn; give a set with `concepts`, or photos with "
            "--tags and --concepts, two tables"
        )
    annotated = np.flatnonzero((known.concepts >= 0).all(axis=1))
    rows = annotated if known.train is None else np.intersect1d(known.train, annotated)
    return _photos(known, rows)


def photos_to_annotate(known: TagData, source: str) -> Photos:
    """Return the photos that a set names for the test, or those that nobody has annotated."""
    rows = known.test
    if rows is None and known.concepts is not None:
        rows = np.flatnonzero((known.concepts < 0).all(axis=1))
    if rows is None or not len(rows):
        raise InputError(
            f"{source}: names no test photos, and concepts of all are known; give the photos to "
            "annotate as well"
        )
    return _photos(known, rows)


def _photos(known: TagData, rows: np.ndarray) -> Photos:
    names = [str(name) for name in known.image_names[rows]]
    features = None if known.features is None else known.features[rows]
    concepts = None if known.concepts is None else known.concepts[rows]
    called = [] if known.concept_names is None else [str(name) for name in known.concept_names]
    tags = [str(name) for name in known.tag_names]
    return Photos(names, features, known.tags[rows], concepts, tags, called)


def load_tagged(
    photos: str | None, tags: Path | None, features: str | None = None, optional: bool = False
) -> Tagged:
    """Load photos and their tags; words of a table are matched by the photos' names.

    Parameters
    ----------
    photos : str, optional
        Without them the tags are all there is.
    tags : Path, optional
        A table of words; without it the photos have tags of their own.
    features : str, optional
        A matrix of features, for a folder in its original layout.
    optional : bool
        Whether there may be no tags at all.
    """
    from sapwood.data import TagData, load_features
    from sapwood.tags.tables import read_tag_table

    if photos is None:
        if tags is None:
            raise InputError("neither photos nor --tags is given; give one of them or both")
        if features is not None:
            raise InputError(
                "--features are for a folder in its original layout, and there are no photos; "
                f"give {features} as the photos"
            )
        table = read_tag_table(tags)
        return Tagged(list(table), None, list(table.values()))
    data = _load(photos, features) if tags is None else load_features(photos, features=features)
    images = [str(name) for name in data.image_names]
    if tags is not None:
        return Tagged(images, data.features, matched(read_tag_table(tags), images, tags))
    if isinstance(data, TagData):
        return Tagged(images, data.features, data.tags, [str(name) for name in data.tag_names])
    if not optional:
        raise InputError(f"{photos}: has no tags; give them as well, as --tags FILE")
    return Tagged(images, data.features, None)


def matched(
    table: dict[str, list[str]], images: list[str], source: Path, what: str = "tags"
) -> list[list[str]]:
    """Return the words of each image, by its name; `source` is told where names do not fit."""
    known = set(images)
    strange = [name for name in table if name not in known]
    if len(strange) == len(table):
        raise InputError(
            f"{source}: none of its {len(table)} images is among the photos (first: "
            f"{strange[0]!r}); name images alike in both{closest(strange[0], images)}"
        )
    if strange:
        note(
            f"{source}: {len(strange)} of {len(table)} images are not among the photos, and their "
            f"{what} are left out (first: {strange[0]!r}){closest(strange[0], images)}"
        )
    return [table.get(name, []) for name in images]
