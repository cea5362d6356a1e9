"""What ``--describe`` says: tables of attributes, tables of descriptions, sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sapwood.cli.described import describe_both, encoder_of, meaning_of
from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.data import AttributeTable
    from sapwood.models import SparseAttributePropagation


@dataclass
class Said:
    """What was given: paths of attribute tables, and texts of classes; a sentence names itself."""

    tables: list[str] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)


def describe_classes(
    model: SparseAttributePropagation, describe: list[str], encoder: str | None = None
) -> tuple[list[str], np.ndarray]:
    """Return the names of new classes, and their attributes as the model knows them.

    Parameters
    ----------
    model : SparseAttributePropagation
    describe : list of str
        Paths of tables, or sentences.
    encoder : str, optional
        By default the one that the model remembers.
    """
    said, kept = _read(describe), meaning_of(model)
    if not kept:
        table = _attributes(said, encoder)
        return _names(table), _aligned(model, table)
    if "weights" in kept:
        table = _attributes_of_both(said)
        return _names(table), describe_both(model, table, _encoded(model, said, encoder))
    if said.tables:
        raise InputError(
            f"--describe {said.tables[0]} is a table of attributes, but the model was fitted on "
            "words; give a table class,description or a sentence"
        )
    table = _encoded(model, said, encoder)
    return _names(table), table.attributes


def _read(describe: list[str]) -> Said:
    from sapwood.text import read_descriptions

    said = Said()
    for given in describe:
        path = _located(given)
        if path is None:
            said.texts.setdefault(given, []).append(given)
        elif _is_in_words(path):
            for name, several in read_descriptions(path).items():
                said.texts.setdefault(name, []).extend(several)
        else:
            said.tables.append(given)
    return said


def _located(given: str) -> Path | None:
    """Return the path that is meant, or None for a sentence: several words and no such file."""
    from sapwood.data.own import TABLES
    from sapwood.data.sources import locate

    try:
        return locate(given)
    except InputError:
        if " " in given.strip() and Path(given).suffix.lower() not in (*TABLES, ".npz"):
            return None
        raise


def _is_in_words(path: Path) -> bool:
    from sapwood.data.own import TABLES
    from sapwood.data.problems import Report
    from sapwood.data.tables import table_rows
    from sapwood.text.descriptions import is_description_header

    if not path.is_file() or path.suffix.lower() not in TABLES:
        return False
    return is_description_header(next(table_rows(path, Report(path)))[1])


def _attributes(said: Said, encoder: str | None) -> AttributeTable:
    from sapwood.data import load_attributes

    if said.texts or encoder is not None:
        what = f"--describe {next(iter(said.texts))!r}" if said.texts else f"--encoder {encoder}"
        raise InputError(
            f"{what}: the model knows attributes and no words (fit was given none, or found that "
            "they help nothing); give a table of attributes alone"
        )
    if len(said.tables) > 1:
        raise InputError(f"--describe names {len(said.tables)} tables of attributes; give one")
    return load_attributes(said.tables[0])


def _attributes_of_both(said: Said) -> AttributeTable:
    from sapwood.data import load_attributes

    if len(said.tables) != 1 or not said.texts:
        raise InputError(
            f"--describe has {len(said.tables)} tables of attributes and words for "
            f"{len(said.texts)} classes, but the model was fitted on both; give --describe twice: "
            "a table of attributes and a table class,description of the same classes"
        )
    return load_attributes(said.tables[0])


def _encoded(model: SparseAttributePropagation, said: Said, encoder: str | None) -> AttributeTable:
    from sapwood.text import class_vectors

    return class_vectors(encoder_of(model, encoder), said.texts)


def _aligned(model: SparseAttributePropagation, new: AttributeTable) -> np.ndarray:
    from sapwood.models.attributes import column_order

    return new.attributes[:, column_order(new.attribute_names, model.attribute_names_)]


def _names(table: AttributeTable) -> list[str]:
    return [str(name) for name in table.class_names]
