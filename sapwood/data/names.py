"""Names of images, classes and attributes: cleaned, matched and quoted in messages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.problems import Report
from sapwood.errors import closest

_SHOWN = 3


def clean(name: object) -> str:
    r"""Return the name without outer blanks, composed to one Unicode form (NFC).

    Examples
    --------
    >>> clean(" cafe\u0301 ") == "café"
    True
    """
    return unicodedata.normalize("NFC", str(name)).strip()


def loose(name: str) -> str:
    """Return a spelling that ignores case, punctuation and a leading number.

    Examples
    --------
    >>> loose("001.Black_footed_Albatross") == loose("black footed albatross")
    True
    """
    bare = re.sub(r"^\d+\.", "", clean(name)).casefold()
    return "".join(c for c in bare if c.isalnum()) or bare


def quote(name: object) -> str:
    """Return the name in quotes, shortened if very long.

    Examples
    --------
    >>> len(quote("x" * 100))
    62
    """
    text = str(name)
    return repr(text if len(text) <= 60 else text[:59] + "…")


def listed(names: Iterable[object]) -> str:
    """Return the first few names, quoted, and how many there are in all.

    Examples
    --------
    >>> listed(["a", "b", "c", "d"])
    "'a', 'b', 'c', … (4 in all)"
    """
    names = list(names)
    text = ", ".join(quote(n) for n in names[:_SHOWN])
    return text if len(names) <= _SHOWN else f"{text}, … ({len(names)} in all)"


def repeated(names: Iterable[object]) -> list[object]:
    """Return each name that occurs more than once, in order of first appearance.

    Examples
    --------
    >>> repeated(["a", "b", "a"])
    ['a']
    """
    return [name for name, count in Counter(names).items() if count > 1]


def suggest(name: object, known: Iterable[object]) -> str:
    """Return the nearest spelling as a question, looking through case and punctuation too.

    Examples
    --------
    >>> suggest("Zebra ", ["horse", "zebra"])
    "; did you mean 'zebra'?"
    """
    wanted, spellings = str(name), [str(k) for k in known]
    for candidate in spellings:
        if loose(candidate) == loose(wanted):
            return f"; did you mean {quote(candidate)}?"
    return closest(name, spellings)


def position(names: Sequence[str] | NDArray[Any]) -> dict[str, int]:
    """Return the position of each name.

    Examples
    --------
    >>> position(["a", "b"])
    {'a': 0, 'b': 1}
    """
    return {str(name): i for i, name in enumerate(names)}


def made_up(prefix: str, count: int) -> NDArray[np.str_]:
    """Return `count` numbered names, for data that came without.

    Examples
    --------
    >>> made_up("class", 2).tolist()
    ['class_1', 'class_2']
    """
    width = len(str(count))
    return np.array([f"{prefix}_{i + 1:0{width}d}" for i in range(count)], dtype=np.str_)


def _text(value: Any) -> str:
    text = value.decode("utf-8") if isinstance(value, bytes) else str(value)
    text.encode("utf-8")  # a lone surrogate is not text either
    return clean(text)


def name_vector(
    value: Any, count: int | None, where: str, report: Report, *, prefix: str
) -> NDArray[np.str_] | None:
    """Return names as a string array of length `count`, made up if `value` is empty.

    Examples
    --------
    >>> name_vector([b"owl", "jay "], 2, "class_names", Report(), prefix="class").tolist()
    ['owl', 'jay']
    """
    items = np.asarray(value, dtype=object).ravel().tolist() if value is not None else []
    if not items:
        return made_up(prefix, count or 0)
    try:
        names = np.array([_text(item) for item in items], dtype=np.str_)
    except UnicodeError:
        bad = next(i for i, item in enumerate(items) if not _is_text(item))
        report.error(where, f"name {bad + 1} is not UTF-8 text", "store the names as UTF-8")
        return None
    if count is not None and len(names) != count:
        report.error(where, f"{len(names)} names for {count}", "give one name for each")
        return None
    if "" in names:
        empty = names.tolist().index("")
        report.error(where, f"name {empty + 1} is empty", "give every one a name")
    return names


def _is_text(item: Any) -> bool:
    try:
        _text(item)
    except UnicodeError:
        return False
    return True
