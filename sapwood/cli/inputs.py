"""What ``sapwood predict``, ``explain`` and ``suggest`` read: a model, images and candidates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.data import AttributeTable, FeatureTable
    from sapwood.models import SparseAttributePropagation

Model = Annotated[Path, typer.Argument(help="A model file that `sapwood fit` wrote.")]
Images = Annotated[str, typer.Argument(help="Features of the images: a file or a folder.")]
Classes = Annotated[
    list[str] | None, typer.Option(help="all, seen, unseen, or names separated by commas.")
]
Describe = Annotated[str | None, typer.Option(help="A table of classes the model never heard of.")]


def load_images(model: SparseAttributePropagation, images: str) -> FeatureTable:
    """Load features; refuse columns named otherwise, or in another order, than in fit."""
    from sapwood.data import load_features

    given = load_features(images)
    fitted = getattr(model, "training_", {}).get("feature_columns")
    new = given.provenance.get("feature_columns")
    if fitted and new and fitted != new:
        how = "in another order" if set(fitted.split("\t")) == set(new.split("\t")) else "others"
        raise InputError(
            f"{images}: its feature columns are {how} than those the model was fitted on; give the "
            "same columns in the same order"
        )
    return given


def check_candidates(classes: list[str] | None, describe: str | None) -> None:
    """Refuse options that contradict each other."""
    if describe is not None and classes:
        raise InputError("--describe brings its own candidates; give it without --classes")


def load_candidates(
    model: SparseAttributePropagation, classes: list[str] | None, describe: str | None
) -> tuple[list[str], dict[str, Any]]:
    """Return the candidates' names, and the arguments that tell the model about them."""
    from sapwood.data import load_attributes

    if describe is not None:
        return _described(model, load_attributes(describe))
    known = model.class_names_ or [str(label) for label in model.classes_]
    rows = np.arange(len(known))
    if classes == ["seen"]:
        rows = model.seen_
    elif classes == ["unseen"]:
        rows = np.setdiff1d(rows, model.seen_)
    elif classes and classes != ["all"]:
        rows = np.array([_row(name, known) for name in _separated(classes, known)])
    if not len(rows):
        raise InputError("--classes unseen: every class of this model has annotated images")
    return [known[row] for row in rows], {"classes": model.classes_[rows]}


def _described(
    model: SparseAttributePropagation, new: AttributeTable
) -> tuple[list[str], dict[str, Any]]:
    from sapwood.models.attributes import Attributes, align_attributes

    given = Attributes(new.attributes, None, [str(name) for name in new.attribute_names])
    Z = align_attributes(given, model.attribute_names_)
    return [str(name) for name in new.class_names], {"class_attributes": Z}


def _separated(classes: list[str], known: list[str]) -> list[str]:
    """Split at commas, except where the whole text is a name."""
    parts = [[text] if text in known else text.split(",") for text in classes]
    return [name.strip() for part in parts for name in part if name.strip()]


def _row(name: str, known: list[str]) -> int:
    if name not in known:
        raise InputError(f"--classes: the model knows no {name!r}{closest(name, known)}")
    return known.index(name)
