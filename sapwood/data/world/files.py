"""The world on disk: pictures, sapwood's own ``.npz`` files, and tables as anybody has them."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.atomic import write_atomically
from sapwood.data.world.png import png_bytes
from sapwood.data.world.world import AttributeWorld, Progress
from sapwood.errors import InputError

#: Annotated pictures of each seen class in the tables.
ANNOTATED = 5

README = """A world of drawn creatures, made by sapwood from a seed.

pictures/            {n} pictures of {classes} classes, a folder a class
web/                 {web} unlabelled pictures from elsewhere, many of other classes
world.npz            features, labels, attributes, names; {unseen} classes are unseen
                     (paper_unseen_classes: the name of the key; the split is the demo's own)
web.npz              features of the web pictures
tags.npz             noisy tags of the pictures (tags) and what they truly show (concepts)
tables/              the same as three tables, the way your own data may come:
  features.csv         image, f1, f2 ...: pictures of the seen classes
  annotations.csv      image, class: {k} pictures of each seen class; the others are unannotated
  attributes.csv       class, attributes ...: all classes, also those without any picture
  new_pictures.csv     features of pictures of the unseen classes, to be named
  new_pictures_answers.csv   and what they are
"""


def write_attribute_world(
    world: AttributeWorld, folder: str | os.PathLike[str], *, progress: Progress | None = None
) -> Path:
    """Write pictures, ``.npz`` files and tables into a folder, which is made if need be.

    Parameters
    ----------
    world : AttributeWorld
    folder : path
    progress : callable, optional
        Called with what is being done and the share of it that is done.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> from sapwood.data.world import make_attribute_world
    >>> world = make_attribute_world(seen=2, unseen=1, strangers=0, per_class=1, web=1, size=24)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_attribute_world(world, folder)
    ...     sorted(path.name for path in written.iterdir())
    ['README.txt', 'pictures', 'tables', 'tags.npz', 'web', 'web.npz', 'world.npz']
    """
    folder = Path(folder)
    _make(folder)
    # First: it tells whose folder this is, also where the rest was interrupted.
    write_atomically(folder / "README.txt", _readme(world).encode())
    _write_pictures(folder, world, progress or (lambda stage, share: None))
    _make(folder / "tables")
    for name, arrays in _arrays(world).items():
        write_atomically(folder / name, _npz(arrays))
    for name, rows in _tables(world).items():
        write_atomically(folder / "tables" / name, _csv(rows))
    return folder


def _readme(world: AttributeWorld) -> str:
    return README.format(
        n=len(world.pictures),
        classes=len(world.class_names),
        web=len(world.web_pictures),
        unseen=len(world.unseen),
        k=ANNOTATED,
    )


def _write_pictures(folder: Path, world: AttributeWorld, told: Progress) -> None:
    files = [*world.image_files, *world.web_files]
    for parent in sorted({str(Path(name).parent) for name in files}):
        _make(folder / parent)
    for i, name in enumerate(files):
        own = i < len(world.pictures)
        picture = world.pictures[i] if own else world.web_pictures[i - len(world.pictures)]
        _put(folder / name, png_bytes(picture))
        if i % 100 == 0:
            told("writing pictures", i / len(files))


def _arrays(world: AttributeWorld) -> dict[str, dict[str, Any]]:
    zero_shot = {
        "features": world.features,
        "labels": world.labels,
        "attributes": world.attributes,
        "class_names": np.array(world.class_names),
        "attribute_names": np.array(world.attribute_names),
        "image_files": np.array(world.image_files),
        "paper_unseen_classes": world.unseen,
    }
    tags = {
        "features": world.features,
        "tags": world.tags,
        "tag_names": np.array(world.tag_names),
        "concepts": world.concepts.astype(np.uint8),
        "concept_names": np.array(world.attribute_names),
        "image_files": np.array(world.image_files),
    }
    web = {"features": world.web_features, "image_files": np.array(world.web_files)}
    return {"world.npz": zero_shot, "tags.npz": tags, "web.npz": web}


def _tables(world: AttributeWorld) -> dict[str, Iterable[Sequence[Any]]]:
    seen = np.isin(world.labels, world.seen)
    names = [world.class_names[label] for label in world.labels]
    first = [i for c in world.seen for i in np.flatnonzero(world.labels == c)[:ANNOTATED]]
    header = ["image", *(f"f{j + 1}" for j in range(world.features.shape[1]))]
    counts = world.features.astype(int).tolist()

    def rows(keep: np.ndarray) -> list[Sequence[Any]]:
        return [header, *([world.image_files[i], *counts[i]] for i in np.flatnonzero(keep))]

    def answers(which: Iterable[int]) -> list[Sequence[Any]]:
        return [["image", "class"], *([world.image_files[i], names[i]] for i in which)]

    described = zip(world.class_names, world.attributes.tolist(), strict=True)
    return {
        "features.csv": rows(seen),
        "annotations.csv": answers(first),
        "attributes.csv": [["class", *world.attribute_names], *([n, *z] for n, z in described)],
        "new_pictures.csv": rows(~seen),
        "new_pictures_answers.csv": answers(np.flatnonzero(~seen)),
    }


def _npz(arrays: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def _csv(rows: Iterable[Sequence[Any]]) -> bytes:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue().encode()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror or error}") from None


def _put(path: Path, content: bytes) -> None:
    """Write one of thousands of small files, without waiting for the disk each time."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
