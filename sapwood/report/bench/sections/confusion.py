"""Which unseen classes are mixed up."""

from __future__ import annotations

import numpy as np

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.heat_map import heat_map

_PAIRS = 8


def _make(results: Results) -> Content:
    rows = [row for row in results.of("zsl") if row.get("confusion")]
    if not rows:
        return ["No row of the standard setting tells which classes were mixed up."], []
    blocks: list[Item] = []
    for (data, split), of_case in by_case(rows).items():
        counts = sorted({row["annotated"] for row in of_case})
        middle = counts[len(counts) // 2]
        row = next(row for row in of_case if row["annotated"] == middle)
        blocks += _blocks(
            row, f"{case_title(data, split)}, K = {middle}", slug("confusion", data, split)
        )
    text = [
        "Standard setting, sapwood's default, first draw. Each row is a class and shows what its "
        "images were called: right answers in green, mistakes in red, the stronger the more. "
        "Classes that are mixed up stand together."
    ]
    return text, blocks


def _blocks(row: Row, title: str, file: str) -> list[Item]:
    counts = np.asarray(row["confusion"])
    names = row.get("confusion_classes") or [f"class {i + 1}" for i in range(len(counts))]
    names = [str(name) for name in names]
    heat = {
        "kind": "figure",
        "svg": heat_map(counts, names, f"Confusion among unseen classes on {title}"),
        "wide": True,
        "file": file,
        "caption": f"{title}.",
    }
    right = f"{counts.trace()} of {counts.sum()} images are named correctly."
    mistakes = _mistakes(counts, names)
    if not mistakes:
        return [{"kind": "text", "title": title, "paragraphs": [right]}, heat]
    columns = ["images of", "taken for", "how many", "of"]
    return [{"kind": "table", "words": True, "title": title, "columns": columns, "rows": mistakes,
             "caption": f"The most frequent mistakes. {right}"}, heat]  # fmt: skip


def _mistakes(counts: np.ndarray, names: list[str]) -> list[list[str]]:
    wrong = counts - np.diag(np.diag(counts))
    order = np.argsort(-wrong, axis=None, kind="stable")[:_PAIRS]
    pairs = [divmod(int(at), len(counts)) for at in order if wrong.flat[at] > 0]
    return [[names[i], names[j], str(wrong[i, j]), str(counts[i].sum())] for i, j in pairs]


SECTION = Section("confusion", "Unseen classes that are mixed up", "zsl", _make)
