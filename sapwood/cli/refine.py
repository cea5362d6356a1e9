"""``sapwood refine``: from photos with noisy tags to tags kept, dropped and added."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.inputs import Features
from sapwood.cli.output import Json, Quiet, Threads, note, print_facts, print_json, working
from sapwood.cli.photos import Tagged, load_tagged, refuse_with_model
from sapwood.cli.repaired import COLUMNS, as_json, print_changes, repaired_tags
from sapwood.cli.targets import check_targets, write_csv
from sapwood.cli.unjudged import known_words, note_unjudged, unjudged_words
from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.tags import TagRefiner

#: Expected shares of the work.
STAGES = {"features": 1.0, "regression": 7.0, "neighbours": 2.0}


def refine(
    photos: Annotated[
        str | None,
        typer.Argument(help="Features of the photos, with or without tags: a file or a name."),
    ] = None,
    tags: Annotated[
        Path | None,
        typer.Option(help="A table with the columns image and tag, or image and tags."),
    ] = None,
    features: Features = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    preset: Annotated[
        str | None, typer.Option(help="robust (default), or paper for the printed algorithm.")
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(min=1, help="Use the N most frequent tags of a table; default: 1000."),
    ] = None,
    drop: Annotated[
        float | None, typer.Option(help="Drop tags that score below this; default: a tenth goes.")
    ] = None,
    add: Annotated[
        float | None,
        typer.Option(help="Add tags that score above this; default: half of all would write it."),
    ] = None,
    most: Annotated[int | None, typer.Option(min=0, help="Add at most N tags to a photo.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="An HTML page to write: the largest changes.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="The folder with the photos themselves, for the page.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="A file for what was learned, for photos to come.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="What --save wrote: nothing is learned from these photos.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed for choosing landmarks; default: 0.")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Repair noisy tags: say which to keep, which to drop and which were forgotten."""
    from sapwood.tags.decisions import check_thresholds

    outs = {"--out": out, "--page": page, "--save": save}
    check_targets(outs, photos, tags, features, model, pictures, models={"--save": "TagRefiner"})
    check_thresholds(drop, add)
    _check_pictures(pictures, page)
    if model is not None:
        refuse_with_model(preset=preset, words=words, seed=seed)
    given = load_tagged(photos, tags, features, optional=model is not None)
    if words is not None and given.tag_names is not None:
        raise InputError(
            f"--words chooses among the tags of a table, and {photos} is a matrix of "
            f"{len(given.tag_names)} tags; leave it out"
        )
    if pictures is not None:
        _note_missing(pictures, given.images)
    with working(STAGES, quiet, threads):
        if model is None:
            settings = {"preset": preset, "n_tags": words, "random_state": seed}
            refiner, scores = _learned(given, settings)
        else:
            refiner, scores, given = _looked_up(given, model)
        decisions = refiner.decide(scores, given.tags, drop=drop, add=add, most=most)
    if drop is not None and decisions.dropped.any() and not decisions.kept.any():
        note(f"--drop {drop:g}: every given tag scores below it, so all are dropped")
    left = unjudged_words(given.tags, refiner.tag_names_)
    note_unjudged(left, len(refiner.tag_names_), learned=model is None)
    if save is not None:
        refiner.save(save)
    rows = repaired_tags(decisions, given.images, refiner.tag_names_, left)
    if out is not None:
        write_csv(out, COLUMNS, rows)
    if page is not None:
        from sapwood.report.refine import write_refine_page

        write_refine_page(page, decisions, given.images, refiner.tag_names_, pictures)
    facts: dict[str, Any] = {
        "images": len(scores),
        "tags": len(refiner.tag_names_),
        **decisions.counts(),
        **({"unjudged": len(left)} if left else {}),
    }
    files = {"file": out, "page": page, "model": save}
    facts |= {name: str(path) for name, path in files.items() if path is not None}
    if json_:
        print_json(facts if out is not None else {**facts, "decisions": as_json(rows)})
        return
    if not any(outs.values()):
        print_changes(rows)
    print_facts("Refined", facts)


def _learned(given: Tagged, settings: dict[str, Any]) -> tuple[TagRefiner, np.ndarray]:
    from sapwood.tags import TagRefiner

    chosen = {name: value for name, value in settings.items() if value is not None}
    refiner = TagRefiner(**chosen)
    return refiner, refiner.fit_transform(given.features, given.tags, tag_names=given.tag_names)


def _looked_up(given: Tagged, model: Path) -> tuple[TagRefiner, np.ndarray, Tagged]:
    from sapwood.tags import TagRefiner

    refiner = TagRefiner.load(model)
    known = None if given.tags is None else known_words(given, refiner)
    scores = refiner.transform(given.features, known)
    return refiner, scores, replace(given, tags=np.zeros_like(scores) if known is None else known)


def _check_pictures(pictures: Path | None, page: Path | None) -> None:
    if pictures is None:
        return
    if page is None:
        raise InputError("--pictures are for the page, and there is none; give --page as well")
    if not pictures.is_dir():
        raise InputError(f"--pictures {pictures}: no such folder; give the one with the photos")


def _note_missing(pictures: Path, images: list[str]) -> None:
    from sapwood.report.refine.page import find_picture

    if not any(find_picture(name, pictures) for name in images):
        note(
            f"--pictures {pictures}: none of the {len(images)} photos is in it (first: "
            f"{images[0]!r}), so the page shows none; give the folder from which these names lead "
            "to PNG, JPEG, GIF or WebP files"
        )
