"""``sapwood explain``: which attributes decided each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any

import typer

from sapwood.cli.described import Encoder
from sapwood.cli.inputs import (
    Classes,
    Describe,
    Features,
    Images,
    Model,
    Out,
    load_candidates,
    load_images,
)
from sapwood.cli.output import Json, Quiet, Threads, emit, print_facts, print_json, working
from sapwood.cli.targets import check_targets, write_csv

#: Of the file; what the parts of an image's attributes, others and bias add up to is its lead.
COLUMNS = ("image", "class", "runner_up", "lead", "rank", "attribute", "part")


def explain(
    model: Model,
    images: Images,
    classes: Classes = None,
    describe: Describe = None,
    encoder: Encoder = None,
    features: Features = None,
    top: Annotated[int, typer.Option(min=1, help="How many attributes for each image.")] = 5,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first images; default: all.")
    ] = None,
    out: Out = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Say which attributes put each answer ahead of the runner-up.

    What the attributes, the others and the bias (against seen classes, and for classes far from all
    seen ones) contributed adds up to the lead.
    """
    from sapwood.models import SparseAttributePropagation

    check_targets({"--out": out}, model, images, features, encoder, *(describe or ()))
    fitted = SparseAttributePropagation.load(model)
    names, options = load_candidates(fitted, classes, describe, encoder)
    given = load_images(fitted, images, features)
    count = len(given.features) if limit is None else limit
    with working({"explanation": 1.0}, quiet, threads):
        found = fitted.explain(given.features[:count], **options, top=top)
    if describe is not None:
        found = replace(found, class_names=dict(enumerate(names)))
    who = [str(name) for name in given.image_names[:count]]
    told = [
        {"image": name, **one} for name, one in zip(who, found.to_dict()["images"], strict=True)
    ]
    if out is not None:
        write_csv(out, COLUMNS, _rows(told))
    if json_:
        print_json(told)
    elif out is not None:
        print_facts("Explained", {"images": len(who), "file": out})
    else:
        for i, name in enumerate(who):
            emit(f"{name}: {found.text(i)}")


def _rows(told: Iterable[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each attribute of each image, and two without a rank for the rest."""
    for one in told:
        parts = [
            (rank, part["name"], part["part"]) for rank, part in enumerate(one["attributes"], 1)
        ]
        for rest in (*parts, ("", "others", one["others"]), ("", "bias", one["bias"])):
            yield one["image"], one["winner"], one["runner_up"], one["lead"], *rest
