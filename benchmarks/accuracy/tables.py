"""The tables of a case."""

from __future__ import annotations

from cases import CASES

from sapwood.benchmark import Row, leads, method_table


def table(rows: list[Row], case: str) -> str:
    """Return one case as a Markdown table, the best method first."""
    return f"### {CASES[case].title}\n\n{method_table(_of(rows, case))}"


#: Methods of ours that are compared with the best rival.
OURS = ("sapwood", "sapwood, tuned")


def case_text(rows: list[Row], case: str) -> str:
    """Return a case's table, and how far our methods are ahead."""
    own = _of(rows, case)
    asked = [name for name in OURS if any(row["method"] == name for row in own)]
    return "\n\n".join([table(rows, case), *(leads(own, ours=name) for name in asked)])


def _of(rows: list[Row], case: str) -> list[Row]:
    return [row for row in rows if row["case"] == case]
