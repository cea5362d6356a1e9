"""Locks on files, which the system lets go of when their process ends, however it ends."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def locked(file: BinaryIO) -> Iterator[None]:
    """Hold an open file alone while the block runs, waiting for it if need be.

    Parameters
    ----------
    file : binary file
        Of those who ask for it by this function, one has it at a time.
    """
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def claimed(path: Path, wait: bool = True) -> Iterator[bool]:
    """Hold the name `path` while the block runs; what is yielded tells whether it was free.

    Parameters
    ----------
    path : Path
        A file that is made for it, and stays: taking it away would free the name for two.
    wait : bool
        Whether to wait until it is free.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with claimed(Path(folder, "a")) as mine, claimed(Path(folder, "a"), wait=False) as too:
    ...         mine, too
    (True, False)
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
