"""Neighbour lists kept on disk, for work that asks for the same ones again."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import numpy as np

from sapwood.atomic import write_atomically

_folder: ContextVar[Path | None] = ContextVar("sapwood_neighbours", default=None)
_spared: ContextVar[float] = ContextVar("sapwood_spared_seconds", default=0.0)

Lists = tuple[np.ndarray, np.ndarray]


@contextmanager
def remembering_neighbors(folder: str | Path) -> Iterator[None]:
    """Keep every neighbour list found in the block in `folder`, and look there first.

    Lists are recognised by a hash of the features, so nothing in the folder can be out of date.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sapwood.graph import nearest_neighbors
    >>> with TemporaryDirectory() as folder, remembering_neighbors(folder):
    ...     first, _ = nearest_neighbors(np.eye(3), 1)
    ...     again, _ = nearest_neighbors(np.eye(3), 1)
    >>> bool((first == again).all())
    True
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    token = _folder.set(Path(folder))
    try:
        yield
    finally:
        _folder.reset(token)


def place_of(X: np.ndarray, k: int) -> Path | None:
    """Return the file for the k neighbours of each row of X; None where nothing is kept."""
    folder = _folder.get()
    if folder is None:
        return None
    digest = hashlib.blake2b(np.ascontiguousarray(X).data, digest_size=16)
    digest.update(f"{X.shape} {X.dtype} {k}".encode())
    return folder / f"neighbours-{digest.hexdigest()}.npz"


def read_lists(place: Path | None) -> Lists | None:
    """Return the lists kept at `place`; None where there are none that can be read."""
    if place is None or not place.is_file():
        return None
    try:
        with np.load(io.BytesIO(place.read_bytes()), allow_pickle=False) as kept:
            lists = kept["neighbors"], kept["squared"]
            _spared.set(_spared.get() + float(kept["seconds"]))
            return lists
    except Exception:
        # Damage shows in many ways, and each of them is mended by finding the lists again.
        return None


def keep_lists(place: Path | None, lists: Lists, seconds: float) -> None:
    """Write the lists to `place`, if there is one, and what they took to find."""
    if place is not None:
        content = io.BytesIO()
        np.savez(content, neighbors=lists[0], squared=lists[1], seconds=seconds)
        write_atomically(place, content.getvalue())


def spared_seconds() -> float:
    """Return the processor time that lists found before have taken, for all that were read."""
    return _spared.get()
