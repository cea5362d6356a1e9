"""What data rows were found with: a name, or a file, may stand for other data tomorrow."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import DEMO, data_alone, get_data, get_web, source_of, web_source
from sapwood.benchmark.draws import is_split_file
from sapwood.benchmark.rows import Row
from sapwood.benchmark.sia_data import get_tags
from sapwood.errors import InputError

#: A short hash of each part of a case's data, by the option that names it.
Prints = dict[str, str]
#: Where a row keeps them; rows that were found before there were any are trusted.
FIELD = "fingerprint"
#: What differs where the hash of a part does.
OTHERS = {"data": "other data", "web": "other images", "split": "another content"}
#: Nothing is computed from these, and they tell where files are.
UNUSED = ("image_names", "provenance")


def fingerprints(cases: Iterable[Case]) -> dict[Case, Prints]:
    """Return the fingerprints of each case's data, web images and split file, each found once.

    The demo's creatures have none: they are drawn, and the version tells how.

    Parameters
    ----------
    cases : iterable of Case
    """
    found = cache(lambda read, *given: fingerprint(read(*given)))
    return {
        case: {part: found(*how) for part, how in _parts(case).items()}
        for case in dict.fromkeys(cases)
    }


def _parts(case: Case) -> dict[str, tuple[Any, ...]]:
    """Return what reads each part of a case's data, and what that is called with."""
    parts: dict[str, tuple[Any, ...]] = {}
    name = data_alone(case.bench, case.data, case.split)
    if name != DEMO:
        parts["data"] = (get_tags if case.bench == "sia" else get_data, name, case.quick)
        if name != case.data:
            parts["web"] = (get_web, name, case.quick)
    if is_split_file(case.split):
        parts["split"] = (Path.read_bytes, Path(case.split))
    return parts


def fingerprint(value: Any) -> str:
    """Return a short hash of a data set, of an array or of the bytes of a file.

    Examples
    --------
    >>> fingerprint(np.arange(3)) == fingerprint(np.arange(3)) != fingerprint(np.arange(4))
    True
    """
    digest = hashlib.sha256()
    _feed(digest.update, value)
    return digest.hexdigest()[:16]


def _feed(update: Callable[[Any], None], value: Any) -> None:
    if is_dataclass(value):
        value = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in UNUSED}
    if isinstance(value, Mapping):
        for name in sorted(value):
            update(repr(name).encode())
            _feed(update, value[name])
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        update(f"{value.dtype.str} {value.shape}".encode())
        update(np.ascontiguousarray(value))
    else:
        update(repr(value.tolist() if isinstance(value, np.ndarray) else value).encode())


def agree(row: Row, prints: Prints) -> bool:
    """Tell whether a row was found with the data of `prints`, as far as both tell.

    Examples
    --------
    >>> agree({"fingerprint": {"data": "a"}}, {"data": "b"}), agree({}, {"data": "b"})
    (False, True)
    """
    kept = row.get(FIELD) or {}
    return all(kept.get(part, own) == own for part, own in prints.items())


def check_same(rows: Iterable[Row], prints: Mapping[Case, Prints], folder: Path) -> None:
    """Refuse to add to rows of the same names that were found with other data.

    Parameters
    ----------
    rows : iterable of dict
    prints : mapping of Case to dict
        Of the cases that are to be run.
    folder : Path
        That of the rows.
    """
    asked = {_place(case.told(), part): case for case in prints for part in prints[case]}
    for row in rows:
        places = {part: asked.get(_place(row, part)) for part in row.get(FIELD) or {}}
        others = [
            f"{OTHERS[part]} than --{part} {_file(case, part)} has now"
            for part, case in places.items()
            if case and prints[case][part] != row[FIELD][part]
        ]
        if others:
            raise InputError(
                f"{folder} has rows of {row['data']} that were found with {', and '.join(others)}; "
                "choose another --out"
            )


def _place(row: Row, part: str) -> tuple[Any, ...]:
    names = ("bench", "data", "split") if part == "split" else ("bench", "data")
    return part, *(row.get(name) for name in names)


def _file(case: Case, part: str) -> str:
    if part == "split":
        return case.split
    name = data_alone(case.bench, case.data, case.split)
    return (web_source(name) if part == "web" else source_of(name)) or name
