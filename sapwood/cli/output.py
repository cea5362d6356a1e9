"""Data to stdout; progress, notes and errors to stderr."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from threadpoolctl import threadpool_limits

from sapwood.progress import Listener, listening

#: Columns of a table that nobody sees on a screen.
UNBROKEN = 10_000

_quiet: ContextVar[bool] = ContextVar("sapwood_quiet", default=False)


def _hush(quiet: bool) -> bool:
    _quiet.set(quiet)
    return quiet


Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
#: What was found or written is told, what came to pass on the way is not.
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", callback=_hush, help="No progress and no notes.")
]
Threads = Annotated[int | None, typer.Option(min=1, help="Processor threads; default: all.")]


def complain(kind: str, message: str) -> None:
    """Print one line to stderr, such as ``error: …``."""
    print(f"{kind}: {' '.join(message.split())}", file=sys.stderr)


def note(message: str, kind: str = "note") -> None:
    """Print one line to stderr, unless the user asked for none."""
    if not _quiet.get():
        complain(kind, message)


def spell_out_odd_letters() -> None:
    """Have stdout escape letters that its encoding lacks, as stderr does; no command fails then."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def in_paragraphs(command: Callable[..., object]) -> str:
    """Return the docstring of a command without the line breaks inside its paragraphs.

    The help breaks lines where the screen ends, and there alone.
    """
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


class ReaderLeft(BaseException):
    """Whoever read the output, such as `head`, has closed it: no error of anybody's."""


def emit(text: str) -> None:
    """Print a line or a table to stdout."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise ReaderLeft from None


def print_json(value: Any) -> None:
    """Print `value` as JSON to stdout."""
    # JSON has escapes of its own, which programs read.
    every_letter = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    emit(json.dumps(value, ensure_ascii=not every_letter))


def _rendered(table: Table) -> str:
    # What a program reads has one line a row, however long.
    width = None if sys.stdout.isatty() else UNBROKEN
    console = Console(highlight=False, markup=False, emoji=False, width=width)
    with console.capture() as captured:
        console.print(table)
    # Cells are filled up to the longest of their column, which a screen does not show.
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table for people to stdout; the first column is text, the others to the right."""
    table = Table(title=title, title_justify="left", show_edge=False)
    for j, column in enumerate(columns):
        table.add_column(column, justify="right" if j else "left", overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    emit(_rendered(table))


def print_facts(title: str, facts: Mapping[str, object]) -> None:
    """Print names and values for people to stdout."""
    table = Table(title=title, title_justify="left", show_edge=False, show_header=False, box=None)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if isinstance(value, Mapping):
            value = ", ".join(f"{count} {what}" for what, count in value.items())
        elif isinstance(value, list):
            value = ", ".join(map(str, value))
        table.add_row(name.replace("_", " "), str(value))
    emit(_rendered(table))


@contextmanager
def working(shares: Mapping[str, float], quiet: bool, threads: int | None) -> Iterator[None]:
    """Show the stages of the work in the block, with the time left, on stderr.

    Parameters
    ----------
    shares : mapping
        Stage to its expected share of the time, in order; other stages are not shown.
    quiet : bool
    threads : int, optional
    """
    with threadpool_limits(threads):
        if quiet:
            yield
            return
        if not sys.stderr.isatty():
            with listening(_stage_lines(shares)):
                yield
            return
        with _bar() as progress, listening(_shown_in(progress, shares)):
            yield


def _stage_lines(shares: Mapping[str, float]) -> Listener:
    """For logs: one line when a stage begins, in place of a bar that moves."""
    begun: set[str] = set()

    def show(stage: str, done: float) -> None:
        if stage in shares and stage not in begun:
            begun.add(stage)
            print(f"{stage} ...", file=sys.stderr)

    return show


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _shown_in(progress: Progress, shares: Mapping[str, float]) -> Listener:
    total = sum(shares.values()) or 1.0
    before = {s: sum(list(shares.values())[:i]) / total for i, s in enumerate(shares)}
    task = progress.add_task("starting", total=1.0)
    furthest = 0.0

    def show(stage: str, done: float) -> None:
        nonlocal furthest
        if stage in shares:
            # A stage that comes a second time does not move the bar back.
            furthest = max(furthest, before[stage] + shares[stage] / total * done)
            progress.update(task, description=stage, completed=furthest)

    return show
