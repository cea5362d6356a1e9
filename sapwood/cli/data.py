"""``sapwood data``: what is known, what is there, and whether it can be used."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from sapwood.cli.output import Json, emit, print_facts, print_json, print_table
from sapwood.errors import InputError

app = typer.Typer(help="List, describe and check data sets.", no_args_is_help=True)


@app.command("list")
def list_(json_: Json = False) -> None:
    """List the data sets sapwood knows."""
    from sapwood.data import CARDS

    if json_:
        print_json([asdict(card) for card in CARDS.values()])
        return
    rows = [[card.name, card.kind, card.title] for card in CARDS.values()]
    print_table("Known data sets", ["name", "kind", "what"], rows)


@app.command()
def info(
    source: Annotated[str, typer.Argument(help="A known name, a file or a folder.")],
    json_: Json = False,
) -> None:
    """Describe a data set: its card if it is known, its contents if it is here."""
    found: dict[str, Any] = {}
    for part in (_card, _contents):
        try:
            found |= part(source)
        except InputError as error:
            last = error
    if not found:
        raise last
    if json_:
        print_json(found)
    else:
        print_facts(source, {name: _text(value) for name, value in found.items()})


@app.command()
def check(
    path: Annotated[str, typer.Argument(help="A file, a folder or a known name.")],
    attributes: Annotated[
        str | None, typer.Option(help="Which class attributes to use, where the file has several.")
    ] = None,
    json_: Json = False,
) -> None:
    """Read everything and report every problem found."""
    from sapwood.data import check as find

    problems = find(path, attributes=attributes)
    errors = sum(problem.severity == "error" for problem in problems)
    if json_:
        print_json([asdict(problem) for problem in problems])
    else:
        for problem in problems:
            emit(str(problem))
        emit(f"{path}: {errors} errors, {len(problems) - errors} warnings")
    if errors:
        raise typer.Exit(2)


def _card(source: str) -> dict[str, Any]:
    from sapwood.data import card

    return asdict(card(source))


def _contents(source: str) -> dict[str, Any]:
    from sapwood.data import ZeroShotData, load

    data = load(source)
    notes = {n: text for n, text in data.provenance.items() if n != "feature_columns"}
    found: dict[str, Any] = {"contents": repr(data), **notes}
    if isinstance(data, ZeroShotData):
        for name, split in data.splits.items():
            seen = len(data.class_names) - len(split.unseen)
            found[f"split_{name}"] = f"{seen} seen, {len(split.unseen)} unseen, {split.version}"
    return found


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{name}: {_text(part)}" for name, part in value.items())
    if isinstance(value, list | tuple) and len(value) > 4:
        return f"{', '.join(map(str, value[:3]))} and {len(value) - 3} more"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
