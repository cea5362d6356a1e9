"""How far the stated probabilities can be trusted."""

from __future__ import annotations

from sapwood.benchmark.found import collected, counts_of
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.plots import line_plot

#: Scores, their names and what one is shown as; less is better for each.
SCORES = {
    "ece": ("calibration error (ECE), %", 100),
    "raw_ece": ("the same of plain similarities, %", 100),
    "seen_ece": ("calibration error (ECE) of seen classes among themselves, %", 100),
    "nll": ("log loss (NLL)", 1),
    "raw_nll": ("the same of plain similarities", 1),
    "aurc": ("wrong answers, mean over coverages (AURC), %", 100),
}
_BENCHES = ("zsl", "gzsl")


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for bench in _BENCHES:
        rows = [row for row in results.of(bench) if row["method"] == "sapwood" and "ece" in row]
        for (data, split), of_case in by_case(rows).items():
            title = f"{case_title(data, split)} ({bench})"
            blocks += _blocks(title, slug("trust", bench, data, split), of_case)
    if not blocks:
        return ["No row tells how good the stated probabilities are."], []
    text = [
        "What sapwood's default states about images of unseen classes, among the unseen classes, "
        "and where a line says so about those of seen classes. Less is better; "
        "plain similarities are those without the temperature that was found on seen classes held "
        "out."
    ]
    return text, blocks


def _blocks(title: str, file: str, rows: list[Row]) -> list[Item]:
    counts = counts_of(collected(rows, "ece"))
    body = [
        [name, *(_mean(rows, score, K, per) for K in counts)]
        for score, (name, per) in SCORES.items()
        if any(score in row for row in rows)
    ]
    columns = ["", *(f"K = {K}" for K in counts)]
    table = {"kind": "table", "title": title, "columns": columns, "rows": body}
    return [table, *_reliability(title, file, rows)]


def _mean(rows: list[Row], score: str, K: int, per: int) -> str:
    values = [row[score] for row in rows if row["annotated"] == K and row.get(score) is not None]
    return f"{per * sum(values) / len(values):.{1 if per > 1 else 2}f}" if values else "–"


def _reliability(title: str, file: str, rows: list[Row]) -> list[Item]:
    """Return the share of right answers against what was stated, where a row has it."""
    row = next((row for row in rows if row.get("reliability")), None)
    if row is None:
        return []
    fields = {"reliability": "sapwood", "raw_reliability": "plain similarities"}
    series = [
        {"name": name, "x": [100 * b[1] for b in row[field]], "y": [100 * b[2] for b in row[field]]}
        for field, name in fields.items()
        if row.get(field)
    ]
    even = {"name": "as stated", "x": [0, 100], "y": [0, 100], "colour": 6}
    label = f"Right answers against stated confidence on {title}"
    svg = line_plot(
        [*series, even], x="stated confidence, %", y="right answers, %", label=label, size=(5, 4)
    )
    caption = f"{title}, K = {row['annotated']}, first draw: right answers against what was stated."
    return [{"kind": "figure", "svg": svg, "file": file, "caption": caption}]


SECTION = Section("trust", "Stated probabilities", "", _make)
