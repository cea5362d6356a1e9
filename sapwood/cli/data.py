"""``sapwood data``: what is known, what is there, and whether it can be used."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapwood.cli.inputs import Features
from sapwood.cli.output import (
    Json,
    Quiet,
    complain,
    emit,
    note,
    print_facts,
    print_json,
    print_table,
    working,
)
from sapwood.errors import InputError, counted

if TYPE_CHECKING:
    from sapwood.data.downloads import Download

app = typer.Typer(help="List, describe, check and get data sets.", no_args_is_help=True)
Concepts = Annotated[
    str | None, typer.Option(help="wide or strict: which annotations of MIRFLICKR.")
]
_SHARES = {"download": 0.9, "unpack": 0.1}


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
    features: Features = None,
    json_: Json = False,
) -> None:
    """Describe a data set: its card if it is known, its contents if it is here."""
    from sapwood.data.cards import find_card
    from sapwood.data.sources import find

    known = find_card(source) is not None
    found = _card(source) if known else {}
    if not known or find(source) is not None:
        try:
            found |= _contents(source, features)
        except InputError as error:
            if not known:
                raise
            # The card is worth telling, but not as if all were well.
            found["problem"] = str(error)
    if json_:
        print_json(found)
        return
    problem = found.pop("problem", None)
    print_facts(source, {name: _text(value) for name, value in found.items()})
    if problem is not None:
        note(f"it is here, but cannot be read: {problem}")


@app.command()
def check(
    path: Annotated[str, typer.Argument(help="A file, a folder or a known name.")],
    attributes: Annotated[
        str | None, typer.Option(help="Which class attributes to use, where the file has several.")
    ] = None,
    features: Features = None,
    concepts: Concepts = None,
    json_: Json = False,
) -> None:
    """Read everything and report every problem found."""
    from sapwood.data import check as find
    from sapwood.data import load

    asked = {"attributes": attributes, "features": features, "concepts": concepts}
    problems = find(path, **asked)
    errors = sum(problem.severity == "error" for problem in problems)
    if json_:
        print_json([asdict(problem) for problem in problems])
    else:
        for problem in problems:
            emit(str(problem))
        if not errors:
            emit(f"{path}: {load(path, **asked)!r}")
        emit(f"{path}: {counted(errors, 'error')}, {counted(len(problems) - errors, 'warning')}")
    if errors:
        raise typer.Exit(2)


@app.command()
def get(
    name: Annotated[str, typer.Argument(help="A known name.")],
    what: Annotated[
        str | None, typer.Option(help="Which download, where `sapwood data info` lists several.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Fetch what is unverified without asking.")
    ] = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Fetch a data set over the network and unpack it into SAPWOOD_HOME."""
    from sapwood.data.get import choose_download
    from sapwood.data.get import get as fetch

    download = choose_download(name, what)
    if not download.place().exists():
        _ask(download, yes)
    with working(_SHARES, quiet, None):
        fetched = fetch(name, what)
    found = {"folder": str(fetched.folder), "archives": fetched.archives}
    if json_:
        print_json(found)
        return
    print_facts(name, {"folder": found["folder"], "sha256 of": _text(fetched.archives) or "-"})
    emit(f"next: sapwood data check {fetched.folder}")


def _ask(download: Download, yes: bool) -> None:
    if download.verified or yes:
        for file in download.files:
            note(file.said(), file.name)
        return
    for file in download.files:
        complain(file.name, file.said())
    complain("unverified", "we have not fetched these files ourselves and compared them")
    if not sys.stdin.isatty():
        raise InputError(f"download {download.name!r} is unverified; add --yes to fetch it anyway")
    if not typer.confirm("Fetch them anyway?", err=True):
        raise InputError("nothing was fetched")


def _card(source: str) -> dict[str, Any]:
    from sapwood.data import card
    from sapwood.data.downloads import DOWNLOADS

    known = card(source)
    said = {n: {f.name: f.said() for f in DOWNLOADS[n].files} for n in known.downloads}
    return {**asdict(known), "downloads": said or "none: a program cannot fetch it"}


def _contents(source: str, features: str | None) -> dict[str, Any]:
    from sapwood.data import ZeroShotData, load

    data = load(source, features=features)
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
