"""What ``sapwood predict``, ``explain`` and ``suggest`` read: a model, images and candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.new_classes import describe_classes
from sapwood.cli.output import note
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.data import FeatureTable
    from sapwood.models import SparseAttributePropagation


def _refuse_data(model: Path) -> Path:
    """Refuse a table or an archive of arrays where the model is expected."""
    from sapwood.data.own import TABLES
    from sapwood.models.files import kind_of_model

    if model.suffix.lower() in (*TABLES, ".npz") and model.is_file() and not kind_of_model(model):
        raise InputError(
            f"{model} is a table or an archive of arrays, and no model; the model comes first, "
            "then the images or the data set"
        )
    return model


Model = Annotated[
    Path, typer.Argument(help="A model file that `sapwood fit` wrote.", callback=_refuse_data)
]
Images = Annotated[str, typer.Argument(help="Features of the images: a file or a folder.")]
Classes = Annotated[
    list[str] | None,
    typer.Option(
        help="all (default; with --describe: none), seen, unseen, or names separated by commas."
    ),
]
Describe = Annotated[
    list[str] | None,
    typer.Option(
        help="Classes the model never heard of: a table of attributes or of descriptions, or, for "
        "a model fitted on words, a sentence. May be repeated; --classes adds those it knows."
    ),
]
Out = Annotated[Path | None, typer.Option(help="A CSV file to write.")]
Features = Annotated[
    str | None,
    typer.Option(help="A matrix of features, for a folder in its original layout."),
]


def load_images(
    model: SparseAttributePropagation, images: str, features: str | None = None
) -> FeatureTable:
    """Load features; refuse columns named otherwise, or in another order, than in fit."""
    from sapwood.data import load_features

    given = load_features(images, features=features)
    require_columns(images, given.provenance, columns_of(model), "the model was fitted on")
    return given


def columns_of(model: SparseAttributePropagation) -> str | None:
    """Return the names of the feature columns that a model was fitted on, where they had any."""
    return getattr(model, "training_", {}).get("feature_columns")


def require_columns(
    source: str, provenance: Mapping[str, str], usual: str | None, whose: str
) -> None:
    """Refuse features with columns named otherwise, or in another order, than the usual ones.

    Parameters
    ----------
    source : str
        Where the features are from.
    provenance : mapping of str to str
        Theirs.
    usual : str or None
        Names with tabs between them; None where there are none.
    whose : str
        What has the usual ones, after "those".
    """
    new = provenance.get("feature_columns")
    if usual and new and usual != new:
        how = "in another order" if set(usual.split("\t")) == set(new.split("\t")) else "others"
        raise InputError(
            f"{source}: its feature columns are {how} than those {whose}; give the same columns in "
            "the same order"
        )


def load_candidates(
    model: SparseAttributePropagation,
    classes: list[str] | None,
    describe: list[str] | None,
    encoder: str | None = None,
) -> tuple[list[str], dict[str, Any]]:
    """Return the candidates' names, and the arguments that tell the model about them."""
    if encoder is not None and not describe:
        raise InputError("--encoder reads what --describe says in words; give both or neither")
    known = model.class_names_ or [str(label) for label in model.classes_]
    asked = classes or ([] if describe else ["all"])
    rows = _rows(model, asked, known) if asked else np.empty(0, dtype=np.int64)
    names = [known[row] for row in rows]
    if not describe:
        return names, {"classes": model.classes_[rows]}
    new, Z = describe_classes(model, describe, encoder)
    added = [i for i, name in enumerate(new) if name not in names]
    if len(added) < len(new):
        count = len(new) - len(added)
        note(f"{count} of {len(new)} classes described are candidates as the model knows them")
    Z = np.vstack([model.class_attributes_[rows], Z[added]])
    return [*names, *(new[i] for i in added)], {"class_attributes": Z}


def _rows(model: SparseAttributePropagation, classes: list[str], known: list[str]) -> np.ndarray:
    every = np.arange(len(known))
    groups = {"all": every, "seen": model.seen_, "unseen": np.setdiff1d(every, model.seen_)}
    names = _separated(classes, known)
    if not names:
        raise InputError(
            f"--classes {','.join(classes)} names no class; give names, or leave it out"
        )
    if len(names) == 1 and names[0] in groups:
        if not len(groups[names[0]]):
            raise InputError("--classes unseen: every class of this model has annotated images")
        return groups[names[0]]
    if len(set(names)) < len(names):
        raise InputError(f"--classes {','.join(classes)} names a class twice; give each once")
    return np.array([_row(name, known, groups) for name in names])


def _separated(classes: list[str], known: list[str]) -> list[str]:
    """Split at commas, except where the whole text is a name."""
    parts = [[text] if text in known else text.split(",") for text in classes]
    return [name.strip() for part in parts for name in part if name.strip()]


def _row(name: str, known: list[str], groups: Iterable[str]) -> int:
    if name in known:
        return known.index(name)
    if name in groups:
        raise InputError(f"--classes: {name!r} stands alone; give it without other names")
    near = closest(name, [*known, *groups])
    raise InputError(f"--classes: the model knows no {name!r}{near}")
