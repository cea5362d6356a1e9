"""What ``sapwood predict``, ``explain`` and ``suggest`` read: a model, images and candidates."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.columns import columns_of, require_columns
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
    old = {name: model.class_attributes_[row] for name, row in zip(names, rows, strict=True)}
    added = [i for i, name in enumerate(new) if name not in old]
    _note_unused([name for name, z in zip(new, Z, strict=True) if _says_other(z, old.get(name))])
    Z = np.vstack([model.class_attributes_[rows], Z[added]])
    return [*names, *(new[i] for i in added)], {"class_attributes": Z}


def _says_other(new: np.ndarray, old: np.ndarray | None) -> bool:
    """Tell whether a class described is known with other attributes; gaps say nothing."""
    from sapwood.models.candidates import SAME

    return old is not None and not (np.isnan(new) | np.isclose(new, old, rtol=SAME)).all()


def _note_unused(names: list[str]) -> None:
    from sapwood.data.names import listed

    if names:
        note(
            f"what --describe says of {listed(names)} is not used: --classes names what the model "
            "knows under the same name; leave --classes out, or give what is new another name"
        )


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
            raise InputError(
                "--classes unseen: every class of this model has annotated images; leave it out, "
                "or describe new classes with --describe"
            )
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
    from sapwood.data.names import listed

    hint = closest(name, [*known, *groups]) or f"; its classes are {listed(known)}"
    raise InputError(f"--classes: the model knows no {name!r}{hint}")
