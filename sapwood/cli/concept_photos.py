"""Which photos ``sapwood annotate`` learns from, and which it annotates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.cli.concepts import comparable
from sapwood.cli.photos import (
    Photos,
    Tagged,
    load_photos,
    load_tagged,
    matched,
    photos_to_annotate,
    photos_to_learn_from,
)
from sapwood.errors import InputError


def photos_to_work_at(
    train: str | None, photos: str | None, tags: Path | None, concepts: Path | None
) -> tuple[Photos, Photos, bool]:
    """Return photos to learn from and photos to annotate, with features where both have them.

    Parameters
    ----------
    train : str, optional
        A set with concepts, or photos whose concepts stand in a table; without it those that a
        table of tags names.
    photos : str, optional
        Those to annotate; by default others of the set.
    tags, concepts : Path, optional
        The tables.

    Returns
    -------
    Photos, Photos
    bool
        Whether those to annotate are of the same set: ones that nobody has annotated.
    """
    from sapwood.data import load_tags

    if concepts is not None:
        if photos is not None:
            raise InputError(
                f"{photos} is given beside --concepts, which says what is annotated: the photos of "
                f"{train} that it does not name; leave one of them out"
            )
        return *_from_tables(train, tags, concepts), True
    if train is None:
        raise InputError(
            "no photos are given; give a set with tags and concepts, or --tags and --concepts, two "
            "tables, with or without features of the photos"
        )
    if tags is not None:
        raise InputError("--tags is a table for --concepts, to learn from, or for --model")
    known = load_tags(train)
    taught = photos_to_learn_from(known, train)
    if photos is None:
        return taught, photos_to_annotate(known, train), known.test is None
    names, sees = taught.concept_names, known.features is not None
    given = load_photos(photos, taught.tag_names, sees, names)
    return *comparable(taught, given, photos), False


def kept_annotator(model: Path, photos: str | None, tags: Path | None) -> tuple[Photos, Any]:
    """Return photos to annotate, and who learned to do it; `tags` is a table of theirs."""
    from sapwood.tags.annotator import SocialImageAnnotator

    annotator = SocialImageAnnotator.load(model)
    width = annotator.n_features_in_
    if photos is None or tags is not None:
        given = _for_model(photos, tags, annotator.tag_names_)
    else:
        names = annotator.tag_names_ or [], width is not None, annotator.concept_names_
        given = load_photos(photos, *names)
    if width is None:
        return replace(given, features=None), annotator
    found = None if given.features is None else given.features.shape[1]
    if found != width:
        told = "no features" if found is None else f"{found} features a photo"
        raise InputError(f"{photos or tags}: has {told}; {model} was learned from {width} a photo")
    return given, annotator


def _from_tables(source: str | None, tags: Path | None, concepts: Path) -> tuple[Photos, Photos]:
    """Return the photos that a table of concepts names, to learn from, and all others.

    Parameters
    ----------
    source : str, optional
        Features, and tags where there is no table of them.
    tags : Path, optional
        A table with the columns image and tag, or image and tags.
    concepts : Path
        The same with concept; a photo that shows none of them has an empty cell.
    """
    from sapwood.tags.tables import read_tag_table
    from sapwood.tags.vocabulary import build_vocabulary

    given = load_tagged(source, tags)
    table = read_tag_table(concepts, "concept")
    shown = matched(table, given.images, concepts, "concepts")
    taught = np.array([image in table for image in given.images])
    if taught.all():
        raise InputError(
            f"{concepts}: names all {len(taught)} photos, so none is left to annotate; name in it "
            "only those to learn from"
        )
    written = sum(map(len, shown))
    if not written:
        raise InputError(f"{concepts}: names no concept of any photo; give what they show")
    T, tag_names = _tag_matrix(given, np.flatnonzero(taught))
    vocabulary = build_vocabulary(shown, written, ())
    flags = vocabulary.encode(shown).toarray().astype(np.int8)
    known, others = np.flatnonzero(taught), np.flatnonzero(~taught)
    first = Photos(*_rows(given, T, known), flags[known], tag_names, list(vocabulary.names))
    return first, Photos(*_rows(given, T, others), None, tag_names, list(vocabulary.names))


def _for_model(source: str | None, tags: Path | None, tag_names: list[str] | None) -> Photos:
    """Return photos whose tags stand in a table, as a model with these tags knows them."""
    from sapwood.tags.inputs import vocabulary_of

    given = load_tagged(source, tags)
    T = vocabulary_of(tag_names).encode(given.tags).toarray()
    return Photos(*_rows(given, T, np.arange(len(T))))


def _tag_matrix(given: Tagged, first: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return tags as a matrix, and their names; of words those of the `first` photos come first."""
    from sapwood.tags import TagRefiner
    from sapwood.tags.inputs import read_words

    if given.tag_names is not None:
        return given.tags, given.tag_names
    usual = TagRefiner()
    T, vocabulary = read_words(given.tags, None, usual.n_tags, usual.stop_tags, first)
    return T.toarray(), list(vocabulary.names)


def _rows(given: Tagged, T: np.ndarray, rows: np.ndarray) -> tuple[list[str], Any, np.ndarray]:
    features = None if given.features is None else given.features[rows]
    return [given.images[i] for i in rows], features, T[rows]
