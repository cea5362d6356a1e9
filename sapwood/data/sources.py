"""Where data is and what it is: a name or a path in, the kind of data and its fields out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sapwood.data.cards import CARDS, find_card
from sapwood.data.names import clean, listed
from sapwood.data.npz import read_npz
from sapwood.data.own import TABLES, find_tables, is_own, read_attributes, read_features, read_own
from sapwood.data.problems import Report, one_line
from sapwood.data.tables import table_rows
from sapwood.data.xlsa17 import is_xlsa17, read_xlsa17
from sapwood.errors import InputError, closest

Fields = dict[str, Any]


def locate(source: str | Path) -> Path:
    """Return the path meant: `source` itself, or ``<name>.npz`` in the folder ``SAPWOOD_DATA``.

    Examples
    --------
    >>> locate("no-such-set.npz")
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: no-such-set.npz: no such file...
    """
    path = Path(source)
    try:
        if path.exists():
            return path
    except (OSError, ValueError):
        raise InputError(one_line(f"{source}: not a usable path; check it")) from None
    folder = os.environ.get("SAPWOOD_DATA")
    known = find_card(str(source))
    if folder and path.name == str(source):
        slug = known.slug if known else path.name
        for name in (path.name, f"{path.name}.npz", f"{slug}.npz", slug):
            if (Path(folder) / name).exists():
                return Path(folder) / name
    if known:
        raise InputError(
            f"data set {str(source)!r}: not in the folder named by SAPWOOD_DATA "
            f"({folder or 'not set'}); {known.get}"
        )
    slugs = [known.slug for known in CARDS.values()]
    nearby = [*_names_in(path.parent), *(_names_in(Path(folder)) if folder else [])]
    hint = closest(source, [*CARDS, *slugs, *nearby]) or "; check the path or the name"
    raise InputError(one_line(f"{source}: no such file, folder or known data set{hint}"))


def _names_in(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return [*map(str, folder.iterdir()), *(path.name for path in folder.iterdir())]


def read(path: Path, report: Report, attributes: str | None = None) -> tuple[str, Fields]:
    """Return the kind of data at `path` and its fields, not yet checked."""
    suffix = path.suffix.lower()
    if path.is_dir():
        kind, fields = _read_folder(path, report, attributes)
    elif suffix == ".npz":
        kind, fields = read_npz(path, report, attributes)
    elif suffix in TABLES:
        kind, fields = _read_table(path, report)
    elif suffix == ".mat":
        raise report.fatal("", "one of two MATLAB files", "give the folder that holds both")
    else:
        fix = "give .npz, .csv, .tsv, .parquet or a folder"
        raise report.fatal("", f"files ending in {suffix!r} are not known", fix)
    found = find_card(path.resolve().name if path.is_dir() else path.stem)
    known = {"card": found.name} if found else {}
    fields["provenance"] = {"path": str(path), **known, **(fields.get("provenance") or {})}
    return kind, fields


def _read_folder(path: Path, report: Report, attributes: str | None) -> tuple[str, Fields]:
    if is_xlsa17(path):
        return read_xlsa17(path, report, attributes)
    if is_own(path):
        return read_own(find_tables(path, report), report)
    inside = [p for p in sorted(path.iterdir()) if p.suffix == ".npz" or is_xlsa17(p) or is_own(p)]
    if inside:
        names = listed(p.name for p in inside)
        raise report.fatal("", f"a folder with {names}, not a data set", "give one of these")
    fix = "add features.csv, annotations.csv and attributes.csv, or res101.mat and att_splits.mat"
    raise report.fatal("", "a folder without a data set", fix)


def _read_table(path: Path, report: Report) -> tuple[str, Fields]:
    _, header = next(table_rows(path, report))
    corner = clean(header[0]).casefold() if header else ""
    if "image" in corner or "file" in corner:
        return "features", read_features(path, report)
    if "class" in corner:
        return "attributes", read_attributes(path, report)
    fix = "call its first column image or class, or give the folder of all three tables"
    raise report.fatal("", "a table of features or of attributes? it does not say", fix)
