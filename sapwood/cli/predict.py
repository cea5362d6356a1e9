"""``sapwood predict``: from a model and images to answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from sapwood.cli.answers import Answer, give_answers
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
from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    note,
    print_facts,
    working,
)
from sapwood.cli.targets import check_targets


def predict(
    model: Model,
    images: Images,
    classes: Classes = None,
    describe: Describe = None,
    encoder: Encoder = None,
    features: Features = None,
    top: Annotated[int, typer.Option(min=1, help="How many answers for each image.")] = 1,
    reject: Annotated[
        float | None,
        typer.Option(help="No answer where the best one is less probable than this, such as 0.5."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Name the class of each image.

    Where an unseen class or one of --describe is a candidate, probabilities are on the scale that
    suited seen classes playing unseen ones. A rejected image has one row, its class left empty.
    """
    from sapwood.models import SparseAttributePropagation
    from sapwood.models.reject import check_reject

    if reject is not None:
        check_reject(reject)
    check_targets({"--out": out}, model, images, features, encoder, *(describe or ()))
    fitted = SparseAttributePropagation.load(model)
    names, options = load_candidates(fitted, classes, describe, encoder)
    given = load_images(fitted, images, features)
    if len(names) == 1:
        note(f"{names[0]!r} is the only candidate; scores tell where it fits best")
    with working({"prediction": 1.0}, quiet, threads):
        scores = fitted.decision_function(given.features, **options)
        proba = fitted.predict_proba(given.features, **options)
    refused = proba.max(axis=1) < (reject or 0.0)
    rows = _answers(given.image_names, names, scores, proba, min(top, len(names)), refused)
    give_answers("class", rows, out, json_)
    if out is not None and not json_:
        told = {} if reject is None else {"rejected": int(refused.sum())}
        print_facts("Answered", {"images": len(refused), **told, "file": out})
    elif reject is not None:
        note(f"{refused.sum()} of {len(refused)} images rejected: below {reject:g}")


def _answers(
    images: Any,
    names: list[str],
    scores: np.ndarray,
    proba: np.ndarray,
    top: int,
    refused: np.ndarray,
) -> list[Answer]:
    best = np.argsort(-scores, axis=1, kind="stable")[:, :top]
    return [
        (
            str(image),
            rank + 1,
            "" if refused[i] else names[c],
            float(proba[i, c]),
            float(scores[i, c]),
        )
        for i, image in enumerate(images)
        for rank, c in enumerate(best[i, :1] if refused[i] else best[i])
    ]
