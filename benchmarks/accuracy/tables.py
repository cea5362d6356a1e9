"""The tables of a case."""

from __future__ import annotations

from cases import CASES

from sapwood.benchmark import Row, leads, method_table


def table(rows: list[Row], case: str) -> str:
    """Return one case as a Markdown table, the best method first."""
    return f"### {CASES[case].title}\n\n{method_table(_of(rows, case))}"


def case_text(rows: list[Row], case: str) -> str:
    """Return a case's table, and how far our methods are ahead."""
    own = _of(rows, case)
    return "\n\n".join([table(rows, case), leads(own), leads(own, ours="sapwood, tuned")])


def _of(rows: list[Row], case: str) -> list[Row]:
    return [row for row in rows if row["case"] == case]
