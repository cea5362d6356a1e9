"""Row blocks worked on side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from threadpoolctl import threadpool_info, threadpool_limits

Result = TypeVar("Result")


def worker_count() -> int:
    """Return the number of threads that matrix products may use now."""
    return max([pool["num_threads"] for pool in threadpool_info()], default=1)


def map_blocks(work: Callable[[slice], Result], n: int, rows: int) -> Iterator[Result]:
    """Yield ``work(slice)`` for consecutive blocks of at most `rows` of n rows, in order.

    Each block runs on one thread, as many blocks at a time as there are threads: everything in a
    block then runs in parallel, not its large products alone.

    Examples
    --------
    >>> list(map_blocks(lambda block: (block.start, block.stop), 5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    blocks = [slice(start, min(start + rows, n)) for start in range(0, n, rows)]
    workers = min(worker_count(), len(blocks)) if len(blocks) > 1 else 1
    if workers == 1:
        yield from map(work, blocks)
        return
    with threadpool_limits(1), ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, blocks)
