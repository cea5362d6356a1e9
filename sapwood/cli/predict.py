"""``sapwood predict``: from a model and images to answers."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.output import Json, Quiet, Threads, print_facts, print_json, print_table, working
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.data import AttributeTable
    from sapwood.models import SparseAttributePropagation

COLUMNS = ("image", "rank", "class", "probability", "score")


def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `sapwood fit` wrote.")],
    images: Annotated[str, typer.Argument(help="Features of the images: a file or a folder.")],
    classes: Annotated[
        str, typer.Option(help="Candidates: all, seen, unseen, or names separated by commas.")
    ] = "all",
    describe: Annotated[
        str | None, typer.Option(help="A table of classes the model never heard of.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Answers an image.")] = 1,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Name the class of each image."""
    from sapwood.atomic import write_atomically
    from sapwood.data import load_attributes, load_features
    from sapwood.models import SparseAttributePropagation

    fitted = SparseAttributePropagation.load(model)
    new = None if describe is None else load_attributes(describe)
    names, options = _candidates(fitted, classes, new)
    given = load_features(images)
    with working({"prediction": 1.0}, quiet, threads):
        scores = np.atleast_2d(fitted.decision_function(given.features, **options))
        proba = fitted.predict_proba(given.features, **options)
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


def _candidates(
    model: SparseAttributePropagation, classes: str, new: AttributeTable | None
) -> tuple[list[str], dict[str, Any]]:
    if new is not None:
        return [str(name) for name in new.class_names], {"class_attributes": _aligned(model, new)}
    known = model.class_names_ or [str(label) for label in model.classes_]
    if classes == "all":
        return known, {}
    unseen = np.setdiff1d(np.arange(len(known)), model.seen_)
    asked = {"seen": [known[i] for i in model.seen_], "unseen": [known[i] for i in unseen]}
    names = asked.get(classes) or [name.strip() for name in classes.split(",") if name.strip()]
    return names, {"classes": names}


def _aligned(model: SparseAttributePropagation, new: AttributeTable) -> Any:
    """Columns of the description in the model's order, matched by name where both have names."""
    wanted = model.attribute_names_
    given = [str(name) for name in new.attribute_names]
    if wanted is None or len(given) == len(wanted) == sum(name in given for name in wanted):
        order = range(len(given)) if wanted is None else [given.index(name) for name in wanted]
        return new.attributes[:, list(order)]
    missing = [name for name in wanted if name not in given]
    extra = [name for name in given if name not in wanted]
    hint = closest(missing[0], extra) if missing else ""
    raise InputError(
        f"--describe: has {len(given)} attributes, the model {len(wanted)}; {len(missing)} are "
        f"missing{f' (first: {missing[0]!r}{hint})' if missing else ''} and {len(extra)} unknown"
        f"{f' (first: {extra[0]!r})' if extra else ''}; use the model's attribute names"
    )


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
