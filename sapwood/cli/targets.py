"""Files to write: checked before the work, so that none fails, or destroys another, after it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from sapwood.atomic import write_atomically
from sapwood.errors import InputError

Source = str | Path | None
#: Ends of files that commands write; others that lie in a data set's folder may be parts of it.
WRITTEN = (".csv", ".sap", ".tags", ".html")


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table with a header, at once or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_atomically(path, text.getvalue().encode())


def check_targets(
    outs: Mapping[str, Path | None], *inputs: Source, models: Mapping[str, str] | None = None
) -> None:
    """Refuse before the work what would fail, or destroy a file, after it.

    Parameters
    ----------
    outs : mapping
        Option to the file that it names, if it is given.
    *inputs : str, Path or None
        What may name a file or a folder to be read; names of data sets and sentences may, too.
    models : mapping, optional
        Option to the kind of model that is written there; the others are tables and pages.
    """
    from sapwood.cli.replacing import refuse_to_replace

    targets = {option: _writable(option, out) for option, out in outs.items() if out is not None}
    for (one, first), (other, second) in combinations(targets.items(), 2):
        if _same(first, second):
            raise InputError(f"{one} and {other} name one file, {outs[one]}; give each its own")
    sources = list(_sources(inputs))
    for option, path in targets.items():
        for source in sources:
            if _same(path, source):
                raise InputError(
                    f"{option} {outs[option]} is the file to be read; choose another name"
                )
            if source.is_dir() and _may_be_part(path, source):
                raise InputError(
                    f"{option} {outs[option]} may be a part of {source}, the folder to be read; "
                    "choose another name"
                )
        refuse_to_replace(option, path, (models or {}).get(option))


def _writable(option: str, out: Path) -> Path:
    """Return the file that is meant, through links, if it can be written."""
    # Where a link points is where the file is written.
    path = Path(os.path.realpath(out))
    if path.is_dir():
        raise InputError(f"{option} {out} is a folder; give the name of a file in it")
    if path.exists() and not path.is_file():
        raise InputError(f"{option} {out} is a device or a pipe; give the name of a file")
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{option} {out}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise InputError(
            f"{option} {out}: the folder {folder} cannot be written to; choose another"
        )
    return path


def _sources(inputs: Iterable[Source]) -> Iterator[Path]:
    """Yield what is there of `inputs`; a name may also be one within a folder among them."""
    given = [source for source in inputs if source is not None]
    found = [path for path in map(_found, given) if path is not None]
    yield from found
    inside = (os.path.join(folder, source) for folder in found for source in given)
    yield from (Path(os.path.realpath(path)) for path in inside if os.path.isfile(path))


def _found(source: str | Path) -> Path | None:
    from sapwood.data.sources import find

    try:
        path = find(source)
    except InputError:
        # A sentence may be too long for a path.
        return None
    return None if path is None else Path(os.path.realpath(path))


def _same(one: Path, other: Path) -> bool:
    if one == other:
        return True
    return one.exists() and other.exists() and one.samefile(other)


def _may_be_part(path: Path, folder: Path) -> bool:
    from sapwood.data.own import PARTS

    if not path.is_relative_to(folder):
        return False
    # Beside features.npz a features.csv would be one too many.
    return path.stem in PARTS or (path.exists() and path.suffix.lower() not in WRITTEN)
