"""Studies of parts: the same fit in several forms, as bars."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from sapwood.benchmark.cells import mean_and_error
from sapwood.benchmark.found import Found, collected, counts_of
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.scores import score_table
from sapwood.report.bench.section import Item
from sapwood.report.plots import bar_plot
from sapwood.report.tables import deviation

#: What a preset is called in titles.
PRESETS = {"paper": "as printed in the paper", "robust": "the default"}


def form_blocks(results: Results, bench: str, names: Mapping[str, str]) -> list[Item]:
    """Return a table, differences and bars for each data, split and preset.

    Parameters
    ----------
    results : Results
    bench : str
        Whose methods are called preset:form.
    names : mapping of str to str
        The forms, from the simplest on, and their names; others come after.
    """
    blocks: list[Item] = []
    for (data, split), rows in by_case(results.of(bench)).items():
        for preset in dict.fromkeys(row["method"].partition(":")[0] for row in rows):
            mine = [row for row in rows if row["method"].partition(":")[0] == preset]
            blocks += _preset_blocks(bench, data, split, preset, mine, names)
    return blocks


def _preset_blocks(
    bench: str, data: str, split: str, preset: str, rows: list[Row], names: Mapping[str, str]
) -> list[Item]:
    raw = collected(rows)
    forms = {method.partition(":")[2]: of for method, of in raw.items()}
    order = [*(f for f in names if f in forms), *(f for f in forms if f not in names)]
    found = {names.get(form, form): forms[form] for form in order}
    if not found:
        return []
    title = f"{case_title(data, split)}, {PRESETS.get(preset, preset)}"
    counts = counts_of(found)
    svg = bar_plot(
        [_bars(name, found[name], counts) for name in found],
        [f"K = {K}" for K in counts],
        x="annotated images a class",
        y="unseen images named correctly, %",
        label=f"Bars for {title}",
    )
    return [
        {"title": title,
         **score_table(found, "Share of unseen images named correctly.", list(found))},
        {"kind": "text", "paragraphs": [" ".join(_steps(found)) or "One form only."]},
        {"kind": "figure", "svg": svg, "file": slug(bench, data, split, preset),
         "caption": f"{title}. Bars are means over draws, lines one standard deviation."},
    ]  # fmt: skip


def _bars(name: str, of: Mapping[int, Mapping[int, float]], counts: list[int]) -> Item:
    values = [list(of.get(K, {}).values()) for K in counts]
    return {
        "name": name,
        "y": [float(np.mean(v)) if v else None for v in values],
        "spread": [deviation(v) for v in values],
    }


def _steps(found: Found) -> list[str]:
    """Say what each form gains on the one before it, draw by draw."""
    said = []
    names = list(found)
    for before, after in pairwise(names):
        gains = []
        for K in sorted(set(found[before]) & set(found[after])):
            a, b = found[after][K], found[before][K]
            gains.append(
                f"K = {K}: {mean_and_error([a[s] - b[s] for s in sorted(set(a) & set(b))])}"
            )
        said.append(f"{after} against {before} (± standard error): {'; '.join(gains)}.")
    return said
