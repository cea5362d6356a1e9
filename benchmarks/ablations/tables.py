"""From rows to tables: mean over draws, and the difference from the default."""

from __future__ import annotations

import numpy as np
from changes import DEFAULT, LADDERS, NORMS, UNVOTED, changes
from shared import ANNOTATED

from sapwood.benchmark import Row, markdown_table, mean_and_error, signed

#: Accuracies in percent: by group and change, then K, then seed.
Found = dict[tuple[str, str], dict[int, dict[int, float]]]
#: Groups whose order has a meaning of its own.
ORDERED = (UNVOTED, *LADDERS, *NORMS)
HEAD = ["", *(f"K = {K}" for K in ANNOTATED)]


def collected(rows: list[Row]) -> Found:
    """Return what was found of today's changes, in their order."""
    found: Found = {(c.group, c.name): {K: {} for K in ANNOTATED} for c in changes()}
    for row in rows:
        if (row["group"], row["change"]) in found:
            of = found[row["group"], row["change"]]
            of[row["annotated"]][row["seed"]] = 100 * row["accuracy"]
    return {key: of for key, of in found.items() if all(of.values())}


def differences(found: Found) -> dict[tuple[str, str], list[float]]:
    """Return the mean difference from the default at each K, draw by draw."""
    usual = found[DEFAULT, DEFAULT]
    return {
        key: [float(np.mean([of[K][seed] - usual[K][seed] for seed in of[K]])) for K in ANNOTATED]
        for key, of in found.items()
    }


def tables(rows: list[Row]) -> str:
    """Return a Markdown table for each group, and how far draws disagree."""
    found = collected(rows)
    lead = differences(found)
    parts = []
    for group in dict.fromkeys(group for group, _ in found):
        keys = [key for key in found if key[0] == group]
        if group not in ORDERED:
            keys.sort(key=lambda key: float(np.mean(lead[key])))
        body = [[key[1], *_cells(found[key], lead[key])] for key in keys]
        parts.append(f"### {group}\n\n{markdown_table(HEAD, body)}")
    return "\n\n".join([*parts, best_of_grids(found, lead), disagreement(found)])


def _cells(of: dict[int, dict[int, float]], lead: list[float]) -> list[str]:
    return [
        f"{np.mean(list(of[K].values())):.1f} ({signed(difference)})"
        for K, difference in zip(ANNOTATED, lead, strict=True)
    ]


def held_out_table(rows: list[Row]) -> str:
    """Return the changes on held-out seen classes, with the standard error over partitions."""
    found = collected(rows)
    usual = found[DEFAULT, DEFAULT]
    mean_lead = {key: float(np.mean(lead)) for key, lead in differences(found).items()}
    body = []
    for key in sorted(found, key=lambda key: mean_lead[key]):
        of = found[key]
        leads = [[of[K][part] - usual[K][part] for part in of[K]] for K in ANNOTATED]
        own = [np.mean(list(of[K].values())) for K in ANNOTATED]
        cells = [f"{a:.1f} ({mean_and_error(lead)})" for a, lead in zip(own, leads, strict=True)]
        body.append([key[1], *cells])
    return markdown_table(HEAD, body)


def best_of_grids(found: Found, lead: dict[tuple[str, str], list[float]]) -> str:
    """Return the λ1 that is best over all K for each choice of L1 norms."""
    body = []
    for group in NORMS:
        for name in ("No L1", "Single L1", "Double L1"):
            grid = [key for key in found if key[0] == group and key[1].startswith(name)]
            if grid:
                best = max(grid, key=lambda key: float(np.mean(lead[key])))
                label = f"{best[1]}, {group.split(', ')[1]}"
                body.append([label, *_cells(found[best], lead[best])])
    return f"### L1 norms, each at its best λ1\n\n{markdown_table(HEAD, body)}"


def disagreement(found: Found) -> str:
    """Say by how much two draws of annotations differ about the worth of a change."""
    usual = found[DEFAULT, DEFAULT]
    spreads = []
    for K in ANNOTATED:
        each = [
            np.std([of[K][seed] - usual[K][seed] for seed in of[K]], ddof=1)
            for key, of in found.items()
            if key[0] != DEFAULT and len(of[K]) > 1
        ]
        spreads.append(f"{np.median(each):.1f} at K = {K}" if each else f"unknown at K = {K}")
    title = "Standard deviation of a difference over draws, median of all changes"
    return f"{title}: {', '.join(spreads)}."
