"""``sapwood explain``: which attributes decided each answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from sapwood.cli.described import Encoder
from sapwood.cli.inputs import (
    Classes,
    Describe,
    Features,
    Images,
    Model,
    load_candidates,
    load_images,
)
from sapwood.cli.output import Json, Quiet, Threads, emit, print_json, working


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
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Say which attributes put each answer ahead of the runner-up.

    What the attributes, the others and the bias (against seen classes, and for classes far from all
    seen ones) contributed adds up to the lead.
    """
    from sapwood.models import SparseAttributePropagation

    fitted = SparseAttributePropagation.load(model)
    names, options = load_candidates(fitted, classes, describe, encoder)
    given = load_images(fitted, images, features)
    count = len(given.features) if limit is None else limit
    with working({"explanation": 1.0}, quiet, threads):
        found = fitted.explain(given.features[:count], **options, top=top)
    if describe is not None:
        found = replace(found, class_names=dict(enumerate(names)))
    who = [str(name) for name in given.image_names[:count]]
    if json_:
        told = found.to_dict()["images"]
        print_json([{"image": name, **one} for name, one in zip(who, told, strict=True)])
        return
    for i, name in enumerate(who):
        emit(f"{name}: {found.text(i)}")
