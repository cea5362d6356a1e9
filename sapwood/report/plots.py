"""Plots as SVG text inside the page, in the page's own colours."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: Colours nobody would choose, each put in for a colour of the page's style sheet.
_STAND_INS = {"#010101": "var(--ink)", "#020202": "var(--soft)", "#030303": "var(--rule)"}
_SERIES = {f"#0{i}0{i}0{i}": f"var(--series-{i})" for i in range(4, 9)}
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.edgecolor": "#030303",
    "axes.labelcolor": "#020202",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": "#030303",
    "ytick.color": "#030303",
    "xtick.labelcolor": "#020202",
    "ytick.labelcolor": "#020202",
    "grid.color": "#030303",
    "grid.linewidth": 0.6,
    "text.color": "#010101",
    "legend.frameon": False,
}
_MARKERS = "os^Dv"


def line_plot(
    series: Sequence[Mapping[str, Any]],
    *,
    x: str,
    y: str,
    label: str,
    ticks: Mapping[float, str] | None = None,
    log: str = "",
    level: tuple[float, str] | None = None,
    size: tuple[float, float] = (6.2, 3.9),
) -> str:
    """Draw lines with bands.

    Parameters
    ----------
    series : sequence of dict
        Each with ``name``, ``x``, ``y`` and, for a band, ``spread`` above and below; ``colour``
        from 0 picks one of the page's five colours, by default in order.
    x, y : str
        Titles of the axes.
    label : str
        What the plot shows, for those who cannot see it.
    ticks : mapping of float to str, optional
        Where the x axis is marked, and how.
    log : str
        Axes with a logarithmic scale: "", "x", "y" or "xy".
    level : tuple of float and str, optional
        A dashed line at this height, and its name.
    size : tuple of float
        Inches.

    Returns
    -------
    str
        An ``<svg>`` element; texts in it are escaped.

    Examples
    --------
    >>> svg = line_plot([{"name": "a", "x": [1, 2], "y": [3, 4]}], x="K", y="%", label="Test")
    >>> svg[:4], "var(--series-4)" in svg
    ('<svg', True)
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({**_STYLE, "svg.hashsalt": label}):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        for i, one in enumerate(series):
            _draw(axes, one, i)
        if level is not None:
            axes.axhline(
                level[0], color="#020202", linestyle=(0, (5, 3)), linewidth=1.3, label=level[1]
            )
        _dress(axes, x, y, ticks, log)
        buffer = io.StringIO()
        figure.savefig(
            buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    return _inline(buffer.getvalue(), label)


def _draw(axes: Any, one: Mapping[str, Any], i: int) -> None:
    number = one.get("colour", i) % len(_SERIES)
    colour = list(_SERIES)[number]
    axes.plot(
        one["x"],
        one["y"],
        color=colour,
        marker=_MARKERS[number],
        markersize=6,
        linewidth=2.2,
        label=one["name"],
    )
    if "spread" in one:
        low = [y - s for y, s in zip(one["y"], one["spread"], strict=True)]
        high = [y + s for y, s in zip(one["y"], one["spread"], strict=True)]
        axes.fill_between(one["x"], low, high, color=colour, alpha=0.15, linewidth=0)


def _dress(axes: Any, x: str, y: str, ticks: Mapping[float, str] | None, log: str) -> None:
    axes.set(xlabel=x, ylabel=y, **{f"{axis}scale": "log" for axis in log})
    if "y" in log:
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(lambda value, _: "")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    if ticks:
        axes.set_xticks(list(ticks), labels=list(ticks.values()))
        axes.minorticks_off()
    axes.legend(labelcolor="#010101", loc="best")


def _inline(svg: str, label: str) -> str:
    """Cut the file down to its ``<svg>`` element, fit it to the page and recolour it."""
    from markupsafe import escape

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    assert width is not None
    head = f'<svg role="img" aria-label="{escape(label)}" style="max-width: {width[1]}pt"'
    svg = re.sub(r'<svg( height="[^"]*"| width="[^"]*")*', head, svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    for stand_in, colour in {**_STAND_INS, **_SERIES}.items():
        svg = svg.replace(stand_in, colour)
    return svg.strip()
