"""From rows to tables and plots: methods by K, and who is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sapwood.benchmark.cells import mean_and_deviation
from sapwood.benchmark.found import Found, best_first, counts_of, ours, usual_draws
from sapwood.benchmark.significance import clear_winner, is_ahead
from sapwood.report.plots import line_plot
from sapwood.report.tables import deviation

Item = dict[str, Any]
#: Lines in a plot: ours and the best rivals.
_OURS, _LINES = ("sapwood", "sapwood-annotated", "sapwood-paper"), 7


def _overall(of: Mapping[int, Mapping[int, float]]) -> float:
    return float(np.mean([np.mean(list(values.values())) for values in of.values()]))


def score_table(found: Found, caption: str, methods: Sequence[str] | None = None) -> Item:
    """Return a block with methods down, K across and winners marked.

    Parameters
    ----------
    found : dict
        From :func:`sapwood.benchmark.found.collected`.
    caption : str
    methods : sequence of str, optional
        The order of the rows; by default the best first.

    Examples
    --------
    >>> found = {"sapwood": {5: {0: 60.0, 1: 61.0, 2: 62.0}},
    ...          "rpl": {5: {0: 51.0, 1: 51.0, 2: 51.0}}}
    >>> table = score_table(found, "Test")
    >>> table["rows"], table["marked"]
    ([['sapwood', '61.0 ± 1.0†'], ['rpl', '51.0 ± 0.0']], [0])
    """
    counts = counts_of(found)
    order = list(methods or best_first(found))
    usual = usual_draws(found)
    columns = [{name: found[name][K] for name in order if K in found[name]} for K in counts]
    winners = [clear_winner(column) for column in columns]
    rows = [
        [name, *(_cell(name, column, usual) for column in columns)] for name in order
    ]  # fmt: skip
    return {
        "kind": "table",
        "columns": ["method", *(f"K = {K}" for K in counts)],
        "rows": rows,
        "best": [[order.index(name)] if name else [] for name in winners],
        "marked": [i for i, name in enumerate(order) if name == "sapwood"],
        "caption": f"{caption} {usual} seed{'s' * (usual != 1)}.",
    }


def _cell(name: str, column: Mapping[str, Mapping[int, float]], usual: int) -> str:
    if name not in column:
        return "–"
    mark = "†" * _leads_the_other_side(name, column)
    return mean_and_deviation(list(column[name].values()), usual=usual) + mark


def _leads_the_other_side(name: str, column: Mapping[str, Mapping[int, float]]) -> bool:
    return is_ahead(name, [other for other in column if ours(other) != ours(name)], column)


def score_plot(found: Found, *, y: str, label: str) -> str:
    """Draw a score against K, with bands of one standard deviation: ours and the best rivals.

    Examples
    --------
    >>> found = {"sapwood": {1: {0: 60.0}, 5: {0: 70.0}}, "rpl": {1: {0: 50.0}}}
    >>> svg = score_plot(found, y="%", label="Test")
    >>> ">sapwood<" in svg, ">rpl<" in svg
    (True, True)
    """
    order = best_first(found)
    rivals = [name for name in order if not ours(name)]
    # A line far below all others would leave no room to tell those apart.
    least = _overall(found[order[0]]) / 2
    shown = [name for name in _OURS if name in found and _overall(found[name]) >= least]
    shown += rivals[: _LINES - len(shown)]
    counts = counts_of(found)
    return line_plot(
        [_line(name, found[name]) for name in shown],
        x="annotated images a class (K)",
        y=y,
        label=label,
        ticks={K: str(K) for K in counts},
        log="x" if counts[-1] > 8 * counts[0] else "",
        names_below=True,
        size=(5.8, 4.6),
    )


def _line(name: str, of: Mapping[int, Mapping[int, float]]) -> Item:
    counts = sorted(of)
    values = [list(of[K].values()) for K in counts]
    return {
        "name": name,
        "x": counts,
        "y": [float(np.mean(v)) for v in values],
        "spread": [deviation(v) for v in values],
    }
