"""Zero-shot learning with unlabelled images from elsewhere: the paper's Table 4."""

from __future__ import annotations

from collections import defaultdict

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.bench.sections.zsl import accuracy_blocks


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for (data, split), rows in by_case(results.of("external")).items():
        blocks += accuracy_blocks("external", data, split, rows) + _used(rows)
    text = [
        "K images of each seen class are annotated, and the unannotated images come from the web: "
        "most of them show no class of the data set. sapwood-ignoring is not given them; "
        "sapwood-all and sapwood-near take all of them, or the near ones, without asking whether "
        "they help; sapwood-filtered has the paper's filter before it."
    ]
    return text, blocks


def _used(rows: list[Row]) -> list[Item]:
    """Return how many of the images given our methods used, where the rows tell."""
    shares: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.get("given") and row.get("used") is not None:
            shares[row["method"]][row["annotated"]].append(100 * row["used"] / row["given"])
    if not shares:
        return []
    counts = sorted({K for of in shares.values() for K in of})
    body = [
        [name, *(f"{sum(v) / len(v):.0f} %" if (v := of.get(K)) else "–" for K in counts)]
        for name, of in shares.items()
    ]
    caption = "Share of the images from the web that took part in the fit."
    return [{"kind": "table", "columns": ["method", *(f"K = {K}" for K in counts)], "rows": body,
             "caption": caption}]  # fmt: skip


SECTION = Section("external", "Zero-shot learning with external images", "external", _make)
