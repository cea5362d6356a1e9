"""What every benchmark's command does: read its options, run what is missing."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from sapwood.benchmark.rows import Row, keep_finished, read_rows
from sapwood.benchmark.run import compute
from sapwood.benchmark.tasks import Task, task_of


def command_line(description: str, name: str) -> argparse.ArgumentParser:
    """Return a parser of the options that benchmarks share; more may be added to it.

    Parameters
    ----------
    description : str
        The benchmark's docstring, of which the first line is shown.
    name : str
        Of its folder.

    Examples
    --------
    >>> asked = command_line("What is measured.", "accuracy").parse_args(["--jobs", "1"])
    >>> asked.rows.as_posix(), asked.out.as_posix(), asked.jobs, asked.docs
    ('benchmarks/results/accuracy.jsonl', 'benchmarks/out/accuracy', 1, False)
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    add = parser.add_argument
    add("--rows", type=Path, default=Path(f"benchmarks/results/{name}.jsonl"), help="rows found")
    add("--out", type=Path, default=Path(f"benchmarks/out/{name}"), help="folder for tables")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="processes, one thread each")
    add("--docs", action="store_true", help="rewrite the documentation's tables")
    add("--annotated", type=int, nargs="+", metavar="K", help="only these; default: all")
    add("--seeds", type=int, metavar="N", help="only the first N draws; default: all")
    return parser


def run_missing(
    asked: argparse.Namespace,
    work: Callable[[Task], list[Row]],
    tasks: Iterable[Task],
    expected: Callable[[Task], int],
) -> list[Row]:
    """Run the tasks asked for whose rows are not all there yet; return all rows.

    Parameters
    ----------
    asked : Namespace
        What :func:`command_line` parsed.
    work, tasks
        As in :func:`sapwood.benchmark.compute`.
    expected
        As in :func:`sapwood.benchmark.keep_finished`.
    """
    asked.out.mkdir(parents=True, exist_ok=True)
    done = keep_finished(asked.rows, task_of, expected)
    todo = [task for task in tasks if task not in done and _wanted(task, asked)]
    compute(work, todo, asked.rows, jobs=asked.jobs, graphs=asked.out / "graphs")
    return read_rows(asked.rows)


def _wanted(task: Task, asked: argparse.Namespace) -> bool:
    some = asked.annotated is None or task.annotated in asked.annotated
    return some and (asked.seeds is None or task.seed < asked.seeds)
