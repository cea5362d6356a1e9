"""``sapwood demo``: the whole job on drawn creatures, in two minutes, without a network."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sapwood.cli.output import Json, Quiet, Threads, emit, print_json, working
from sapwood.cli.replacing import refuse_to_replace
from sapwood.errors import InputError
from sapwood.progress import report

#: Stages of the demo and their usual share of its time.
SHARES = {
    "drawing creatures": 0.26,
    "finding pictures on the web": 0.08,
    "measuring colours and edges": 0.06,
    "writing pictures": 0.1,
    "fitting": 0.42,
    "writing the report": 0.08,
}


def demo(
    out: Annotated[Path, typer.Option(help="A folder for the pictures and the report.")] = Path(
        "sapwood-demo"
    ),
    seed: Annotated[int, typer.Option(min=0, help="Draws other pictures.")] = 0,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Draw creatures, name those nobody annotated, and write a report to look at."""
    from sapwood.report.demo import run_demo

    _refuse_to_replace_others(out)
    with working(SHARES, quiet, threads):
        found = run_demo(out, seed, report)
    if json_:
        paths = {name: str(found[name]) for name in ("report", "data")}
        print_json({"rows": found["rows"], **paths})
        return
    emit("Share of pictures named correctly (%), ten classes without a training picture:\n")
    emit(f"{found['table']}\n")
    emit(f"Report:   {found['report']}\nData set: {found['data']}")
    activate = "`. .venv/bin/activate`, " * (Path(".venv") / "bin" / "activate").exists()
    there = shlex.quote(str(out))
    emit(f"Next:     {activate}`cd {there}`, then the commands at the end of the report")


def _refuse_to_replace_others(out: Path) -> None:
    """Refuse a folder with a page, or with data, that no demo wrote."""
    from sapwood.data.world.files import README
    from sapwood.report.demo.run import DATA, PAGE

    refuse_to_replace("the page of --out", out / PAGE)
    data = out / DATA
    readme, begins = data / "README.txt", README.partition("\n")[0].encode()
    taken = data.exists() and (not data.is_dir() or any(data.glob("[!.]*")))
    if taken and not (readme.is_file() and readme.read_bytes().startswith(begins)):
        raise InputError(
            f"the data of --out {data} exists and was not written by sapwood demo; choose "
            "another folder, or remove it first"
        )
