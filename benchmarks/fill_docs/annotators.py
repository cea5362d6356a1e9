"""The tables of annotators of tagged photographs."""

from __future__ import annotations

import numpy as np
from cases import SIA

from sapwood.benchmark import Row, markdown_table, mean_and_deviation
from sapwood.benchmark.paper_figures import read_paper

COLUMNS = {
    "mAP": "mAP",
    "C-F1": "C-F1",
    "I-F1": "I-F1",
    "O-F1": "O-F1",
    "C-F1_top3": "C-F1, top 3",
    "C-F1_own": "C-F1, own decision",
}


def tables(rows: list[Row]) -> dict[str, str]:
    """Return the methods of the paper's table, in its order, and all others, the best first.

    Rows of fewer training images than the most are left out.
    """
    found: dict[str, list[Row]] = {}
    shown = SIA["annotators"].of(rows)
    whole = max((row["annotated"] for row in shown), default=0)
    for row in shown:
        if row["annotated"] == whole:
            found.setdefault(row["method"], []).append(row)
    printed = [figure["method"] for figure in read_paper("sia")]
    others = sorted(
        set(found) - set(printed), key=lambda name: -np.mean([row["mAP"] for row in found[name]])
    )
    ordered = {"annotators": [n for n in printed if n in found], "annotators-others": others}
    return {place: _table(found, names) for place, names in ordered.items() if names}


def _table(found: dict[str, list[Row]], names: list[str]) -> str:
    body = [
        [
            f"**{name}**" if name == "sapwood" else name,
            *(mean_and_deviation([100 * r[s] for r in found[name] if s in r]) for s in COLUMNS),
        ]
        for name in names
    ]
    return markdown_table(["", *COLUMNS.values()], body)
