"""Tables of unseen classes."""

from __future__ import annotations

from cases import ZSL

from sapwood.benchmark import Row, leads, method_table

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
    own = ZSL[name].of(rows)
    asked = [ours for ours in OURS if any(row["method"] == ours for row in own)]
    parts = [f"### {ZSL[name].title}", method_table(own), *(leads(own, ours=o) for o in asked)]
    return "\n\n".join(parts)


def readme_text(rows: list[Row]) -> str:
    """Return some rows and columns of the CUB table."""
    own = [row for row in ZSL["cub"].of(rows) if row["method"] in CHOSEN]
    return method_table([row for row in own if row["annotated"] in COUNTS])
