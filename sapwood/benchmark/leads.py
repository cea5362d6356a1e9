"""How far a method of ours leads its rivals, draw by draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sapwood.benchmark.cells import mean_and_error
from sapwood.benchmark.found import Found, collected, ours
from sapwood.benchmark.rows import Row


class Lead(NamedTuple):
    """A rival, how far a method of ours leads it draw by draw, and how many draws ours has."""

    rival: str
    points: list[float]
    draws: int

    @property
    def mean(self) -> float:
        """Of the points."""
        return float(np.mean(self.points))


def leads_by_count(found: Found, own: str = "sapwood") -> dict[int, list[Lead]]:
    """Return for each K how far a method of ours leads each rival, the least lead first.

    Only draws that both have been run on count; a K without any is left out.

    Examples
    --------
    >>> leads_by_count({"sapwood": {1: {0: 50.0, 1: 60.0}}, "rpl": {1: {0: 40.0}}})
    {1: [Lead(rival='rpl', points=[10.0], draws=2)]}
    """
    mine, led = found.get(own, {}), dict[int, list[Lead]]()
    for K in sorted(mine):
        leads = [
            Lead(name, [mine[K][seed] - of[K][seed] for seed in shared], len(mine[K]))
            for name, of in found.items()
            if not ours(name) and (shared := sorted(set(of.get(K, {})) & set(mine[K])))
        ]
        if leads:
            led[K] = sorted(leads, key=lambda lead: lead.mean)
    return led


def least_leads(
    rows: Iterable[Row], score: str = "accuracy", own: str = "sapwood"
) -> dict[int, Lead]:
    """Return for each K the rival that a method of ours leads least.

    Parameters
    ----------
    rows : iterable of dict
    score, own : str
    """
    return {K: led[0] for K, led in leads_by_count(collected(rows, score), own).items()}


def leads(rows: Iterable[Row], score: str = "accuracy", own: str = "sapwood") -> str:
    """Compare a method of ours with the rival that it leads least on each K, draw by draw.

    Only draws that both have been run on count, and a K without any is left out; where these are
    not all of ours, their number is told.

    Parameters
    ----------
    rows : iterable of dict
    score, own : str

    Examples
    --------
    >>> told = {"annotated": 1, "seed": 0}
    >>> rows = [{**told, "method": "rpl", "accuracy": 0.4}, {**told, "method": "sapwood",
    ...         "accuracy": 0.5}]
    >>> leads(rows)
    'Lead of *sapwood* on the best rival of each K (± standard error): K = 1: +10.0 on rpl.'
    """
    parts = []
    for K, lead in least_leads(rows, score, own).items():
        n = len(lead.points)
        fewer = f" ({n} draw{'s' * (n > 1)})" * (n < lead.draws)
        parts.append(f"K = {K}: {mean_and_error(lead.points)} on {lead.rival}{fewer}")
    said = "; ".join(parts) or "no draw has both"
    return f"Lead of *{own}* on the best rival of each K (± standard error): {said}."
