"""``sapwood predict``: from a model and images to answers."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    check_target,
    print_facts,
    print_json,
    print_table,
    working,
)
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.data import AttributeTable, FeatureTable
    from sapwood.models import SparseAttributePropagation

COLUMNS = ("image", "rank", "class", "probability", "score")


def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `sapwood fit` wrote.")],
    images: Annotated[str, typer.Argument(help="Features of the images: a file or a folder.")],
    classes: Annotated[
        list[str] | None,
        typer.Option(help="all, seen, unseen, or names separated by commas."),
    ] = None,
    describe: Annotated[
        str | None, typer.Option(help="A table of classes the model never heard of.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many answers for each image.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Name the class of each image.

    Probabilities are those of a softmax fitted to the annotated images of seen classes; for unseen
    classes they are too sure.
    """
    from sapwood.atomic import write_atomically
    from sapwood.data import load_attributes, load_features
    from sapwood.models import SparseAttributePropagation
    from sapwood.projection import softmax

    if describe is not None and classes:
        raise InputError("--describe brings its own candidates; give it without --classes")
    if out is not None:
        check_target(out, model, images)
    fitted = SparseAttributePropagation.load(model)
    new = None if describe is None else load_attributes(describe)
    names, options = _candidates(fitted, classes or ["all"], new)
    given = load_features(images)
    _check_columns(fitted, given, images)
    with working({"prediction": 1.0}, quiet, threads):
        scores = fitted.decision_function(given.features, **options)
    proba = softmax(scores, fitted.temperature_)
    rows = _answers(given.image_names, names, scores, proba, min(top, len(names)))
    if out is not None:
        write_atomically(out, _csv(rows).encode())
    if json_:
        print_json([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    elif out is None:
        shown = [[image, rank, name, f"{p:.3f}", f"{s:.4g}"] for image, rank, name, p, s in rows]
        print_table("Answers", COLUMNS, shown)
    elif not quiet:
        print_facts("Answered", {"images": len(given.features), "file": out})


def _check_columns(model: SparseAttributePropagation, given: FeatureTable, images: str) -> None:
    """Refuse a table whose columns are named otherwise, or in another order, than in fit."""
    fitted = getattr(model, "training_", {}).get("feature_columns")
    new = given.provenance.get("feature_columns")
    if fitted and new and fitted != new:
        how = "in another order" if set(fitted.split("\t")) == set(new.split("\t")) else "others"
        raise InputError(
            f"{images}: its feature columns are {how} than those the model was fitted on; give the "
            "same columns in the same order"
        )


def _candidates(
    model: SparseAttributePropagation, classes: list[str], new: AttributeTable | None
) -> tuple[list[str], dict[str, Any]]:
    """Names of the candidates, and what tells the model about them."""
    from sapwood.models.attributes import Attributes, align_attributes

    if new is not None:
        given = Attributes(new.attributes, None, [str(name) for name in new.attribute_names])
        Z = align_attributes(given, model.attribute_names_)
        return [str(name) for name in new.class_names], {"class_attributes": Z}
    known = model.class_names_ or [str(label) for label in model.classes_]
    rows = np.arange(len(known))
    if classes == ["seen"]:
        rows = model.seen_
    elif classes == ["unseen"]:
        rows = np.setdiff1d(rows, model.seen_)
    elif classes != ["all"]:
        rows = np.array([_row(name, known) for name in _separated(classes, known)])
    if not len(rows):
        raise InputError("--classes unseen: every class of this model has annotated images")
    return [known[row] for row in rows], {"classes": model.classes_[rows]}


def _separated(classes: list[str], known: list[str]) -> list[str]:
    """Split at commas, except where the whole text is a name."""
    parts = [[text] if text in known else text.split(",") for text in classes]
    return [name.strip() for part in parts for name in part if name.strip()]


def _row(name: str, known: list[str]) -> int:
    if name not in known:
        raise InputError(f"--classes: the model knows no {name!r}{closest(name, known)}")
    return known.index(name)


def _answers(
    images: Any, names: list[str], scores: np.ndarray, proba: np.ndarray, top: int
) -> list[tuple[str, int, str, float, float]]:
    best = np.argsort(-scores, axis=1, kind="stable")[:, :top]
    return [
        (str(image), rank + 1, names[c], float(proba[i, c]), float(scores[i, c]))
        for i, image in enumerate(images)
        for rank, c in enumerate(best[i])
    ]


def _csv(rows: list[tuple[str, int, str, float, float]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return text.getvalue()
