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

    Examples
    --------
    >>> closest("zebar", ["horse", "zebra"])
    "; did you mean 'zebra'?"
    """
    matches = difflib.get_close_matches(str(name), [str(k) for k in known], n=1)
    return f"; did you mean {matches[0]!r}?" if matches else ""
