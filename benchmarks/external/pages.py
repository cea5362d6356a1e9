"""Tables in the documentation, rewritten from rows between their markers."""

from __future__ import annotations

from pathlib import Path

from cases import CASES
from stress import GROUNDS
from tables import case_text, stress_text

from sapwood.benchmark import Row, fill_page

MAKER = "benchmarks/external"
PAGE = Path("docs/beyond.md")


def texts(rows: list[Row]) -> dict[str, str]:
    """Return what the rows tell about each case they are of."""
    found = {row["case"] for row in rows}
    web = {f"web-{case}": case_text(rows, case) for case in CASES if case in found}
    return {**web, **{case: stress_text(rows, case) for case in GROUNDS if case in found}}


def rewrite(rows: list[Row], page: Path = PAGE) -> None:
    """Put the tables of all cases that have rows into the page."""
    for name, text in texts(rows).items():
        fill_page(page, name, text, MAKER)
