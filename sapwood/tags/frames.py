"""Data frames of features, tags and concepts: their numbers, and the names of their columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.models.attributes import is_frame
from sapwood.tags.vocabulary import fold_tag


def numbers_of(value: Any) -> Any:
    """Return the numbers of a frame, shape (n, d), missing ones as NaN; anything else as it is."""
    if not hasattr(value, "iloc"):
        return value
    plain = value.to_numpy()
    if plain.dtype.kind != "O" or not is_frame(value):
        return plain
    # pandas' own kinds of numbers become objects, and so do numbers beside flags.
    if value.select_dtypes(["number", "bool"]).shape == value.shape:
        return value.to_numpy(dtype=np.float64, na_value=np.nan)
    return plain


def names_of(value: Any) -> list[str] | None:
    """Return the names of a frame's columns; None where they are no words, or it is no frame."""
    if not is_frame(value) or not all(isinstance(name, str) for name in value.columns):
        return None
    return list(value.columns)


def columns_by_name(names: Sequence[str]) -> Callable[[str], int | None]:
    """Return what finds the column of a name: the one called so, or else the first that folds so.

    Examples
    --------
    >>> find = columns_by_name(["Sea", "sea", "#dog"])
    >>> find("sea"), find("SEA"), find("Dog"), find("cat"), find("#")
    (1, 0, 2, None, None)
    """
    exact, folded = dict[str, int](), dict[str, int]()
    for j, name in enumerate(map(str, names)):
        exact.setdefault(name, j)
        folded.setdefault(fold_tag(name), j)
    folded.pop("", None)
    return lambda name: exact.get(name, folded.get(fold_tag(name)))


def in_order(tags: Any, names: Sequence[str] | None) -> Any:
    """Return the columns of a frame of tags in the order of fit; anything else as it is.

    Parameters
    ----------
    tags : Any
    names : sequence of str, optional
        Of the columns in fit, where they had any.
    """
    given = names_of(tags)
    if given is None or names is None or given == list(names):
        return tags
    place, known = columns_by_name(given), columns_by_name(names)
    found = [place(name) for name in names]
    strange = [f"has {n!r}, which fit had not" for n in given if known(n) is None]
    missing = [
        f"lacks {n!r}, which fit had" for n, j in zip(names, found, strict=True) if j is None
    ]
    if not (strange or missing) and not len(given) == len(names) == len(set(found)):
        missing = ["has names that mean the same, and fit had others of them"]
    if strange or missing:
        raise InputError(
            f"tags {' and '.join(strange[:1] + missing[:1])}; give the columns of fit, or "
            "tags.to_numpy() to go by their order"
        )
    return tags.iloc[:, found]
