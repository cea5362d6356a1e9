"""From rows to tables: mean and standard deviation over draws, and leads draw by draw.

A row tells its ``method``, ``annotated`` (K), ``seed`` and scores in 0–1; one without the score
that is asked for is left out. Methods whose name begins with "sapwood" are ours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import NamedTuple

import numpy as np

from sapwood.benchmark.cells import mean_and_deviation, mean_and_error
from sapwood.benchmark.rows import Row

#: Percentages by method, K and seed.
Found = dict[str, dict[int, dict[int, float]]]


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns after the first are aligned to the right.

    Examples
    --------
    >>> print(markdown_table(["", "K = 1"], [["rpl", "40.0"]]))
    | | K = 1 |
    |---|--:|
    | rpl | 40.0 |
    """
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    lines[0] = lines[0].replace("|  |", "| |", 1)
    return "\n".join([lines[0], "|---|" + "--:|" * (len(head) - 1), *lines[1:]])


def method_table(rows: Iterable[Row], score: str = "accuracy") -> str:
    """Return a table of methods and K, the best method first; (n) marks other numbers of draws.

    Parameters
    ----------
    rows : iterable of dict
    score : str
        The score to show, in percent.

    Examples
    --------
    >>> told = {"annotated": 1, "accuracy": 0.4}
    >>> print(method_table([{**told, "method": "rpl", "seed": seed} for seed in (0, 1)]))
    | | K = 1 |
    |---|--:|
    | rpl | 40.0 ± 0.0 |
    """
    found = _collected(rows, score)
    counts = sorted({K for of in found.values() for K in of})
    order = best_first(found)
    usual = usual_draws(found)
    cells = [
        [mean_and_deviation(list(found[name].get(K, {}).values()), usual=usual) for K in counts]
        for name in order
    ]
    body = [[name, *of] for name, of in zip(order, cells, strict=True)]
    return markdown_table(["", *(f"K = {K}" for K in counts)], body)


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


def leads(rows: Iterable[Row], score: str = "accuracy", ours: str = "sapwood") -> str:
    """Compare a method of ours with the rival that it leads least on each K, draw by draw.

    Only draws that both have been run on count, and a K without any is left out; where these are
    not all of ours, their number is told.

    Parameters
    ----------
    rows : iterable of dict
    score, ours : str

    Examples
    --------
    >>> told = {"annotated": 1, "seed": 0}
    >>> rows = [{**told, "method": "rpl", "accuracy": 0.4}, {**told, "method": "sapwood",
    ...         "accuracy": 0.5}]
    >>> leads(rows)
    'Lead of *sapwood* on the best rival of each K (± standard error): K = 1: +10.0 on rpl.'
    """
    parts = []
    for K, lead in least_leads(rows, score, ours).items():
        n = len(lead.points)
        fewer = f" ({n} draw{'s' * (n > 1)})" * (n < lead.draws)
        parts.append(f"K = {K}: {mean_and_error(lead.points)} on {lead.rival}{fewer}")
    said = "; ".join(parts) or "no draw has both"
    return f"Lead of *{ours}* on the best rival of each K (± standard error): {said}."


class Lead(NamedTuple):
    """A rival, how far a method of ours leads it draw by draw, and how many draws ours has."""

    rival: str
    points: list[float]
    draws: int


def least_leads(
    rows: Iterable[Row], score: str = "accuracy", ours: str = "sapwood"
) -> dict[int, Lead]:
    """Return for each K the rival that a method of ours leads least.

    Parameters
    ----------
    rows : iterable of dict
    score, ours : str
    """
    found = _collected(rows, score)
    mine, least = found.get(ours, {}), dict[int, Lead]()
    theirs = {name: of for name, of in found.items() if not name.startswith("sapwood")}
    for K in sorted(mine):
        leads = [
            Lead(name, [mine[K][seed] - of[K][seed] for seed in shared], len(mine[K]))
            for name, of in theirs.items()
            if (shared := sorted(set(of.get(K, {})) & set(mine[K])))
        ]
        if leads:
            least[K] = min(leads, key=lambda lead: np.mean(lead.points))
    return least


def _collected(rows: Iterable[Row], score: str) -> Found:
    found: Found = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if score in row:
            found[row["method"]][row["annotated"]][row["seed"]] = 100 * row[score]
    return found
