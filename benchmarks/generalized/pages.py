"""Tables and pictures in the documentation, rewritten from rows between their markers."""

from __future__ import annotations

from pathlib import Path

from cases import CASES
from pictures import draw_all
from tables import case_text, probabilities

from sapwood.benchmark import Row, fill_page

MAKER = "benchmarks/generalized"
PAGE = Path("docs/beyond.md")
CAPTIONS = {
    "generalized-bias": "Seen against unseen accuracy for every bias, first draw: dots are "
    "calibrated answers, rings uncalibrated ones",
    "generalized-reliability": "Share of right answers against stated confidence, first draw; "
    "a dot grows with its images",
    "generalized-risk": "Wrong answers among the most confident ones, first draw",
}


def rewrite(rows: list[Row], page: Path = PAGE) -> None:
    """Put the tables and pictures that the rows allow into the page."""
    for case in CASES:
        if any(row["case"] == case for row in rows):
            fill_page(page, f"generalized-{case}", case_text(rows, case), MAKER)
    if any(row["about"] == "probabilities" for row in rows):
        fill_page(page, "probabilities", probabilities(rows), MAKER)
    images = page.parent / "images"
    images.mkdir(exist_ok=True)
    for name, file in draw_all(rows, images).items():
        fill_page(page, name, f"![{CAPTIONS[name]}](images/{file.name})", MAKER)
