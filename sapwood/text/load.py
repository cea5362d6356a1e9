"""Data sets whose classes are described elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sapwood.data import AttributeTable, ZeroShotData, load_tables, load_zero_shot
from sapwood.data.names import suggest
from sapwood.data.originals import refuse
from sapwood.data.own import find_tables, tables_in
from sapwood.data.problems import Report
from sapwood.data.sources import locate
from sapwood.data.wanted import Wanted
from sapwood.errors import InputError


def load_described(
    source: str | Path, table: AttributeTable, *, features: str | Path | None = None
) -> ZeroShotData:
    """Load a data set with the descriptions of `table` in place of attributes.

    Parameters
    ----------
    source : str or Path
        As in :func:`sapwood.data.load`; a folder of tables needs no ``attributes.csv``, and has
        then the classes of `table`.
    table : AttributeTable
        A row for every class of the data set.
    features : str or Path, optional
        As in :func:`sapwood.data.load`.
    """
    tables = tables_without_attributes(source)
    if tables is None:
        return with_table(load_zero_shot(source, features=features), table)
    refuse(Wanted(features=features), Report(source))
    data = join_tables(*tables, table)
    return replace(data, provenance={**data.provenance, "attributes": "descriptions in words"})


def join_tables(
    features: str | Path, annotations: str | Path, table: AttributeTable
) -> ZeroShotData:
    """Read features and annotations, the classes being those of `table`."""
    # Tables are matched, and what does not match is told, where files are read.
    with TemporaryDirectory() as place:
        path = Path(place, "classes.npz")
        np.savez(path, attributes=table.attributes, class_names=np.array(table.class_names))
        data = load_tables(features, annotations, path)
    return replace(data, attribute_names=table.attribute_names)


def tables_without_attributes(source: str | Path) -> tuple[Path, Path] | None:
    """Return the features and annotations of a folder of tables that has no attributes."""
    folder = locate(source)
    there = tables_in(folder)
    if there["attributes"] or not (there["features"] and there["annotations"]):
        return None
    found = find_tables(folder, Report(folder), ("features", "annotations"))
    return found["features"], found["annotations"]


def with_table(data: ZeroShotData, table: AttributeTable) -> ZeroShotData:
    """Return `data` with the descriptions of `table` in place of its attributes."""
    found = table.attributes[rows_of(table, data.class_names)]
    return replace(data, attributes=found, attribute_names=table.attribute_names)


def rows_of(table: AttributeTable, class_names: Iterable[object]) -> list[int]:
    """Return the rows of `table` for classes by name; every one must be there."""
    row = {str(name): i for i, name in enumerate(table.class_names)}
    names = [str(name) for name in class_names]
    lacking = [name for name in names if name not in row]
    if lacking:
        raise InputError(
            f"{len(lacking)} of {len(names)} classes are not described in words (first: "
            f"{lacking[0]!r}{suggest(lacking[0], row)}); describe them or correct the names"
        )
    return [row[name] for name in names]
