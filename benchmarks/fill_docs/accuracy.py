"""Tables of unseen classes."""

from __future__ import annotations

from cases import ZSL

from sapwood.benchmark import Row, leads, mean_and_error, method_table
from sapwood.benchmark.cells import standard_error
from sapwood.benchmark.found import collected
from sapwood.benchmark.leads import leads_by_count

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
    """Count the columns of all tables in which the default leads, and say how far it is behind.

    Beside the error of a difference, draw by draw, stands that of the rival's own mean.
    """
    ahead, single, behind = 0, 0, []
    for shown in ZSL.values():
        found = collected(shown.of(rows))
        for K, (lead, *_) in leads_by_count(found).items():
            if len(lead.points) == 1:
                single += 1
            elif lead.mean > 0:
                ahead += 1
            else:
                own = list(found[lead.rival][K].values())
                lag = f"{mean_and_error(lead.points, 2)} on {lead.rival}"
                behind.append(f"{shown.title}, K = {K}: {lag} ({standard_error(own):.2f})")
    said = (
        f"Of the {ahead + len(behind)} columns of the tables below the default is ahead of every "
        f"rival in {ahead}, and behind the best in {len(behind)}"
    )
    others = (
        ", by (± standard error of the difference; that of the rival's own mean): "
        f"{'; '.join(behind)}"
    ) * bool(behind)
    return f"{said}{others}." + f" In {single} more there is one draw." * bool(single)


def readme_text(rows: list[Row]) -> str:
    """Return some rows and columns of the CUB table."""
    own = [row for row in ZSL["cub"].of(rows) if row["method"] in CHOSEN]
    return method_table([row for row in own if row["annotated"] in COUNTS])
