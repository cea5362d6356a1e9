"""How long work tells whoever listens where it stands; nobody listening costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, float], None]
_listener: ContextVar[Listener | None] = ContextVar("sapwood_progress", default=None)


def report(stage: str, done: float = 0.0) -> None:
    """Tell the listener, if there is one, that `stage` is `done`, from 0 to 1."""
    listener = _listener.get()
    if listener is not None:
        listener(stage, done)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call `listener` with every stage and share done while the block runs.

    Examples
    --------
    >>> with listening(lambda stage, done: print(stage, done)):
    ...     report("neighbours", 0.5)
    neighbours 0.5
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
