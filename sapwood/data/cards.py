"""A card for each known data set: what it is, where it is from and how to get it.

The cards are JSON files in ``card_files``; a new data set is one more file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any

import numpy as np

from sapwood.data.names import loose
from sapwood.data.splits import Split
from sapwood.errors import InputError, closest


@dataclass(frozen=True)
class Card:
    """What is known about a published data set.

    Parameters
    ----------
    slug : str
        The name of its file, without ``.npz``.
    name, title, what : str
        Its usual name, its full name, and what it holds.
    aliases : tuple of str
        Other names it is known by.
    kind : {"zero-shot", "tags", "features"}
    source, licence, citation : str
        "unknown, see source" where the licence is not known.
    splits : mapping
        For each split its version, source and sizes and, where known, its unseen ``classes``.
    paper : mapping or None
        The counts printed in the paper (Table 1 and the sections on the data), None if the
        paper does not use the data set.
    get : str
        How to get it.
    downloads : tuple of str
        Names in :data:`sapwood.data.downloads.DOWNLOADS`, the most useful first; empty where a
        program cannot fetch it.

    Examples
    --------
    >>> card("CUB").paper["images"]
    11788
    """

    slug: str
    name: str
    title: str
    aliases: tuple[str, ...]
    kind: str
    what: str
    source: str
    licence: str
    citation: str
    splits: Mapping[str, Mapping[str, Any]]
    paper: Mapping[str, int] | None
    get: str
    downloads: tuple[str, ...]


def _read_cards() -> dict[str, Card]:
    folder = files(__package__) / "card_files"
    cards = {}
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".json"):
            content = json.loads(file.read_text(encoding="utf-8"))
            for name in ("aliases", "downloads"):
                content[name] = tuple(content[name])
            read = Card(**{f.name: content[f.name] for f in fields(Card)})
            cards[read.name] = read
    return cards


#: Every known data set, by its usual name.
CARDS: Mapping[str, Card] = _read_cards()


def find_card(name: str) -> Card | None:
    """Return the card whose name, slug or alias is `name`, ignoring case and punctuation.

    Examples
    --------
    >>> find_card("cub-200-2011").name
    'CUB'
    """
    wanted = loose(name)
    for known in CARDS.values():
        if wanted in map(loose, (known.name, known.slug, *known.aliases)):
            return known
    return None


def card(name: str) -> Card:
    """Return the card of a data set, or raise `InputError` with the nearest name.

    Examples
    --------
    >>> card("awa2").title
    'Animals with Attributes 2'
    """
    found = find_card(name)
    if found is None:
        hint = closest(name, CARDS)
        known = ", ".join(CARDS)
        raise InputError(f"data set {name!r}: not a known name{hint or f'; known are {known}'}")
    return found


def paper_split(known: Card, class_names: list[str]) -> Split | None:
    """Return the paper's split as the card has it, if every unseen class is found by name.

    Examples
    --------
    >>> names = ["pig", "hippopotamus", "leopard", "zebra", "persian+cat", "chimpanzee", "seal",
    ...          "rat", "humpback+whale", "giant+panda", "raccoon"]
    >>> paper_split(card("AwA1"), names).seen(11).tolist()
    [3]
    """
    wanted = known.splits.get("paper", {}).get("classes")
    at = {loose(name): i for i, name in enumerate(class_names)}
    if not wanted or any(loose(name) not in at for name in wanted):
        return None
    unseen = np.sort([at[loose(name)] for name in wanted])
    return Split(name="paper", unseen=unseen, version=known.splits["paper"]["version"])
