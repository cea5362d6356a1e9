"""The settings that were chosen."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title
from sapwood.report.bench.section import Content, Item, Section

_BENCHES = ("zsl", "gzsl", "external", "sia")
#: Values of a parameter that are named; the rest is counted.
_NAMED = 3


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for bench in _BENCHES:
        rows = [row for row in results.of(bench) if row.get("parameters")]
        for case, of_case in by_case(rows).items():
            blocks.append(_table(f"{case_title(*case)} ({bench})", of_case))
    if not blocks:
        return ["No row tells its settings."], []
    text = [
        "For each method the settings of its fits over K and seeds, the most frequent value first "
        "and, where it was not always the same, how often each was chosen. Every row of the files "
        "has its own under “parameters”."
    ]
    return text, blocks


def _table(title: str, rows: list[Row]) -> Item:
    body = []
    for method in sorted({row["method"] for row in rows}):
        mine = [row for row in rows if row["method"] == method]
        how = "chosen" if any(row.get("tuned") for row in mine) else "fixed"
        body.append([method, how, most_chosen([row["parameters"] for row in mine]), str(len(mine))])
    return {"kind": "table", "words": True, "title": title, "rows": body,
            "columns": ["method", "how", "settings", "fits"]}  # fmt: skip


def most_chosen(settings: list[dict[str, Any]]) -> str:
    """Return the values of each parameter in words, the most frequent first.

    Parameters
    ----------
    settings : list of dict

    Examples
    --------
    >>> most_chosen([{"ridge": 1.0, "k": 5}, {"ridge": 10.0, "k": 5}, {"ridge": 1.0, "k": 5}])
    'ridge 1 (2), 10 (1); k 5'
    """
    parts = []
    for name in dict.fromkeys(name for one in settings for name in one):
        values = Counter(_short(one[name]) for one in settings if name in one)
        ranked = values.most_common()
        if len(ranked) == 1:
            parts.append(f"{name} {ranked[0][0]}")
            continue
        told = [f"{value} ({count})" for value, count in ranked[:_NAMED]]
        others = sum(count for _, count in ranked[_NAMED:])
        parts.append(f"{name} {', '.join(told)}" + f", others ({others})" * bool(others))
    return "; ".join(parts)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


SECTION = Section("parameters", "Settings that were chosen", "", _make)
