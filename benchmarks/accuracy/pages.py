"""Tables in the documentation, rewritten from rows between their markers."""

from __future__ import annotations

import re
from pathlib import Path

from cases import CASES
from tables import Row, leads, table

PAGE = Path("docs/accuracy.md")
README = Path("README.md")
#: The README's choice of rows from the CUB table.
CHOSEN = (
    "sapwood",
    "sapwood, tuned",
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
        said = [
            table(rows, case),
            leads(rows, case) + ".",
            leads(rows, case, "sapwood, tuned") + ".",
        ]
        _replace(PAGE, case, "\n\n".join(said))
    if any(row["case"] == "cub" for row in rows):
        whole = table([row for row in rows if not _fixed_rival(row)], "cub").splitlines()[2:]
        kept = [line for line in whole[2:] if line.split("|")[1].strip() in CHOSEN]
        _replace(README, "cub", "\n".join(whole[:2] + kept))


def _fixed_rival(row: Row) -> bool:
    return bool(row["fixed"]) and not row["method"].startswith("sapwood")


def _replace(path: Path, name: str, text: str) -> None:
    """Replace what stands between the markers of `name`; a page without them stays as it is."""
    start, end = f"<!-- {name}: made by benchmarks/accuracy -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    page = path.read_text()
    path.write_text(pattern.sub(lambda _: f"{start}\n{text}\n{end}", page))
