"""Tables of unseen classes."""

from __future__ import annotations

import numpy as np
from cases import ZSL

from sapwood.benchmark import Row, leads, mean_and_error, method_table
from sapwood.benchmark.leads import least_leads

#: Methods of ours that are compared with the best rival.
OURS = ("sapwood", "sapwood-tuned")
#: The README's choice of columns and rows from the CUB table.
COUNTS = (1, 2, 5, 10, 25)
CHOSEN = (
    "sapwood",
    "sapwood-annotated",
    "rpl+sap",
    "kernel-ridge",
    "label-spreading",
    "rpl",
    "kernel-ridge0",
    "rpl0",
    "sae0",
    "eszsl0",
)


def table_text(rows: list[Row], name: str) -> str:
    """Return a table, the best method first, and how far our methods are ahead."""
    shown = ZSL[name].of(rows)
    asked = [own for own in OURS if any(row["method"] == own for row in shown)]
    told = [leads(shown, own=own) for own in asked]
    parts = [f"### {ZSL[name].title}", method_table(shown), *told]
    return "\n\n".join(parts)


def standing_text(rows: list[Row]) -> str:
    """Count the columns of all tables in which the default is ahead, level and behind."""
    ahead, level, behind, single = 0, 0, [], 0
    for shown in ZSL.values():
        for K, lead in least_leads(shown.of(rows)).items():
            mean, n = float(np.mean(lead.points)), len(lead.points)
            if n == 1:
                single += 1
            elif mean > 0:
                ahead += 1
            elif mean >= -float(np.std(lead.points, ddof=1)) / n**0.5:
                level += 1
            else:
                lag = mean_and_error(lead.points, 2)
                behind.append(f"{shown.title}, K = {K}: {lag} on {lead.rival}")
    said = (
        f"Of the {ahead + level + len(behind)} columns of the tables below the default is ahead of "
        f"every rival in {ahead}, within a standard error of the best in {level}, and further "
        f"behind in {len(behind)}"
    )
    others = f" ({'; '.join(behind)})" * bool(behind)
    return f"{said}{others}." + f" In {single} more there is one draw." * bool(single)


def readme_text(rows: list[Row]) -> str:
    """Return some rows and columns of the CUB table."""
    own = [row for row in ZSL["cub"].of(rows) if row["method"] in CHOSEN]
    return method_table([row for row in own if row["annotated"] in COUNTS])
