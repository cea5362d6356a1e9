"""Tables in the documentation, rewritten from rows between their markers."""

from __future__ import annotations

from pathlib import Path

from cases import CASES
from tables import case_text, table

from sapwood.benchmark import Row, fill_page

MAKER = "benchmarks/accuracy"
PAGE = Path("docs/accuracy.md")
README = Path("README.md")
#: The README's choice of rows from the CUB table.
CHOSEN = (
    "sapwood",
    "sapwood, annotated images only",
    "kernel-ridge, nearest",
    "label-spreading, spread",
    "rpl, nearest",
    "kernel-ridge, ignore",
    "rpl, ignore",
    "sae, ignore",
    "eszsl, ignore",
)


def rewrite(rows: list[Row]) -> None:
    """Put the tables of all cases that have rows into the page and the README."""
    for case in {row["case"] for row in rows} & set(CASES):
        fill_page(PAGE, case, case_text(rows, case), MAKER)
    if any(row["case"] == "cub" for row in rows):
        whole = table([row for row in rows if not _fixed_rival(row)], "cub").splitlines()[2:]
        kept = [line for line in whole[2:] if line.split("|")[1].strip() in CHOSEN]
        fill_page(README, "cub", "\n".join(whole[:2] + kept), MAKER)


def _fixed_rival(row: Row) -> bool:
    return bool(row["fixed"]) and not row["method"].startswith("sapwood")
