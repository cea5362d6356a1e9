"""Many tasks in a few processes of one thread each, which end when the one that began them does."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from sapwood.errors import InputError

Work = Callable[[Any], Any]


class Outcome(NamedTuple):
    """What became of a task: what the work returned, or the error it ended with."""

    task: Any
    result: Any = None
    error: Exception | None = None


def outcomes(
    work: Work, tasks: Sequence[Any], jobs: int = 1, begin: Callable[[], object] | None = None
) -> Generator[Outcome, None, None]:
    """Do `work` on each task and yield what became of it, in the order in which they end.

    Closing the generator ends the processes.

    Parameters
    ----------
    work : callable
        With several jobs a function of a module that other processes can import, or a partial of
        one.
    tasks : sequence
    jobs : int
        Processes; 1 is this one.
    begin : callable, optional
        Called once in every other process before its first task.

    Examples
    --------
    >>> [done.result for done in outcomes(abs, [1, -2])]
    [1, 2]
    """
    if jobs == 1:
        for task in tasks:
            yield _tried(work, task)
        return
    with _pool(min(jobs, len(tasks)), begin) as pool:
        with _ignoring_interrupts():
            futures = [pool.submit(_tried, work, task) for task in tasks]
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                raise InputError(
                    "a process was ended by the system, as a rule for want of memory; run it "
                    "again with fewer --jobs"
                ) from None


def _tried(work: Work, task: Any) -> Outcome:
    # Two processes that share two cores do better than one spread over both.
    with threadpool_limits(1):
        try:
            return Outcome(task, work(task))
        except Exception as error:
            return Outcome(task, error=_sendable(error))


def _sendable(error: Exception) -> Exception:
    """Return the error, or its words where another process could not read it."""
    # The pool sends it so, and would break where that fails.
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


@contextmanager
def _pool(jobs: int, begin: Callable[[], object] | None) -> Iterator[ProcessPoolExecutor]:
    """Processes that do not outlive the block, whatever ends it."""
    others = set(multiprocessing.active_children())
    # A fork would inherit this process's threads half-way through what they do.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(begin,))
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        # The pool's own thread waits for its processes: a second waiter may be told nothing.
        pool.shutdown(cancel_futures=True)


def _begin(begin: Callable[[], object] | None) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    """Wait for the end of the process that began this one, even by kill -9, and end at once."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes started here never hear Ctrl-C: the one that started them ends them."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
