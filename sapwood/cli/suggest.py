"""``sapwood suggest``: which images to annotate next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from sapwood.cli.answers import give_rows
from sapwood.cli.inputs import Features, Images, Model, Out, load_images
from sapwood.cli.output import Json, Quiet, Threads, note, print_facts, working
from sapwood.cli.targets import check_targets

if TYPE_CHECKING:
    from sapwood.models import SparseAttributePropagation

#: Images that are listed where no number is given.
USUAL = 20
COLUMNS = ("image", "rank", "row", "novelty", "reached")


def suggest(
    model: Model,
    images: Images,
    features: Features = None,
    n: Annotated[
        int | None,
        typer.Option("-n", "--number", min=1, help=f"How many images; default: up to {USUAL}."),
    ] = None,
    out: Out = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """List the images whose annotation would help most, the most useful first.

    Images that were annotated when the model was fitted are recognised and left out. Novelty is 1
    where no annotation comes near the image; reached are the images to which its annotation would
    come nearer than any before it.
    """
    from sapwood.models import SparseAttributePropagation
    from sapwood.models.suggest import rank_images

    check_targets({"--out": out}, model, images, features)
    fitted = SparseAttributePropagation.load(model)
    given = load_images(fitted, images, features)
    known = _known(fitted, given.features)
    if n is None:
        n = max(1, min(USUAL, int((known < 0).sum())))
    with working({"neighbours": 1.0}, quiet, threads):
        found = rank_images(fitted, given.features, n, known)
    rows = [
        (str(given.image_names[row]), rank + 1, int(row), float(u), int(reached))
        for rank, (row, u, reached) in enumerate(
            zip(found.rows, found.novelty, found.reached, strict=True)
        )
    ]
    shown = [[name, rank, row, f"{u:.2f}", reached] for name, rank, row, u, reached in rows]
    give_rows("Annotate next", COLUMNS, rows, shown, out, json_)
    if out is not None and not json_:
        print_facts("Suggested", {"images": len(rows), "file": out})


def _known(model: SparseAttributePropagation, X: np.ndarray) -> np.ndarray:
    """Return 0 for images that were annotated when the model was fitted, -1 for the others."""
    from sapwood.evaluation import row_hashes

    known = getattr(model, "annotated_hashes_", None)
    if known is None:
        note("the model does not say which images were annotated; all are candidates")
        return np.full(len(X), -1)
    return np.where(np.isin(row_hashes(X), known), 0, -1)
