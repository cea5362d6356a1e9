"""Sensitivity to the parameters, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.bench.sections.forms import PRESETS
from sapwood.report.plots import line_plot
from sapwood.report.tables import deviation

#: Percentages by value, K and seed.
Curve = dict[Any, dict[int, dict[int, float]]]
#: Points of accuracy below which a parameter does not matter, and an accuracy that is hardly any.
SMALL, LOW = 1.0, 10.0
_NAMES = {f"lambda{i}": f"λ{i}" for i in range(1, 5)}


def _make(results: Results) -> Content:
    rows = results.of("sensitivity")
    blocks: list[Item] = []
    told: list[list[str]] = []
    verdicts: list[str] = []
    for (data, split), of_case in by_case(rows).items():
        for preset in dict.fromkeys(_preset(row) for row in of_case):
            mine = [row for row in of_case if _preset(row) == preset]
            curves = _curves(mine)
            title = f"{case_title(data, split)}, {PRESETS.get(preset, preset)}"
            blocks.append(_panels(curves, mine, title, slug("sensitivity", data, split, preset)))
            ranges = [_range(title, name, curve) for name, curve in curves.items()]
            verdicts.append(_verdict(title, ranges, mine))
            told += ranges
    columns = [
        "data and preset",
        "parameter",
        "K",
        "lowest",
        "highest",
        "range",
        f"over {SMALL:g} point",
    ]
    caption = (
        "Mean accuracy at the worst and the best value of each parameter, for the K at which they "
        "differ most. Where the default leaves unannotated images out, parameters of the "
        "propagation have nothing to act on."
    )
    table = {"kind": "table", "words": True, "columns": columns, "rows": told, "caption": caption}
    text = [
        "One parameter is moved at a time, the others stay at the preset's values. The paper calls "
        "its algorithm insensitive to k_g, m, λ1, λ2 and λ3.",
        *verdicts,
    ]
    return text, [*blocks, table]


def _preset(row: Row) -> str:
    return str(row.get("preset") or row["method"].partition(":")[0])


def _curves(rows: list[Row]) -> dict[str, Curve]:
    curves: dict[str, Curve] = {}
    for row in rows:
        if "accuracy" in row and "parameter" in row:
            of = curves.setdefault(row["parameter"], {}).setdefault(_key(row["value"]), {})
            of.setdefault(row["annotated"], {})[row["seed"]] = 100 * row["accuracy"]
    return {name: dict(sorted(of.items(), key=_in_order)) for name, of in curves.items()}


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _in_order(item: tuple[Any, Any]) -> tuple[bool, Any]:
    number = isinstance(item[0], int | float) and not isinstance(item[0], bool)
    return (False, item[0]) if number else (True, str(item[0]))


def _panels(curves: Mapping[str, Curve], rows: list[Row], title: str, file: str) -> Item:
    defaults = {row["parameter"]: _key(row["value"]) for row in rows if row.get("default")}
    items = []
    for name, curve in curves.items():
        values = list(curve)
        place = values.index(defaults[name]) if defaults.get(name) in values else None
        svg = line_plot(
            _lines(curve),
            x="",
            y="accuracy, %",
            label=f"Accuracy against {name} on {title}",
            ticks={i: _short(value) for i, value in enumerate(values)},
            upright=None if place is None else (place, "default"),
            size=(3.9, 2.7),
        )
        items.append({"title": _NAMES.get(name, name), "svg": svg, "file": slug(file, name)})
    caption = "Mean over seeds; bands are one standard deviation. Values are evenly spaced."
    return {"kind": "figures", "title": title, "items": items, "caption": caption}


def _lines(curve: Curve) -> list[Item]:
    lines = []
    for K in sorted({K for of in curve.values() for K in of}):
        at = [(i, list(of[K].values())) for i, of in enumerate(curve.values()) if K in of]
        lines.append(
            {
                "name": f"K = {K}",
                "x": [i for i, _ in at],
                "y": [float(np.mean(v)) for _, v in at],
                "spread": [deviation(v) for _, v in at],
            }
        )
    return lines


def _range(title: str, name: str, curve: Curve) -> list[str]:
    ranges = []
    for K in {K for of in curve.values() for K in of}:
        means = {
            value: float(np.mean(list(of[K].values()))) for value, of in curve.items() if K in of
        }
        low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
        ranges.append((means[high] - means[low], K, low, high, means))
    width, K, low, high, means = max(ranges, key=lambda one: one[0])
    ends = [f"{means[value]:.1f} at {_short(value)}" for value in (low, high)]
    matters = "yes" if width > SMALL else "no"
    return [title, _NAMES.get(name, name), str(K), *ends, f"{width:.1f}", matters]


def _verdict(title: str, ranges: list[list[str]], rows: list[Row]) -> str:
    """Say what matters, and where there is hardly any accuracy that could."""
    parts = [
        f"{said} {', '.join(names)}"
        for said, answer in (("insensitive to", "no"), ("sensitive to", "yes"))
        if (names := [cells[1] for cells in ranges if cells[-1] == answer])
    ]
    best = max((100 * row["accuracy"] for row in rows if "accuracy" in row), default=0.0)
    low = f" No value brings the accuracy above {best:.1f} %." if best < LOW else ""
    return f"{title}: {'; '.join(parts)}.{low}"


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


SECTION = Section("sensitivity", "Sensitivity to the parameters", "sensitivity", _make)
