"""Time and memory of a fit, by method."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title
from sapwood.report.bench.section import Content, Item, Section

#: The method whose fit is the unit.
UNIT = "rpl"
_BENCHES = ("zsl", "gzsl", "external")


def _make(results: Results) -> Content:
    rows = [row for bench in _BENCHES for row in results.of(bench) if row.get("fit_seconds")]
    text = [
        f"A fit with the settings chosen, in processor time; the search for settings is apart. "
        f"Ratios are to {UNIT} on the same problem, and every figure is the median over problems. "
        "Memory is how far it rose during the fit."
    ]
    blocks = []
    for bench in _BENCHES:
        for case, of_case in by_case(row for row in rows if row["bench"] == bench).items():
            blocks.append(_table(f"{case_title(*case)} ({bench})", of_case))
    if not blocks:
        return ["No row tells how long a fit took."], []
    return text, blocks


def _table(title: str, rows: list[Row]) -> Item:
    unit = {_problem(row): row for row in rows if row["method"] == UNIT}
    body = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        ratios = [
            row["fit_seconds"] / unit[_problem(row)]["fit_seconds"]
            for row in mine
            if _problem(row) in unit
        ]
        numbers = [
            _median(ratios),
            *(
                _median(row[name] for row in mine if row.get(name) is not None)
                for name in ("fit_seconds", "search_seconds", "peak_mb")
            ),
        ]
        body.append((numbers, method))
    body.sort(key=lambda one: (one[0][0] is None, one[0][0] or 0.0, one[1]))
    columns = ["method", f"fit ÷ {UNIT}", "fit, s", "search, s", "memory, MB"]
    cells = [[name, *map(_short, numbers)] for numbers, name in body]
    return {"kind": "table", "title": title, "columns": columns, "rows": cells,
            "marked": [i for i, row in enumerate(cells) if row[0] == "sapwood"]}  # fmt: skip


def _problem(row: Row) -> tuple[int, int]:
    return row["annotated"], row["seed"]


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return float(median(known)) if known else None


def _short(value: float | None) -> str:
    """Return about three figures.

    Examples
    --------
    >>> _short(1234.5), _short(12.34), _short(0.01234), _short(None)
    ('1,234', '12.3', '0.012', '–')
    """
    if value is None:
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return (
        f"{value:.1f}"
        if abs(value) >= 10
        else f"{value:.2f}"
        if abs(value) >= 0.1
        else f"{value:.3f}"
    )


SECTION = Section("cost", "Time and memory", "", _make)
