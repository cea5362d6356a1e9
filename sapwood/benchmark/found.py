"""Scores of rows by method, K and seed, and what can be told of them before any table is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sized

import numpy as np

from sapwood.benchmark.rows import Row

#: Percentages by method, K and seed.
Found = dict[str, dict[int, dict[int, float]]]


def ours(method: str) -> bool:
    """Say whether a method is a variant of sapwood.

    Examples
    --------
    >>> ours("sapwood-paper"), ours("rpl+sap")
    (True, False)
    """
    return method == "sapwood" or method.startswith("sapwood-")


def collected(rows: Iterable[Row], score: str = "accuracy") -> Found:
    """Return the scores of rows that have it, in per cent.

    Examples
    --------
    >>> collected([{"method": "rpl", "annotated": 5, "seed": 0, "accuracy": 0.5}])
    {'rpl': {5: {0: 50.0}}}
    """
    found: Found = {}
    for row in rows:
        value = row.get(score)
        if isinstance(value, int | float) and np.isfinite(value):
            of = found.setdefault(row["method"], {}).setdefault(row["annotated"], {})
            of[row["seed"]] = 100 * value
    return found


def counts_of(found: Found) -> list[int]:
    """Return every K that is there, in order."""
    return sorted({K for of in found.values() for K in of})


def usual_draws(found: Mapping[str, Mapping[int, Sized]]) -> int:
    """Return the largest number of draws that a third of the cells have, or more.

    Examples
    --------
    >>> usual_draws({"a": {1: range(5), 5: range(5)}, "b": {1: range(5), 5: range(3)}})
    5
    >>> usual_draws({"a": {1: range(10), 5: range(5)}, "b": {1: range(5), 5: range(5)}})
    5
    """
    sizes = sorted((len(draws) for of in found.values() for draws in of.values()), reverse=True)
    return sizes[(len(sizes) - 1) // 3] if sizes else 0


def best_first(found: Found) -> list[str]:
    """Return the methods by their mean over every K that half of them or more were run for.

    Those not run for each such K come last.

    Parameters
    ----------
    found : dict
        From methods to K to seeds to scores.

    Examples
    --------
    >>> best_first({"a": {1: {0: 5.0}}, "b": {1: {0: 7.0}}, "c": {1: {0: 6.0}, 5: {0: 9.0}}})
    ['b', 'c', 'a']
    """
    run = Counter(K for of in found.values() for K in of)
    usual = [K for K, methods in run.items() if 2 * methods >= len(found)]

    def place(name: str) -> tuple[bool, float, str]:
        there = [K for K in usual if K in found[name]] or list(found[name])
        means = [np.mean(list(found[name][K].values())) for K in there]
        return not set(usual) <= set(found[name]), -float(np.mean(means)), name

    return sorted(found, key=place)
