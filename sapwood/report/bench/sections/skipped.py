"""What could not be run, and why."""

from __future__ import annotations

from sapwood.report.bench.results import Results, case_title
from sapwood.report.bench.section import Content, Section


def _make(results: Results) -> Content:
    if not results.skipped:
        return ["Nothing was skipped."], []
    groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for row in results.skipped:
        key = (row["bench"], row["data"], row["split"], row["method"], str(row["skipped"]))
        groups.setdefault(key, []).append((row["annotated"], row["seed"]))
    body = [
        [method, bench, case_title(data, split), _listed({K for K, _ in at}), str(len(at)), reason]
        for (bench, data, split, method, reason), at in sorted(groups.items())
    ]
    columns = ["method", "bench", "data", "K", "problems", "reason"]
    block = {"kind": "table", "words": True, "columns": columns, "rows": body}
    return ["Pairs of method and problem that cannot be run have no figures above."], [block]


def _listed(counts: set[int]) -> str:
    return ", ".join(map(str, sorted(counts)))


SECTION = Section("skipped", "Skipped", "", _make)
