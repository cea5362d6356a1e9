"""Where data is and what it is: a name or a path in, the kind of data and its fields out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sapwood.data.apy_folder import is_apy_folder, read_apy_folder
from sapwood.data.awa_folder import is_awa_folder, read_awa_folder
from sapwood.data.cards import CARDS, Card, find_card
from sapwood.data.cub_folder import is_cub_folder, read_cub_folder
from sapwood.data.downloads import downloaded
from sapwood.data.home import data_folder, data_home
from sapwood.data.image_folder import is_image_folder, read_image_folder
from sapwood.data.mirflickr import is_mirflickr, read_mirflickr
from sapwood.data.names import clean, listed
from sapwood.data.npz import read_npz
from sapwood.data.nus_wide import is_nus_wide, read_nus_wide
from sapwood.data.originals import refuse
from sapwood.data.own import (
    TABLES,
    find_tables,
    is_own,
    read_attributes,
    read_features,
    read_own,
    tables_in,
)
from sapwood.data.problems import Report, one_line
from sapwood.data.sun_folder import is_sun_folder, read_sun_folder
from sapwood.data.tables import table_rows
from sapwood.data.wanted import Wanted
from sapwood.data.xlsa17 import is_xlsa17, read_xlsa17
from sapwood.errors import InputError, closest

Fields = dict[str, Any]
Reader = Callable[[Path, Report, Wanted], tuple[str, Fields]]


def _read_xlsa17(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    refuse(wanted, report, "attributes")
    return read_xlsa17(folder, report, wanted.attributes)


def _read_own(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    refuse(wanted, report)
    return read_own(find_tables(folder, report), report)


def _has_images_and_features(folder: Path) -> bool:
    parts = [part for part, paths in tables_in(folder).items() if paths]
    return parts == ["features"] and is_image_folder(folder)


#: How each kind of folder is told and read; the first that fits. CUB has an ``attributes.txt``
#: and any folder may hold ``features.npz``, so that tables of one's own come last.
_FOLDERS: tuple[tuple[Callable[[Path], bool], Reader], ...] = (
    (is_xlsa17, _read_xlsa17),
    (is_cub_folder, read_cub_folder),
    (is_awa_folder, read_awa_folder),
    (is_apy_folder, read_apy_folder),
    (is_sun_folder, read_sun_folder),
    (is_nus_wide, read_nus_wide),
    (is_mirflickr, read_mirflickr),
    (_has_images_and_features, read_image_folder),
    (is_own, _read_own),
)


def locate(source: str | Path) -> Path:
    """Return the path meant: `source` itself, or what is kept under that name.

    A name is looked for as ``<name>.npz`` or a folder in the folder ``SAPWOOD_DATA``, then among
    the sets that ``sapwood data get`` has fetched into ``SAPWOOD_HOME``.

    Examples
    --------
    >>> locate("no-such-set.npz")
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: no-such-set.npz: no such file...
    """
    path, known = find(source), find_card(str(source))
    if path is not None:
        return path
    folder = data_folder()
    if known:
        get = f" Or run `sapwood data get {known.name}`." if known.downloads else ""
        raise InputError(
            f"data set {str(source)!r}: not in the folder named by SAPWOOD_DATA "
            f"({folder or 'not set'}); {known.get}{get}"
        )
    slugs = [known.slug for known in CARDS.values()]
    nearby = [*_names_in(Path(source).parent), *(_names_in(folder) if folder else [])]
    hint = closest(source, [*CARDS, *slugs, *nearby]) or "; check the path or the name"
    raise InputError(one_line(f"{source}: no such file, folder or known data set{hint}"))


def find(source: str | Path) -> Path | None:
    """Return the path meant, as :func:`locate` does, or None where there is none."""
    path = Path(source)
    try:
        if path.exists():
            return path
    except (OSError, ValueError):
        raise InputError(one_line(f"{source}: not a usable path; check it")) from None
    folder, known = data_folder(), find_card(str(source))
    if folder and path.name == str(source):
        slug = known.slug if known else path.name
        for name in (path.name, f"{path.name}.npz", f"{slug}.npz", slug):
            if (folder / name).exists():
                return folder / name
    return None if known is None else _fetched(known)


def _fetched(known: Card) -> Path | None:
    place = downloaded(known.name) or data_home() / known.slug
    return place if place.exists() else None


def _names_in(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return [*map(str, folder.iterdir()), *(path.name for path in folder.iterdir())]


def read(path: Path, report: Report, wanted: Wanted | None = None) -> tuple[str, Fields]:
    """Return the kind of data at `path` and its fields, not yet checked."""
    wanted = wanted or Wanted()
    if path.is_dir():
        # The name of "." is empty, and what lies beside it has no path from there.
        kind, fields = _read_folder(Path(os.path.abspath(path)), report, wanted)
    else:
        kind, fields = _read_file(path, report, wanted)
    found = find_card(path.resolve().name if path.is_dir() else path.stem)
    known = {"card": found.name} if found else {}
    fields["provenance"] = {"path": str(path), **known, **(fields.get("provenance") or {})}
    return kind, fields


def _read_file(path: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    suffix = path.suffix.lower()
    if suffix == ".npz":
        refuse(wanted, report, "attributes")
        return read_npz(path, report, wanted.attributes)
    refuse(wanted, report)
    if suffix in TABLES:
        return _read_table(path, report)
    if suffix == ".mat":
        raise report.fatal("", "one of two MATLAB files", "give the folder that holds both")
    fix = "give .npz, .csv, .tsv, .parquet or a folder"
    raise report.fatal("", f"files ending in {suffix!r} are not known", fix)


def _reader(folder: Path) -> Reader | None:
    return next((reader for fits, reader in _FOLDERS if fits(folder)), None)


def _read_folder(path: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    reader = _reader(path)
    if reader is not None:
        return reader(path, report, wanted)
    inside = [p for p in sorted(path.iterdir()) if p.suffix == ".npz" or _reader(p)]
    if inside and wanted.features is None:
        names = listed(p.name for p in inside)
        raise report.fatal("", f"a folder with {names}, not a data set", "give one of these")
    if is_image_folder(path):
        return read_image_folder(path, report, wanted)
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
