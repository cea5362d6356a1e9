"""What all original layouts share: images and classes from the folder, features from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import missing_as_nan
from sapwood.data.cards import card, paper_split
from sapwood.data.join import join_features
from sapwood.data.matrix_files import MATRICES, Matrix, read_matrix
from sapwood.data.problems import Report
from sapwood.data.splits import Split
from sapwood.data.wanted import Wanted

Fields = dict[str, Any]


@dataclass(frozen=True)
class Originals:
    """What the text files of an original zero-shot data set say.

    Parameters
    ----------
    name : str
        Of its card.
    images : sequence of str
    labels : array of int, shape (n,)
    attributes : array, shape (classes, k)
    class_names, attribute_names : sequence of str
    splits : mapping of str to Split
        Besides the paper's, which the card knows.
    notes : mapping of str to str
        For the provenance.
    """

    name: str
    images: Sequence[str]
    labels: NDArray[np.int64]
    attributes: NDArray[Any]
    class_names: Sequence[str]
    attribute_names: Sequence[str] | None
    splits: dict[str, Split] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def find_features(wanted: Wanted, *places: Path) -> Path | None:
    """Return the feature file asked for, or a file called ``features`` in a place, or None.

    Examples
    --------
    >>> find_features(Wanted(), Path("no such folder"))
    """
    if wanted.features is not None:
        given = Path(wanted.features)
        inside = (place / given for place in places)
        found = (path for path in (given, *inside) if path.exists())
        return next(found, given)
    named = (place / f"features{suffix}" for place in places for suffix in MATRICES)
    return next((path for path in named if path.exists()), None)


def zero_shot_fields(
    found: Originals, matrix: Matrix | None, where: str, report: Report
) -> tuple[str, Fields]:
    """Return the fields of a zero-shot set; without features only those of its classes.

    Parameters
    ----------
    found : Originals
    matrix : Matrix or None
    where : str
        What to call the feature file in messages.
    report : Report
    """
    classes: Fields = {
        "attributes": missing_as_nan(found.attributes),
        "class_names": list(found.class_names),
        "attribute_names": found.attribute_names,
        "provenance": {"card": found.name, "listed": f"{len(found.images)} images", **found.notes},
    }
    if matrix is None:
        fix = "give a matrix of features (features=FILE, --features FILE)"
        report.warning("features", "none, so only the class attributes can be used", fix)
        return "attributes", classes
    joined = join_features(found.images, matrix, where, report)
    classes["provenance"] |= matched(joined.note, where, matrix)
    paper = paper_split(card(found.name), list(found.class_names))
    splits = {} if paper is None else {"paper": paper}
    images = {
        "features": joined.features,
        "labels": found.labels[joined.images],
        "image_names": [found.images[i] for i in joined.images],
        "splits": {**splits, **found.splits},
    }
    return "zero-shot", {**classes, **images}


def matched(note: str, where: str, matrix: Matrix) -> dict[str, str]:
    """Return what the provenance says about the features.

    Examples
    --------
    >>> matched("", "f.npy", Matrix(np.eye(2), None))
    {'features': 'f.npy, in the order of the list'}
    """
    how = "in the order of the list" if matrix.names is None else "matched by name"
    notes = {"features": f"{where}, {how}"}
    if note:
        notes["not matched"] = note
    if matrix.columns:
        notes["feature_columns"] = matrix.columns
    return notes


def read_wanted_features(
    wanted: Wanted, report: Report, *places: Path
) -> tuple[Matrix | None, str]:
    """Return the features that go with a folder, if any, and what to call their file."""
    path = find_features(wanted, *places)
    return (None, "features") if path is None else (read_matrix(path, report), path.name)


def refuse(wanted: Wanted, report: Report, *known: str) -> None:
    """Stop if a choice was made that this kind of source does not have."""
    beyond = wanted.beyond(*known)
    if beyond:
        message = f"{beyond[0]}={getattr(wanted, beyond[0])!r} means nothing for this kind of data"
        raise report.fatal("", message, "leave it out")
