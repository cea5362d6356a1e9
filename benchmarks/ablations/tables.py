"""From rows to tables: mean over draws, and the difference from the default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from changes import DEFAULT, LADDERS, NORMS, UNVOTED, changes
from shared import ANNOTATED

Row = dict[str, Any]
#: Accuracies in percent: by group and change, then K, then seed.
Found = dict[tuple[str, str], dict[int, dict[int, float]]]
#: Groups whose order has a meaning of its own.
ORDERED = (UNVOTED, *LADDERS, *NORMS)


def read_rows(path: Path) -> list[Row]:
    """Read what was written so far; a line cut short by a kill is left out."""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


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
        head = [f"### {group}", "", "| | " + " | ".join(f"K = {K}" for K in ANNOTATED) + " |"]
        body = [f"| {key[1]} | {_cells(found[key], lead[key])} |" for key in keys]
        parts.append("\n".join([*head, "|---|" + "--:|" * len(ANNOTATED), *body]))
    return "\n\n".join([*parts, best_of_grids(found, lead), disagreement(found)])


def _cells(of: dict[int, dict[int, float]], lead: list[float]) -> str:
    cells = []
    for K, difference in zip(ANNOTATED, lead, strict=True):
        cells.append(f"{np.mean(list(of[K].values())):.1f} ({signed(difference)})")
    return " | ".join(cells)


def held_out_table(rows: list[Row]) -> str:
    """Return the changes on held-out seen classes, with the standard error over partitions."""
    found = collected(rows)
    usual = found[DEFAULT, DEFAULT]
    lines = ["| | " + " | ".join(f"K = {K}" for K in ANNOTATED) + " |"]
    lines.append("|---|" + "--:|" * len(ANNOTATED))
    for key, of in sorted(found.items(), key=lambda item: np.mean(differences(found)[item[0]])):
        cells = []
        for K in ANNOTATED:
            lead = [of[K][part] - usual[K][part] for part in of[K]]
            error = np.std(lead, ddof=1) / np.sqrt(len(lead)) if len(lead) > 1 else np.nan
            own = np.mean(list(of[K].values()))
            cells.append(f"{own:.1f} ({signed(float(np.mean(lead)))} ± {error:.1f})")
        lines.append(f"| {key[1]} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def signed(value: float) -> str:
    """Return a difference as it is printed: one decimal, no zero with a sign."""
    text = f"{value:+.1f}"
    return "0.0" if text[1:] == "0.0" else text.replace("-", "−")


def best_of_grids(found: Found, lead: dict[tuple[str, str], list[float]]) -> str:
    """Return the λ1 that is best over all K for each choice of L1 norms."""
    lines = [
        "### L1 norms, each at its best λ1",
        "",
        "| | K = 1 | K = 5 | K = 25 |",
        "|---|--:|--:|--:|",
    ]
    for group in NORMS:
        for name in ("No L1", "Single L1", "Double L1"):
            grid = [key for key in found if key[0] == group and key[1].startswith(name)]
            if grid:
                best = max(grid, key=lambda key: float(np.mean(lead[key])))
                label = f"{best[1]}, {group.split(', ')[1]}"
                lines.append(f"| {label} | {_cells(found[best], lead[best])} |")
    return "\n".join(lines)


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
