"""Limits of parameters, as data."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from sapwood.errors import InputError, closest


@dataclass(frozen=True)
class Number:
    """A number within limits, or one of a few words."""

    low: float
    integer: bool = False
    strict: bool = False
    words: tuple[str, ...] = ()
    below: float = inf

    def accepts(self, value: Any) -> bool:
        """Tell whether `value` is allowed."""
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, bool) or not isinstance(value, Integral if self.integer else Real):
            return False
        # A whole number beyond the range of floats is still a number.
        number = float(min(int(value), 2**60)) if isinstance(value, Integral) else float(value)
        above = number > self.low if self.strict else number >= self.low
        return above and number < self.below

    def __str__(self) -> str:
        kind = "a whole number" if self.integer else "a finite number"
        words = "".join(f" or {w!r}" for w in self.words)
        below = f" and below {self.below:g}" * isfinite(self.below)
        return f"{kind} {'above' if self.strict else 'of at least'} {self.low:g}{below}{words}"


@dataclass(frozen=True)
class Choice:
    """One of several words."""

    options: tuple[str, ...]

    def accepts(self, value: Any) -> bool:
        """Tell whether `value` is allowed."""
        return isinstance(value, str) and value in self.options

    def __str__(self) -> str:
        return "one of " + ", ".join(map(repr, self.options))


@dataclass(frozen=True)
class Flag:
    """True or False."""

    def accepts(self, value: Any) -> bool:
        """Tell whether `value` is allowed."""
        return isinstance(value, bool | np.bool_)

    def __str__(self) -> str:
        return "True or False"


Limit = Number | Choice | Flag


def require(name: str, value: Any, limit: Limit) -> None:
    """Raise an `InputError` that says what `name` may be, unless `value` is within `limit`."""
    if not limit.accepts(value):
        hint = closest(value, limit.options) if isinstance(limit, Choice) else ""
        raise InputError(f"{name} is {value!r}; expected {limit}{hint}")
