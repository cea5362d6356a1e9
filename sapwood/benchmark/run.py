"""Many tasks in a few processes of one thread each; what is found is written at once."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from threadpoolctl import threadpool_limits

from sapwood.benchmark.rows import Row, append_rows
from sapwood.graph import remembering_neighbors

Work = Callable[[Any], Iterable[Row]]
#: What a shell reports of a command that was stopped by Ctrl-C.
STOPPED = 130


def compute(
    work: Work,
    tasks: Sequence[Any],
    path: Path,
    *,
    jobs: int = 1,
    graphs: Path | None = None,
    title: str = "problems",
) -> None:
    """Run `work` on each task and append its rows to `path` as soon as the task is finished.

    Ctrl-C ends the program with one line of message: tasks under way are lost, the rows of
    finished ones are in the file.

    Parameters
    ----------
    work : callable
        From a task to its rows. With several jobs it is a function of a module that other
        processes can import, or a partial of one.
    tasks : sequence
    path : Path
    jobs : int
        Processes; 1 is this one.
    graphs : Path, optional
        Folder in which neighbour lists are kept, see
        :func:`sapwood.graph.remembering_neighbors`.
    title : str
        What the progress bar counts.
    """
    if not tasks:
        return
    start, console, done = time.perf_counter(), Console(stderr=True, highlight=False), 0
    try:
        with Progress(console=console) as bar, closing(_found(work, tasks, jobs, graphs)) as found:
            for rows in bar.track(found, total=len(tasks), description=title):
                append_rows(path, rows)
                done += 1
    except KeyboardInterrupt:
        said = f"stopped after {done} of {len(tasks)} {title}; run it again for the others"
        console.print(said, soft_wrap=True)
        sys.exit(STOPPED)
    console.print(f"{done} {title} in {(time.perf_counter() - start) / 60:.1f} minutes")


def _found(
    work: Work, tasks: Sequence[Any], jobs: int, graphs: Path | None
) -> Generator[list[Row], None, None]:
    if jobs == 1:
        for task in tasks:
            yield _in_one_thread(work, task, graphs)
        return
    with _pool(jobs) as pool:
        with _ignoring_interrupts():
            futures = [pool.submit(_in_one_thread, work, task, graphs) for task in tasks]
        for future in as_completed(futures):
            yield future.result()


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that do not outlive the block, whatever ends it."""
    others = set(multiprocessing.active_children())
    # A fork would inherit this process's threads half-way through what they do.
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
            process.join()
        raise
    finally:
        pool.shutdown()


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes started here never hear Ctrl-C: the one that started them ends them."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _in_one_thread(work: Work, task: Any, graphs: Path | None) -> list[Row]:
    # Two processes that share two cores do better than one spread over both.
    with ExitStack() as stack:
        stack.enter_context(threadpool_limits(1))
        if graphs is not None:
            stack.enter_context(remembering_neighbors(graphs))
        return list(work(task))
