"""Which table goes into which page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import accuracy
import added
import annotators
import external
import generalized
import suggestions
from cases import EXTERNAL, GZSL, STRESS, SUGGEST, ZSL, pooled
from pictures import draw_all

from sapwood.benchmark import Row, fill_page, read_rows

MAKER = "benchmarks/fill_docs"
README = Path("README.md")
PAGES = ("accuracy", "beyond", "tags", "trust")
ACCURACY, BEYOND, TAGS, TRUST = (Path(f"docs/{name}.md") for name in PAGES)
CAPTIONS = {
    "generalized-bias": "Seen against unseen accuracy for every bias, first draw: dots are "
    "calibrated answers, rings uncalibrated ones",
    "generalized-reliability": "Share of right answers against stated confidence, first draw; "
    "a dot grows with its images",
    "generalized-risk": "Wrong answers among the most confident ones, first draw",
}


def rows_in(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of every benchmark in a folder, those of all worlds together."""
    benches = ("zsl", "gzsl", "external", "stress", "suggest", "sia")
    rows = {name: read_rows(folder / f"{name}.jsonl") for name in benches}
    rows["zsl"] += pooled(read_rows(folder / "worlds" / "zsl.jsonl"))
    return rows


def fill_all(rows: dict[str, list[Row]], root: Path = Path()) -> Iterator[str]:
    """Fill every marked place that the rows allow; yield its name.

    Parameters
    ----------
    rows : dict of str to list of dict
        By benchmark.
    root : Path
        Of the pages.
    """
    for page, name, text in texts(rows):
        if fill_page(root / page, name, text, MAKER):
            yield f"{page}: {name}"
    images = root / BEYOND.parent / "images"
    images.mkdir(exist_ok=True)
    for name, file in draw_all(rows["gzsl"], images).items():
        text = f"![{CAPTIONS[name]}](images/{file.name})"
        if fill_page(root / BEYOND, name, text, MAKER):
            yield f"{BEYOND}: {name}"


def texts(rows: dict[str, list[Row]]) -> Iterator[tuple[Path, str, str]]:
    """Yield page, name of the place and text for every table that has rows."""
    for name in (name for name in ZSL if ZSL[name].of(rows["zsl"])):
        yield ACCURACY, name, accuracy.table_text(rows["zsl"], name)
    if rows["zsl"]:
        yield ACCURACY, "standing", accuracy.standing_text(rows["zsl"])
    if any(row["seed"] >= added.FIRST for row in ZSL["awa1"].of(rows["zsl"])):
        yield ACCURACY, "added-draws", added.table_text(rows["zsl"])
    if ZSL["cub"].of(rows["zsl"]):
        yield README, "cub", accuracy.readme_text(rows["zsl"])
    for name in (name for name in GZSL if GZSL[name].of(rows["gzsl"])):
        yield BEYOND, name, generalized.table_text(rows["gzsl"], name)
    if rows["gzsl"]:
        yield BEYOND, "probabilities", generalized.probabilities(rows["gzsl"])
    for name in (name for name in EXTERNAL if EXTERNAL[name].of(rows["external"])):
        yield BEYOND, name, external.table_text(rows["external"], name)
    for name in (name for name in STRESS if STRESS[name].of(rows["stress"])):
        yield BEYOND, name, external.stress_text(rows["stress"], name)
    for name, text in annotators.tables(rows["sia"]).items():
        yield TAGS, name, text
    if SUGGEST["suggest"].of(rows["suggest"]):
        yield TRUST, "suggest", suggestions.table_text(rows["suggest"])
