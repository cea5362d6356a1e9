"""Standard zero-shot learning: the setting of the paper's Table 2."""

from __future__ import annotations

from sapwood.benchmark.found import collected
from sapwood.benchmark.leads import leads
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.scores import score_plot, score_table
from sapwood.report.bench.section import Content, Item, Section


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for (data, split), rows in by_case(results.of("zsl")).items():
        blocks += accuracy_blocks("zsl", data, split, rows)
    text = [
        "Images of unseen classes are named among the unseen classes. K images of each seen class "
        "are annotated; the other images of seen classes are given without annotation."
    ]
    return text, blocks


def accuracy_blocks(bench: str, data: str, split: str, rows: list[Row]) -> list[Item]:
    """Return the tables, the plot and the leads of one case."""
    found = collected(rows)
    if not found:
        return []
    title = case_title(data, split)
    svg = score_plot(
        found, y="unseen images named correctly, %", label=f"Accuracy against K on {title}"
    )
    blocks = [
        {"title": title, **score_table(found, "Share of unseen images named correctly.")},
        {"kind": "text", "paragraphs": [leads(rows).replace("*", "")]},
        {"kind": "figure", "svg": svg, "file": slug(bench, data, split),
         "caption": f"{title}: accuracy against K. Bands are one standard deviation; methods "
         "that are not among the best are in the table only."},
    ]  # fmt: skip
    over_classes = collected(rows, "accuracy_over_classes")
    if over_classes and over_classes != found:
        blocks.append(score_table(over_classes, "The same, mean over unseen classes."))
    return blocks


SECTION = Section("zsl", "Standard zero-shot learning", "zsl", _make)
