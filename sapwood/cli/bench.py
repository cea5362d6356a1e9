"""``sapwood bench``: the paper's tables and figures, on any data."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from sapwood.cli.output import Json, emit, print_json
from sapwood.errors import InputError, closest

Several = list[str] | None
#: Written out, since `sapwood --help` should not wait for the benchmarks; the last two are hidden.
NAMES = (
    "zsl", "gzsl", "external", "ablation", "propagation", "sensitivity", "convergence", "sia",
    "stress", "suggest",
)  # fmt: skip


def bench(
    name: Annotated[
        str, typer.Argument(help=f"{', '.join(NAMES)}, or all: all of these but the last two.")
    ],
    data: Annotated[
        Several, typer.Option(help="A known name, demo, a file or a folder; NAME:ARRAY for others.")
    ] = None,
    split: Annotated[
        Several,
        typer.Option(
            help="paper, proposed, fresh or a file; for external: listed, drawn or a file."
        ),
    ] = None,
    methods: Annotated[Several, typer.Option(help="Names, separated by commas.")] = None,
    annotated: Annotated[Several, typer.Option(help="Annotated images a class.")] = None,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, help="How many draws; default: 5 (sensitivity, convergence, sia: 3)."),
    ] = None,
    preset: Annotated[Several, typer.Option(help="robust or paper; default: both.")] = None,
    web: Annotated[
        str | None, typer.Option(help="Features of unlabelled images, for external.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, of one thread each.")] = 1,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few draws and methods: to see that all works.")
    ] = False,
    plugin: Annotated[Several, typer.Option(help="Python that registers methods or data.")] = None,
    out: Annotated[Path, typer.Option(help="The folder for the rows.")] = Path("sapwood-bench"),
    json_: Json = False,
) -> None:
    """Compare methods on data sets and keep what is found, row by row.

    Lists may be given with commas or by repeating the option. Rows that are in the folder already
    are not found again: a run that was stopped goes on where it was. `sapwood report` shows them.
    """
    from sapwood.benchmark.benches import BENCHES
    from sapwood.benchmark.datasets import data_at_hand
    from sapwood.benchmark.jobs import plan
    from sapwood.benchmark.plugins import Setup
    from sapwood.benchmark.run import run_jobs
    from sapwood.benchmark.sia_data import usual_at_hand

    if name != "all" and name not in BENCHES:
        known = ", ".join([*BENCHES, "all"])
        raise InputError(f"no benchmark {name!r}; known are {known}{closest(name, BENCHES)}")
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; give the name of a folder")
    named = _listed(data, paths=True) or (usual_at_hand() if name == "sia" else ())
    setup = Setup(_listed(plugin, paths=True), tuple(named or data_at_hand()), web)
    asked = _asked(tuple(setup()), split, methods, annotated, seeds, preset, quick)
    chosen = [
        one for one in BENCHES.values() if one.name == name or (name == "all" and not one.hidden)
    ]
    todo = plan(chosen, asked)
    if not todo:
        raise InputError(
            f"nothing to run: {name} has no case with what was asked for"
            + "; name unlabelled images by --web, and a split by --split listed, drawn or a file"
            * (name == "external")
        )
    found = run_jobs(todo, out, jobs, setup)
    if json_:
        print_json(found)
        return
    rows = found["found"] + found["added"]
    emit(f"{rows} rows were asked for, and are in {', '.join(found['files'])}")
    if found["skipped"]:
        emit(f"{len(found['skipped'])} of them were skipped; the first: {found['skipped'][0]}")
    # The report has no section for the hidden ones.
    if not all(one.hidden for one in chosen):
        emit(f"Next: sapwood report {shlex.quote(str(out))}")


def _asked(
    data: tuple[str, ...],
    split: Several,
    methods: Several,
    annotated: Several,
    seeds: int | None,
    preset: Several,
    quick: bool,
) -> Any:
    from sapwood.benchmark import Asked

    for one in _listed(preset):
        if one not in ("robust", "paper"):
            raise InputError(f"--preset {one}: no such preset; give robust or paper")
    counts = tuple(_count(text) for text in _listed(annotated))
    return Asked(
        data,
        _listed(split, paths=True) or None,
        counts or None,
        seeds,
        _listed(methods) or None,
        _listed(preset) or None,
        quick,
    )


def _listed(given: Several, *, paths: bool = False) -> tuple[str, ...]:
    """Split at commas, except where the whole text is a path, and name nothing twice."""
    split = [[text] if paths and _exists(text) else text.split(",") for text in given or ()]
    parts = [part.strip() for texts in split for part in texts]
    return tuple(dict.fromkeys(part for part in parts if part))


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        # Many names together may be too long for a path.
        return False


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"--annotated {text}: not a number of images; give 1 or more")
    return int(text)
