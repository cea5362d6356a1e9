"""From rows to tables: mean and standard deviation over draws."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from cases import CASES

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Read what was written so far; a line cut short by a kill is left out."""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def table(rows: list[Row], case: str, score: str = "accuracy") -> str:
    """Return one case as a Markdown table, the best method first."""
    cells: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["case"] == case:
            rival = not row["method"].startswith("sapwood")
            name = row["method"] + (" (fixed)" if row["fixed"] and rival else "")
            cells[name][row["annotated"]].append(100 * row[score])
    counts = sorted({K for of in cells.values() for K in of})
    lines = [
        f"### {CASES[case].title}",
        "",
        "| | " + " | ".join(f"K = {K}" for K in counts) + " |",
        "|---|" + "--:|" * len(counts),
    ]
    # A method that has not been run for every K comes last.
    order = sorted(
        cells, key=lambda name: (len(cells[name]) < len(counts), -_mean_of_means(cells[name]))
    )
    for name in order:
        values = [_cell(cells[name].get(K, [])) for K in counts]
        lines.append(f"| {name} | " + " | ".join(values) + " |")
    return "\n".join(lines)


def _mean_of_means(cells: dict[int, list[float]]) -> float:
    return float(np.mean([np.mean(values) for values in cells.values()]))


def _cell(values: list[float]) -> str:
    if len(values) < 2:
        return f"{values[0]:.1f}" if values else "–"
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}"


def leads(rows: list[Row], case: str, ours: str = "sapwood") -> str:
    """Compare a method of ours with the rival that is best on each K, draw by draw.

    Only draws that both have been run on count, and a K without any is left out.
    """
    mine: dict[int, dict[int, float]] = defaultdict(dict)
    theirs: dict[int, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if row["case"] != case:
            continue
        if row["method"] == ours:
            mine[row["annotated"]][row["seed"]] = 100 * row["accuracy"]
        elif not row["method"].startswith("sapwood"):
            name = row["method"] + (" (fixed)" if row["fixed"] else "")
            theirs[row["annotated"]][name][row["seed"]] = 100 * row["accuracy"]
    parts = []
    for K in sorted(mine):
        draws = {name: sorted(set(of) & set(mine[K])) for name, of in theirs[K].items()}
        asked = [name for name in draws if draws[name]]
        if not asked:
            continue
        best = max(asked, key=lambda name: np.mean([theirs[K][name][s] for s in draws[name]]))
        lead = [mine[K][seed] - theirs[K][best][seed] for seed in draws[best]]
        error = np.std(lead, ddof=1) / np.sqrt(len(lead)) if len(lead) > 1 else float("nan")
        parts.append(f"K = {K}: {np.mean(lead):+.1f} ± {error:.1f} on {best}")
    return f"Lead of *{ours}* on the best rival of each K (± standard error): " + "; ".join(parts)
