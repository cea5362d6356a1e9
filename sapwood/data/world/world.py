"""A world of creatures, known by their attributes: pictures, features, classes and tags."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sapwood.data.world.album import Progress, draw_found, draw_portraits
from sapwood.data.world.draws import Draws
from sapwood.data.world.features import picture_features
from sapwood.data.world.picture import Nuisance
from sapwood.data.world.species import make_species
from sapwood.data.world.tags import make_tags
from sapwood.data.world.traits import ATTRIBUTES
from sapwood.errors import InputError

#: First number of the key of each random stream; :mod:`.album` has two more.
_SPECIES, _TAGS = 0, 3


@dataclass(frozen=True, eq=False, repr=False)
class AttributeWorld:
    """Drawn creatures of n pictures, some of whose classes nobody has annotated.

    Parameters
    ----------
    pictures : ndarray of uint8, shape (n, size, size, 3)
    features : ndarray of float32, shape (n, d)
    labels : ndarray of int, shape (n,)
        The class of each picture, a row of `attributes`.
    attributes : ndarray of float, shape (classes, k)
        Share of the class's pictures that show the attribute.
    class_names, attribute_names, image_files : list of str
    unseen : ndarray of int
        The classes of which no picture is annotated: the world's own split.
    concepts : ndarray of bool, shape (n, k)
        Which attributes each picture truly shows.
    tags : ndarray of uint8, shape (n, t)
        Noisy tags.
    tag_names : list of str
    web_pictures, web_features : ndarray
        Unlabelled pictures found elsewhere, shape (w, size, size, 3), and their features (w, d).
    web_files : list of str
    web_classes : list of str
        What they really show, "" for nothing: many are of classes that are not in `class_names`.

    Examples
    --------
    >>> world = make_attribute_world(seen=3, unseen=2, strangers=1, per_class=4, web=5, size=32)
    >>> world.pictures.shape, world.attributes.shape, len(world.web_files)
    ((20, 32, 32, 3), (5, 37), 5)
    """

    pictures: np.ndarray
    features: np.ndarray
    labels: np.ndarray
    attributes: np.ndarray
    class_names: list[str]
    attribute_names: list[str]
    image_files: list[str]
    unseen: np.ndarray
    concepts: np.ndarray
    tags: np.ndarray
    tag_names: list[str]
    web_pictures: np.ndarray
    web_features: np.ndarray
    web_files: list[str]
    web_classes: list[str] = field(default_factory=list)

    @property
    def seen(self) -> np.ndarray:
        """The other classes."""
        return np.setdiff1d(np.arange(len(self.class_names)), self.unseen)

    def __repr__(self) -> str:
        shapes = f"{len(self.pictures)} pictures, {len(self.seen)} seen and {len(self.unseen)}"
        return f"AttributeWorld({shapes} unseen classes, {len(self.web_pictures)} web pictures)"


def make_attribute_world(
    seed: int = 0,
    *,
    creatures: int = 11,
    seen: int = 30,
    unseen: int = 10,
    strangers: int = 12,
    per_class: int = 60,
    web: int = 600,
    size: int = 96,
    nuisance: float = 1.0,
    progress: Progress | None = None,
) -> AttributeWorld:
    """Make up creatures and draw pictures of them.

    Every choice follows from the seeds, and only operations are used that give the same bits on
    every machine.

    Parameters
    ----------
    seed : int
        Of the pictures and tags.
    creatures : int
        Which creatures are made up: another number gives another cast.
    seen, unseen : int
        Number of classes with and without annotated pictures.
    strangers : int
        Classes that only occur among the web pictures.
    per_class : int
        Pictures of each class.
    web : int
        Pictures from elsewhere.
    size : int
        Pixels a side, 24 or more.
    nuisance : float
        How much pictures of one class differ: pose, size, place, light, clutter, occlusion.
    progress : callable, optional
        Called with what is being done and the share of it that is done.

    Returns
    -------
    AttributeWorld

    Examples
    --------
    >>> make_attribute_world(seen=3, unseen=2, strangers=1, per_class=2, web=3, size=32)
    AttributeWorld(10 pictures, 3 seen and 2 unseen classes, 3 web pictures)
    """
    counts = {
        "creatures": creatures,
        "seen": seen,
        "unseen": unseen,
        "strangers": strangers,
        "per_class": per_class,
    }
    _check(seed, counts, web, size, nuisance)
    told = progress or (lambda stage, share: None)
    species = make_species((seen, unseen, strangers), Draws(creatures, _SPECIES))
    scale = Nuisance().times(nuisance)
    known = species[: seen + unseen]
    crowd = {"seen": known[:seen], "unseen": known[seen:], "stranger": species[seen + unseen :]}
    pictures, concepts = draw_portraits(known, seed, per_class, size, scale, told)
    web_pictures, web_classes = draw_found(crowd, seed, web, size, scale, told)
    tags, tag_names = make_tags(concepts, ATTRIBUTES, Draws(seed, _TAGS))
    told("measuring colours and edges", 0.0)
    return AttributeWorld(
        pictures=pictures,
        features=picture_features(pictures),
        labels=np.repeat(np.arange(len(known)), per_class),
        attributes=np.array([one.row() for one in known]),
        class_names=[one.name for one in known],
        attribute_names=list(ATTRIBUTES),
        image_files=[f"pictures/{one.name}/{i:03d}.png" for one in known for i in range(per_class)],
        unseen=np.arange(seen, seen + unseen),
        concepts=concepts,
        tags=tags,
        tag_names=tag_names,
        web_pictures=web_pictures,
        web_features=picture_features(web_pictures),
        web_files=[f"web/{i:04d}.png" for i in range(web)],
        web_classes=web_classes,
    )


def _check(seed: Any, counts: dict[str, Any], web: Any, size: Any, nuisance: Any) -> None:
    lowest = {
        "seed": 0,
        **dict.fromkeys(counts, 1),
        "seen": 2,
        "creatures": 0,
        "strangers": 0,
        "web": 0,
        "size": 24,
    }
    for name, value in {"seed": seed, **counts, "web": web, "size": size}.items():
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < lowest[name]:
            raise InputError(f"{name} is {value!r}; give a whole number from {lowest[name]}")
    if counts["seen"] + counts["unseen"] + counts["strangers"] > 200:
        raise InputError("seen, unseen and strangers make more than 200 classes; give fewer")
    if not isinstance(nuisance, int | float) or not 0 <= nuisance <= 3:
        raise InputError(f"nuisance is {nuisance!r}; give a number from 0 to 3")
