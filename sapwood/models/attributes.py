"""Class descriptions: reading and filling them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sapwood.errors import LARGEST, InputError, closest, counted


@dataclass(frozen=True)
class Attributes:
    """Attribute vectors of classes, with names where they are known.

    Attributes
    ----------
    Z : ndarray of shape (classes, k)
    class_names, attribute_names : list of str, or None
    """

    Z: np.ndarray
    class_names: list[str] | None
    attribute_names: list[str] | None


def read_attributes(
    class_attributes: Any,
    class_names: Any = None,
    attribute_names: Any = None,
    fill: np.ndarray | None = None,
    argument: str = "class_attributes",
) -> Attributes:
    """Read a (classes, k) array or DataFrame of attributes and check it.

    Parameters
    ----------
    class_attributes : array-like or DataFrame of shape (classes, k)
        NaN marks an attribute nobody measured.
    class_names, attribute_names : sequence of str, optional
        A DataFrame brings its own.
    fill : ndarray of shape (k,), optional
        What stands in for NaN; by default the attribute's mean over the classes that have it.
    argument : str
        Its name, for messages.
    """
    if attribute_names is None and is_frame(class_attributes):
        attribute_names = class_attributes.columns
    if class_names is None and is_frame(class_attributes):
        class_names = _index_names(class_attributes.index)
    try:
        Z = _numbers(class_attributes)
    except (TypeError, ValueError) as error:
        raise InputError(f"{argument} has entries that are not numbers ({error})") from None
    if Z.ndim != 2 or 0 in Z.shape:
        raise InputError(f"{argument} has shape {Z.shape}; expected (classes, attributes)")
    if fill is not None and Z.shape[1] != len(fill):
        raise InputError(
            f"{argument} has {Z.shape[1]} attributes; the model was fitted with {len(fill)}"
        )
    Z = _filled(_bounded(Z, argument), fill)
    names = _names(class_names, len(Z), "class_names", "rows")
    empty = np.flatnonzero(np.abs(Z).max(axis=1) < 1 / LARGEST)
    if len(empty):
        first = names[empty[0]] if names else f"row {empty[0]}"
        raise InputError(
            f"{argument} has {counted(len(empty), 'all-zero row')} (first: {first}); a class "
            "without any attribute cannot be told apart, so describe it or remove it"
        )
    columns = _names(attribute_names, Z.shape[1], "attribute_names", "columns")
    return Attributes(Z, names, columns)


def align_attributes(class_attributes: Any, known: list[str] | None) -> Any:
    """Return a DataFrame of classes with its columns in the order of `known`; others as they are.

    Parameters
    ----------
    class_attributes : array-like or DataFrame of shape (classes, k)
    known : list of str, or None
        The k attribute names a model was fitted with.
    """
    if not is_frame(class_attributes):
        return class_attributes
    return class_attributes.iloc[:, column_order(class_attributes.columns, known)]


def column_order(given: Iterable[Any], known: list[str] | None) -> list[int]:
    """Return which of the given columns is each of the attributes known, matched by name.

    Parameters
    ----------
    given : iterable of str
    known : list of str, or None
        The names a model was fitted with; without them columns count as they come.
    """
    given = [str(name) for name in given]
    if known is None:
        return list(range(len(given)))
    missing = [name for name in known if name not in given]
    extra = [name for name in given if name not in known]
    if missing or extra:
        first = f" (first: {missing[0]!r}{closest(missing[0], extra)})" if missing else ""
        strange = f" (first: {extra[0]!r})" if extra else ""
        raise InputError(
            f"class_attributes has {len(given)} named attributes, the model {len(known)}; "
            f"{len(missing)} are missing{first} and {len(extra)} unknown{strange}; use the names "
            "the model was fitted with"
        )
    require_different(given, "class_attributes")
    return [given.index(name) for name in known]


def is_frame(given: Any) -> bool:
    """Tell whether a value is a table with named rows and columns."""
    return hasattr(given, "columns") and hasattr(given, "index")


def _numbers(given: Any) -> np.ndarray:
    if is_frame(given) and not any(dtype.kind in "mM" for dtype in given.dtypes):
        # Its own missing values are no numbers to numpy; and dates are none to us.
        given = given.to_numpy(dtype=float, na_value=np.nan)
    return np.array(given, dtype=float)


def _index_names(index: Any) -> Any:
    """Names from a DataFrame's index; plain row numbers are no names."""
    if index.dtype.kind not in "iu":
        return index
    if list(index) == list(range(len(index))):
        return None
    raise InputError(
        "class_attributes has whole numbers as its index that are not 0, 1, 2, …, and labels are "
        "positions; call reset_index(drop=True), or use class names as the index"
    )


def _bounded(Z: np.ndarray, argument: str) -> np.ndarray:
    bad = np.isinf(Z) | (np.abs(Z) > LARGEST)
    if bad.any():
        raise InputError(
            f"{argument} has {counted(bad.sum(), 'infinite or huge value')} (first at "
            f"{tuple(int(i) for i in np.argwhere(bad)[0])}); replace them or mark them NaN"
        )
    return Z


def _filled(Z: np.ndarray, fill: np.ndarray | None) -> np.ndarray:
    missing = np.isnan(Z)
    if not missing.any():
        return Z
    if fill is None:
        hopeless = np.flatnonzero(missing.all(axis=0))
        if len(hopeless):
            raise InputError(
                f"class_attributes has {counted(len(hopeless), 'column')} without any value "
                f"(first: column {hopeless[0]}); remove them"
            )
        fill = np.nanmean(Z, axis=0)
    warnings.warn(
        f"class_attributes has {counted(missing.sum(), 'missing value')} in "
        f"{counted(missing.any(axis=1).sum(), 'class', 'classes')}; each is filled with its "
        "attribute's mean over the other classes",
        UserWarning,
        stacklevel=5,
    )
    return np.where(missing, fill, Z)


def _names(given: Any, count: int, argument: str, what: str) -> list[str] | None:
    if given is None:
        return None
    names = [str(name) for name in given]
    if len(names) != count:
        raise InputError(
            f"{argument} has {len(names)} names for {count} {what} of class_attributes"
        )
    require_different(names, argument)
    return names


def require_different(names: list[str], argument: str) -> None:
    """Refuse names of which two are the same; `argument` is what they are called in messages."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{argument} repeats {twice!r}; names must differ")
