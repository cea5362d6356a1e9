"""Mistakes in what the user gave, told apart from mistakes of ours."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Numbers beyond this are refused: their squares and products overflow.
LARGEST = 1e100


class InputError(ValueError):
    """The input cannot be used; the message says what was given, what was expected and the fix."""


def closest(name: object, known: Iterable[object]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest spelling in `known`, or an empty string.

    It is a question: it ends the message or a bracket, and what is expected stands before it.

    Examples
    --------
    >>> closest("zebar", ["horse", "zebra"])
    "; did you mean 'zebra'?"
    """
    matches = difflib.get_close_matches(str(name), [str(k) for k in known], n=1)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def counted(n: int, one: str, several: str | None = None) -> str:
    """Return how many there are, in words that fit the number.

    Parameters
    ----------
    n : int
    one, several : str
        What is said of one, and of several: by default that with an s.

    Examples
    --------
    >>> counted(1, "row"), counted(2, "row"), counted(2, "class is empty", "classes are empty")
    ('1 row', '2 rows', '2 classes are empty')
    """
    return f"{n} {one if n == 1 else several or one + 's'}"
