"""``sapwood report``: what benchmarks found, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapwood.cli.output import Json, emit, print_json
from sapwood.cli.targets import check_targets
from sapwood.errors import InputError

FILES = {"report": "Report", "markdown": "Markdown", "latex": "LaTeX"}


def report(
    folder: Annotated[Path, typer.Argument(help="A folder that `sapwood bench` wrote into.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The page's file; NAME.md for Markdown only. Default: in the folder."),
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Also write the tables in LaTeX.")] = False,
    plots: Annotated[
        int | None, typer.Option(min=0, help="At most so many plots for the Markdown.")
    ] = None,
    json_: Json = False,
) -> None:
    """Write what benchmarks found as a page to look at, as Markdown and as LaTeX tables."""
    from sapwood.report.bench import write_report

    _check(folder, out, latex)
    found = write_report(folder, out, latex=latex, plots=plots)
    page = found["page"]
    if json_:
        paths = {name: str(found[name]) for name in FILES if name in found}
        sections = {section["id"]: len(section["blocks"]) for section in page["sections"]}
        told = {"rows": found["rows"], "headline": page["lead"], "facts": page["facts"]}
        print_json({**told, "sections": sections, **paths, "plots": list(map(str, found["plots"]))})
        return
    emit("\n".join(page["lead"]) + "\n")
    for name, title in FILES.items():
        if name in found:
            emit(f"{title + ':':10}{found[name]}")


def _check(folder: Path, out: Path | None, latex: bool) -> None:
    from sapwood.report.bench.run import PAGE, TABLES, markdown_of

    if out is not None and out.resolve().suffix.lower() == ".jsonl":
        raise InputError(
            f"--out {out} would replace the rows of a benchmark; give NAME.html or NAME.md"
        )
    if out is None and not folder.is_dir():
        # What is wrong with the folder is told where it is read.
        return
    page = folder / PAGE if out is None else out
    markdown = markdown_of(page)
    twin = markdown if markdown != page else None
    tables = page.parent / TABLES if latex else None
    check_targets({"--out": page, "the Markdown of --out": twin, "--latex": tables})
