"""Tagged images for a benchmark: from a file, from a folder, or drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import DEMO, get_world, source_of
from sapwood.data import TagData, load_tags
from sapwood.data.mirflickr import is_mirflickr
from sapwood.data.nus_wide import is_nus_wide
from sapwood.data.problems import Report
from sapwood.data.sources import locate
from sapwood.data.zip_arrays import array_names
from sapwood.errors import InputError

#: What is run where nobody names data.
USUAL = "flickr8k_tags"
#: Training and test images as the data set lists them, or drawn once for all.
GIVEN, DRAWN = "given", "drawn"
#: Share of the images that are tested on where none are listed, and of the training images that
#: settings, epochs and thresholds are chosen on.
TESTED, HELD = 0.25, 0.2
#: Names under which the features of a folder's images are looked for in it.
FEATURES = ("features.npz", "features.npy")


@dataclass(frozen=True, eq=False)
class TagProblem:
    """Training images with tags and concepts, and test images.

    Attributes
    ----------
    X, X_test : ndarray of shape (n, d) and (m, d), or None
    tags, tags_test : ndarray of shape (n, t) and (m, t)
    concepts, truth : ndarray of bool of shape (n, c) and (m, c)
    held : ndarray of bool of shape (n,)
        Training images on which everything is chosen that is chosen.
    names : dict of sequence of str
        Of the columns: ``tag_names`` and ``concept_names``.
    """

    X: np.ndarray | None
    tags: np.ndarray
    concepts: np.ndarray
    X_test: np.ndarray | None
    tags_test: np.ndarray
    truth: np.ndarray
    held: np.ndarray
    names: dict[str, Any] = field(default_factory=dict)

    def known(self, rows: Any = slice(None)) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """Return features, tags and concepts of some of the training images."""
        X = None if self.X is None else self.X[rows]
        return X, self.tags[rows], self.concepts[rows]


def has_tags(name: str) -> bool:
    """Tell whether a data set is one of tagged images.

    Examples
    --------
    >>> has_tags("demo")
    True
    """
    if name == DEMO:
        return True
    source = source_of(name)
    if source is None:
        return False
    path = locate(source)
    if path.suffix == ".npz":
        return "tags" in array_names(path, Report(path))
    return is_nus_wide(path) or is_mirflickr(path)


def usual_at_hand() -> list[str]:
    """Return the usual data set of tagged images, where it is there."""
    try:
        locate(USUAL)
    except InputError:
        return []
    return [USUAL]


@cache
def get_tags(name: str, quick: bool = False) -> TagData:
    """Return the data set of this name, loaded once in a process.

    The features of a folder's images are those in its ``features.npz`` or ``features.npy``.

    Parameters
    ----------
    name : str
    quick : bool
        Whether a smaller one will do, where there is one.
    """
    data = _world(quick) if name == DEMO else _loaded(locate(source_of(name) or name))
    if data.concepts is None:
        raise InputError(f"data {name}: no concepts to learn; add the ground truth of its images")
    unknown = int(np.count_nonzero((np.asarray(data.concepts) < 0).all(axis=1)))
    if unknown:
        raise InputError(
            f"data {name}: nobody has annotated {unknown} images (concepts -1); leave them out"
        )
    return data


def _loaded(path: Path) -> TagData:
    beside = [path / file for file in FEATURES if path.is_dir() and (path / file).exists()]
    return load_tags(path, features=beside[0] if beside else None)


def _world(quick: bool) -> TagData:
    world = get_world(quick)
    return TagData(
        tags=world.tags, features=world.features, concepts=world.concepts.astype(np.uint8)
    )


def split_name(data: TagData) -> str:
    """Return how the data set is divided into training and test images."""
    return DRAWN if data.train is None or data.test is None else GIVEN


def training_rows(data: TagData) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the training and of the test images."""
    if data.train is not None and data.test is not None:
        return data.train, data.test
    order = np.random.default_rng(0).permutation(len(data.tags))
    tested = round(TESTED * len(order))
    return np.sort(order[tested:]), np.sort(order[:tested])


def draw(case: Case) -> TagProblem:
    """Return the problem of a case: the first `annotated` of a permutation of training images.

    It is the same for every seed: seeds are those of networks.
    """
    data = get_tags(case.data, case.quick)
    train, test = training_rows(data)
    concepts = np.asarray(data.concepts) > 0
    if case.annotated < len(train):
        train = np.sort(np.random.default_rng(0).permutation(train)[: case.annotated])
    # What no training image shows cannot be learned.
    shown = concepts[train].any(axis=0)
    concepts = concepts[:, shown]
    names = {"tag_names": data.tag_names, "concept_names": np.asarray(data.concept_names)[shown]}
    held = np.zeros(len(train), dtype=bool)
    held[np.random.default_rng(0).permutation(len(train))[: round(HELD * len(train))]] = True
    X = None if data.features is None else np.asarray(data.features, dtype=np.float32)
    return TagProblem(
        None if X is None else X[train],
        data.tags[train],
        concepts[train],
        None if X is None else X[test],
        data.tags[test],
        concepts[test],
        held,
        names,
    )
