"""The folder a benchmark runs in: where its rows are, and what is kept beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path

from sapwood.benchmark.fingerprints import FIELD, Prints, agree
from sapwood.benchmark.locks import claimed
from sapwood.benchmark.rows import Row, append_rows, read_rows
from sapwood.graph import remembering_neighbors

_folder: ContextVar[Path | None] = ContextVar("sapwood_workplace", default=None)
_prints: ContextVar[Prints | None] = ContextVar("sapwood_fingerprints", default=None)


@contextmanager
def working_in(folder: Path, prints: Prints | None = None) -> Iterator[None]:
    """Have benchmarks that run in the block keep things in `folder`.

    Parameters
    ----------
    folder : Path
    prints : dict, optional
        Fingerprints of the data they run on.
    """
    token, of_data = _folder.set(folder), _prints.set(prints)
    try:
        yield
    finally:
        _folder.reset(token)
        _prints.reset(of_data)


def rows_file(folder: Path, bench: str) -> Path:
    """Return the file with the rows of a benchmark.

    Examples
    --------
    >>> rows_file(Path("here"), "zsl").as_posix()
    'here/zsl.jsonl'
    """
    return folder / f"{bench}.jsonl"


def claim_file(folder: Path, name: object) -> Path:
    """Return the file that is locked while `name` is worked at."""
    digest = hashlib.blake2b(str(name).encode(), digest_size=8).hexdigest()
    return folder / ".work" / "claims" / f"{digest}.lock"


def kept_graphs() -> AbstractContextManager[None]:
    """Keep neighbour lists that are found in the block, and look for them first.

    All draws of a data set have the same images, and so the same lists.
    """
    folder = _folder.get()
    return nullcontext() if folder is None else remembering_neighbors(folder / ".work" / "graphs")


def kept_choice(key: Row, choose: Callable[[], Row]) -> Row:
    """Return what was chosen for `key` before, in ``tuned.jsonl``; else choose and note it there.

    What was chosen on other data of that name is chosen again. Of several processes that ask at
    once, one chooses and the others wait for it.

    Parameters
    ----------
    key : dict
    choose : callable
        Returns a dict.
    """
    folder, prints = _folder.get(), _prints.get() or {}
    if folder is None:
        return choose()
    path = folder / "tuned.jsonl"
    with claimed(claim_file(folder, sorted(key.items()))):
        for row in read_rows(path):
            if key.items() <= row.items() and agree(row, prints):
                return {name: value for name, value in row.items() if name not in (*key, FIELD)}
        chosen = choose()
        append_rows(path, [{**key, **({FIELD: prints} if prints else {}), **chosen}])
        return chosen
