"""Time and memory of a fit, by method."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title
from sapwood.report.bench.section import Content, Item, Section

#: The method whose fit is the unit, by benchmark.
UNITS = {"zsl": "rpl", "gzsl": "rpl", "external": "rpl", "sia": "svm"}


def _make(results: Results) -> Content:
    text = [
        "A fit with the settings chosen, in processor time; the search for settings is apart, and "
        "where several methods share one it is divided equally among them. Ratios are to another "
        "method on the same problem and the same processor; times of a graphics processor are not "
        "in them. Every figure is the median over problems. Memory is how far it rose during the "
        "fit above what the process held already."
    ]
    blocks = []
    for bench, unit in UNITS.items():
        rows = [row for row in results.of(bench) if row.get("fit_seconds")]
        for case, of_case in by_case(rows).items():
            blocks.append(_table(f"{case_title(*case)} ({bench})", of_case, unit))
    if not blocks:
        return ["No row tells how long a fit took."], []
    return text, blocks


def _table(title: str, rows: list[Row], unit: str) -> Item:
    fits = {_problem(row): row["fit_seconds"] for row in rows if row["method"] == unit}
    body = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        ratios = [row["fit_seconds"] / fits[_problem(row)] for row in mine if _problem(row) in fits]
        numbers = [
            _median(ratios),
            *(
                _median(row[name] for row in mine if row.get(name) is not None)
                for name in ("fit_seconds", "search_seconds", "peak_mb")
            ),
        ]
        body.append((numbers, method))
    body.sort(key=lambda one: (one[0][0] is None, one[0][0] or 0.0, one[1]))
    columns = ["method", f"fit ÷ {unit}", "fit, s", "search, s", "memory, MB"]
    cells = [[name, *map(_short, numbers)] for numbers, name in body]
    return {"kind": "table", "title": title, "columns": columns, "rows": cells,
            "marked": [i for i, row in enumerate(cells) if row[0] == "sapwood"]}  # fmt: skip


def _problem(row: Row) -> tuple[int, int, str | None]:
    return row["annotated"], row["seed"], row.get("cpu")


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
