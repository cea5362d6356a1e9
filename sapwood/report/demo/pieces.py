"""Small pieces the demo's sections are put together from."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.data.world import AttributeWorld
from sapwood.report.pictures import picture_uri

Item = dict[str, Any]


def shot(world: AttributeWorld, row: int, name: str = "", mark: str = "") -> Item:
    """Return a picture of the world with a name under it."""
    alt = f"a drawn {world.class_names[world.labels[row]]}"
    return {"src": picture_uri(world.pictures[row]), "alt": alt, "name": name, "mark": mark}


def chip(text: str, mark: str = "") -> Item:
    """Return a word on a coloured ground: "right", "wrong", "missed", "empty" or plain."""
    return {"text": text, "mark": mark}


def described(world: AttributeWorld, row: np.ndarray, at_least: float = 0.5) -> list[str]:
    """Return the names of the attributes a vector, shape (k,), says are there."""
    return [n for n, value in zip(world.attribute_names, row, strict=True) if value >= at_least]


def portraits(world: AttributeWorld, label: int, count: int) -> np.ndarray:
    """Return the rows of the first pictures of a class that show most of what it has."""
    rows = np.flatnonzero(world.labels == label)
    missing = (world.attributes[label] >= 0.5) & ~world.concepts[rows]
    return rows[np.argsort(missing.sum(axis=1), kind="stable")[:count]]


def one_each(rows: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """Return the first row of each group, in the order given, up to `count`.

    Examples
    --------
    >>> one_each(np.array([4, 5, 6]), np.array([1, 1, 2]), 5)
    array([4, 6])
    """
    _, first = np.unique(groups, return_index=True)
    return rows[np.sort(first)][:count]


def percent(share: float) -> str:
    r"""Return a share as text.

    Examples
    --------
    >>> percent(0.8754)
    '87.5\xa0%'
    """
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
