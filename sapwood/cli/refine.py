"""``sapwood refine``: from photos with noisy tags to tags kept, dropped and added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    complain,
    print_facts,
    print_json,
    working,
)
from sapwood.cli.targets import check_targets, write_csv
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.tags import TagDecisions, TagRefiner

COLUMNS = ("image", "tag", "decision", "score", "rank")
#: Expected shares of the work.
STAGES = {"features": 1.0, "regression": 7.0, "neighbours": 2.0}


@dataclass(frozen=True)
class Tagged:
    """Photos and what was written about them: a matrix with names, or words."""

    images: list[str]
    features: np.ndarray | None
    tags: Any
    tag_names: list[str] | None = None


def refine(
    photos: Annotated[
        str | None,
        typer.Argument(help="Features of the photos, with or without tags: a file or a name."),
    ] = None,
    tags: Annotated[
        Path | None,
        typer.Option(help="A table with the columns image and tag, or image and tags."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    preset: Annotated[
        str | None, typer.Option(help="robust (default), or paper for the printed algorithm.")
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(min=1, help="So many tags of a table are looked at, the most frequent: 1000."),
    ] = None,
    drop: Annotated[
        float | None, typer.Option(help="Drop tags that score below this; default: a tenth goes.")
    ] = None,
    add: Annotated[
        float | None,
        typer.Option(help="Add tags that score above this; default: half of all would write it."),
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=0, help="Add so many tags to a photo at most.")
    ] = None,
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
    seed: Annotated[int, typer.Option(min=0, help="Of the choice of landmarks.")] = 0,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Repair noisy tags: say which to keep, which to drop and which were forgotten."""
    from sapwood.tags import TagRefiner

    outs = {"--out": out, "--page": page, "--save": save}
    check_targets(outs, photos, tags, model, pictures)
    if pictures is not None and not pictures.is_dir():
        raise InputError(f"--pictures {pictures}: no such folder; give the one with the photos")
    if model is not None and (preset is not None or words is not None):
        raise InputError("--preset and --words are about learning; leave them out with --model")
    given = load_tagged(photos, tags, optional=model is not None)
    with working(STAGES, quiet, threads):
        if model is None:
            refiner = TagRefiner(preset or "robust", n_tags=words or 1000, random_state=seed)
            scores = refiner.fit_transform(given.features, given.tags, tag_names=given.tag_names)
        else:
            refiner = TagRefiner.load(model)
            known = None if given.tags is None else _words(given, refiner)
            scores = refiner.transform(given.features, known)
            given = replace(given, tags=np.zeros_like(scores) if known is None else known)
        decisions = refiner.decide(scores, given.tags, drop=drop, add=add, most=most)
    if save is not None:
        refiner.save(save)
    if out is not None:
        write_csv(out, COLUMNS, _rows(decisions, given.images, refiner.tag_names_))
    if page is not None:
        from sapwood.report.refine import write_refine_page

        write_refine_page(page, decisions, given.images, refiner.tag_names_, pictures)
    facts: dict[str, Any] = {
        "images": len(scores),
        "tags": len(refiner.tag_names_),
        **decisions.counts(),
    }
    files = {"file": out, "page": page, "model": save}
    facts |= {name: str(path) for name, path in files.items() if path is not None}
    if json_:
        print_json(facts)
    else:
        print_facts("Refined", facts)


def load_tagged(photos: str | None, tags: Path | None, optional: bool = False) -> Tagged:
    """Load photos and their tags; words of a table are matched by the photos' names."""
    from sapwood.data import TagData, load
    from sapwood.tags.tables import read_tag_table

    if photos is None:
        if tags is None:
            raise InputError("neither photos nor --tags is given; give one of them or both")
        table = read_tag_table(tags)
        return Tagged(list(table), None, list(table.values()))
    data: Any = load(photos) if tags is None else _features(photos)
    images = [str(name) for name in data.image_names]
    if tags is not None:
        return Tagged(images, data.features, _matched(read_tag_table(tags), images, tags))
    if not isinstance(data, TagData) and optional:
        return Tagged(images, data.features, None)
    if not isinstance(data, TagData):
        raise InputError(f"{photos}: has no tags; give them as well, as --tags FILE")
    return Tagged(images, data.features, data.tags, [str(name) for name in data.tag_names])


def _features(photos: str) -> Any:
    from sapwood.data import load_features

    return load_features(photos)


def _matched(table: dict[str, list[str]], images: list[str], source: Path) -> list[list[str]]:
    known = set(images)
    strange = [name for name in table if name not in known]
    if len(strange) == len(table):
        raise InputError(
            f"{source}: none of its {len(table)} images is among the photos (first: "
            f"{strange[0]!r}){closest(strange[0], images)}; name images alike in both"
        )
    if strange:
        complain(
            "note", f"{source}: {len(strange)} of {len(table)} images are not among the photos"
        )
    return [table.get(name, []) for name in images]


def _words(given: Tagged, refiner: TagRefiner) -> list[list[str]]:
    """Return the words of each photo, some of which a fitted refiner must know."""
    from sapwood.tags.vocabulary import fold_tag

    names = given.tag_names
    words = (
        given.tags
        if names is None
        else [[names[j] for j in row.nonzero()[0]] for row in given.tags]
    )
    known = set(map(fold_tag, refiner.tag_names_))
    if not any(fold_tag(word) in known for own in words for word in own):
        raise InputError(
            f"none of the tags is one of the {len(known)} that the model knows (first: "
            f"{refiner.tag_names_[0]!r}); give a model of photos that were tagged alike"
        )
    return words


def _rows(decisions: TagDecisions, images: list[str], names: list[str]) -> Iterator[list[object]]:
    for one in decisions.changes():
        name = names[one.column]
        yield [images[one.row], name, one.decision, f"{one.score:.4f}", one.rank]
