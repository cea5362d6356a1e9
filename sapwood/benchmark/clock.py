"""What a piece of work takes: processor time and memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sapwood.graph.cache import spared_seconds

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass
class Taken:
    """Filled in when the block of :func:`clocked` ends.

    Attributes
    ----------
    seconds : float
        Of processor time: other programs on the machine do not change it. Neighbour lists that
        were found before count as if they were found here.
    peak_mb : float or None
        How far resident memory rose above what it was; None where the system does not tell.
    """

    seconds: float = 0.0
    peak_mb: float | None = None


@contextmanager
def clocked() -> Iterator[Taken]:
    """Measure the block.

    Examples
    --------
    >>> with clocked() as taken:
    ...     _ = sum(range(100_000))
    >>> taken.seconds > 0
    True
    """
    taken, before = Taken(), _reset_peak()
    start = time.process_time() + spared_seconds()
    yield taken
    taken.seconds = round(time.process_time() + spared_seconds() - start, 4)
    peak = _status("VmHWM")
    if before is not None and peak is not None:
        taken.peak_mb = round((peak - before) / 1024, 1)


def _reset_peak() -> float | None:
    """Have the system count the highest memory from now on; return what it is now, in kB."""
    try:
        CLEAR.write_text("5")
    except OSError:
        return None
    return _status("VmRSS")


def _status(name: str) -> float | None:
    try:
        lines = STATUS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(f"{name}:")]
    return float(found[0]) if found else None
