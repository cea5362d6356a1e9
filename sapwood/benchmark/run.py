"""A resumable run: what is in the folder is not run again, what is found is written at once."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from sapwood.benchmark.cases import identity
from sapwood.benchmark.fingerprints import check_same, fingerprints
from sapwood.benchmark.jobs import Job, run_job
from sapwood.benchmark.pool import Outcome, Work, outcomes
from sapwood.benchmark.rows import Row, append_rows, read_rows
from sapwood.benchmark.workplace import rows_file
from sapwood.errors import InputError
from sapwood.graph import remembering_neighbors

#: What a shell reports of a command that was stopped by Ctrl-C.
STOPPED = 130


def run_jobs(
    jobs: Sequence[Job],
    folder: Path,
    processes: int = 1,
    begin: Callable[[], object] | None = None,
) -> Row:
    """Run what the folder lacks; say what is resumed, how far it is and what failed.

    A case that fails leaves the others alone; the first error is raised when these are done. Ctrl-C
    ends the program: rows found are in the files.

    Parameters
    ----------
    jobs : sequence of Job
    folder : Path
    processes : int
    begin : callable, optional
        Makes another process ready: see :func:`sapwood.benchmark.pool.outcomes`.

    Returns
    -------
    dict
        ``wanted``, ``found`` before and ``added`` rows, the ``files``, and ``skipped``: the methods
        of all these rows that could not be run, each with its reason.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [rows_file(folder, bench) for bench in dict.fromkeys(j.case.bench for j in jobs)]
    rows = [row for file in files for row in read_rows(file)]
    _check_quick(rows, jobs, folder)
    prints = fingerprints(job.case for job in jobs)
    check_same(rows, prints, folder)
    jobs = [job._replace(prints=prints[job.case]) for job in jobs]
    todo = [job for job in jobs if job.missing(rows)]
    wanted = sum(len(job.methods) for job in jobs)
    found = wanted - sum(len(job.missing(rows)) for job in jobs)
    console = Console(stderr=True, highlight=False, markup=False)
    if found:
        console.print(f"resuming: {found} of {wanted} rows found in {folder}", soft_wrap=True)
        _tell_skipped(_skipped(rows, jobs), console)
    ended = _completed(partial(run_job, folder), todo, processes, begin, console)
    failed = [outcome for outcome in ended if outcome.error is not None]
    if failed:
        raise failed[0].error  # type: ignore[misc]
    rows = [row for file in files for row in read_rows(file)]
    return {
        "wanted": wanted,
        "found": found,
        "added": sum(outcome.result or 0 for outcome in ended),
        "skipped": [f"{row['method']}: {row['skipped']}" for row in _skipped(rows, jobs)],
        "files": [str(file) for file in files],
    }


def _skipped(rows: Sequence[Row], jobs: Sequence[Job]) -> list[Row]:
    """Return the rows of these jobs that only say why a method could not be run."""
    asked = {identity(job.row(method)) for job in jobs for method in job.methods}
    return [row for row in rows if row.get("skipped") and identity(row) in asked]


def _tell_skipped(skipped: Sequence[Row], console: Console) -> None:
    """Say that methods which could not be run are not tried again by themselves."""
    if skipped:
        names = ", ".join(sorted({row["method"] for row in skipped}))
        console.print(
            f"{len(skipped)} of these only say why a method could not be run ({names}); delete "
            "their lines to have it tried again",
            soft_wrap=True,
        )


def _completed(
    work: Callable[[bool, Job], int | None],
    todo: Sequence[Job],
    processes: int,
    begin: Callable[[], object] | None,
    console: Console,
) -> list[Outcome]:
    """Run jobs, then wait for those that another command has in hand."""
    ended = _shown(partial(work, False), todo, processes, begin, console, "cases")
    busy = [outcome.task for outcome in ended if outcome.result is None and not outcome.error]
    if not busy:
        return ended
    console.print(f"{len(busy)} cases are being run by another command; waiting for it")
    waited = _shown(partial(work, True), busy, processes, begin, console, "cases")
    return [outcome for outcome in ended if outcome.task not in busy] + waited


def _shown(
    work: Work,
    tasks: Sequence[Any],
    processes: int,
    begin: Callable[[], object] | None,
    console: Console,
    title: str,
) -> list[Outcome]:
    if not tasks:
        return []
    start, ended = time.perf_counter(), list[Outcome]()
    try:
        with (
            _hearing_ctrl_c(),
            Progress(console=console) as bar,
            closing(outcomes(work, tasks, processes, begin)) as found,
        ):
            for outcome in bar.track(found, total=len(tasks), description=title):
                ended.append(outcome)
                _tell(outcome, f"{len(ended)} of {len(tasks)} {title}", console)
    except KeyboardInterrupt:
        said = f"stopped after {len(ended)} of {len(tasks)} {title}; run it again for the others"
        console.print(said, soft_wrap=True)
        sys.exit(STOPPED)
    console.print(f"{len(ended)} {title} in {(time.perf_counter() - start) / 60:.1f} minutes")
    return ended


def _tell(outcome: Outcome, count: str, console: Console) -> None:
    """Say what failed, and in a log, where a bar cannot move, how far it is."""
    task = outcome.task.case if isinstance(outcome.task, Job) else outcome.task
    if isinstance(outcome.error, OSError):
        # A full disk would have every other case fail after its work is done.
        raise outcome.error
    if outcome.error is not None:
        said = f"failed: {task}: {type(outcome.error).__name__}: {outcome.error}"
        console.print(said, soft_wrap=True)
    elif not console.is_terminal:
        console.print(f"{count}: {task}", soft_wrap=True)


def compute(
    work: Callable[[Any], list[Row]],
    tasks: Sequence[Any],
    path: Path,
    *,
    graphs: Path | None = None,
    title: str = "problems",
) -> None:
    """Run `work` on each task in this process and append its rows to `path` when it is finished.

    Parameters
    ----------
    work : callable
        From a task to its rows.
    tasks : sequence
    path : Path
    graphs : Path, optional
        Folder in which neighbour lists are kept, see
        :func:`sapwood.graph.remembering_neighbors`.
    title : str
        What the progress bar counts.
    """

    def kept(task: Any) -> None:
        with nullcontext() if graphs is None else remembering_neighbors(graphs):
            append_rows(path, work(task))

    for outcome in _shown(
        kept, tasks, 1, None, Console(stderr=True, highlight=False, markup=False), title
    ):
        if outcome.error is not None:
            raise outcome.error


def _check_quick(rows: Sequence[Row], jobs: Sequence[Job], folder: Path) -> None:
    quick = {job.case.quick for job in jobs}
    other = [row for row in rows if row.get("quick", False) not in quick]
    if other:
        kind, asked = ("a quick run", "whole") if True not in quick else ("a whole run", "quick")
        raise InputError(f"{folder} has rows of {kind}, this one is {asked}; choose another --out")


@contextmanager
def _hearing_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt, whatever the program makes of it elsewhere."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
