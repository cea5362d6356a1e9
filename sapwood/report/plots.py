"""Plots of lines with bands, and of bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sapwood.report.canvas import INK, SERIES, SOFT, drawn

_MARKERS = "os^DvPX"


def line_plot(
    series: Sequence[Mapping[str, Any]],
    *,
    x: str,
    y: str,
    label: str,
    ticks: Mapping[float, str] | None = None,
    log: str = "",
    level: tuple[float, str] | None = None,
    upright: tuple[float, str] | None = None,
    marked: bool = True,
    names_below: bool = False,
    size: tuple[float, float] = (6.2, 3.9),
) -> str:
    """Draw lines with bands.

    Parameters
    ----------
    series : sequence of dict
        Each with ``name``, ``x``, ``y`` and, for a band, ``spread`` above and below; ``colour``
        from 0 picks one of the page's seven colours, by default in order.
    x, y : str
        Titles of the axes; where one ends in %, the axis keeps within 0 and 100.
    label : str
        What the plot shows, for those who cannot see it.
    ticks : mapping of float to str, optional
        Where the x axis is marked, and how.
    log : str
        Axes with a logarithmic scale: "", "x", "y" or "xy".
    level, upright : tuple of float and str, optional
        A dashed line at this height or place, and its name.
    marked : bool
        Whether every point has a mark.
    names_below : bool
        Whether the names of the lines stand below the plot, and not where there is most room in it.
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
    dashed: dict[str, Any] = {"color": SOFT, "linestyle": (0, (5, 3)), "linewidth": 1.3}

    def draw(axes: Any) -> None:
        for i, one in enumerate(series):
            _draw_line(axes, one, i, marked)
        if level is not None:
            axes.axhline(level[0], label=level[1], **dashed)
        if upright is not None:
            axes.axvline(upright[0], label=upright[1], **dashed)
        _dress(axes, x, y, ticks, log)
        _keep_within(axes)
        _name_lines(axes, names_below)

    return drawn(draw, label, size)


def bar_plot(
    series: Sequence[Mapping[str, Any]],
    groups: Sequence[str],
    *,
    x: str,
    y: str,
    label: str,
    size: tuple[float, float] = (6.2, 3.6),
) -> str:
    """Draw bars side by side in groups, with their heights above them.

    Parameters
    ----------
    series : sequence of dict
        Each with ``name`` and ``y``, one height a group or None for no bar, and ``spread``, which
        is drawn above and below.
    groups : sequence of str
        Names along the x axis.
    x, y, label, size
        As in :func:`line_plot`.

    Examples
    --------
    >>> bars = [{"name": "BPL", "y": [30.0, None], "spread": [1.0, None]}]
    >>> "30.0" in bar_plot(bars, ["K = 1", "K = 5"], x="", y="%", label="Test")
    True
    """

    def draw(axes: Any) -> None:
        for i, one in enumerate(series):
            _draw_bars(axes, one, i, len(series))
        _dress(axes, x, y, dict(enumerate(groups)), "")
        axes.tick_params(axis="x", length=0)
        # Room above the bars for the names of the series.
        axes.set_ylim(0, axes.get_ylim()[1] * (1.1 + 0.09 * ((len(series) + 2) // 3)))
        axes.legend(
            handles=[_swatch(one, i) for i, one in enumerate(series)],
            labelcolor=INK,
            loc="upper left",
            ncols=min(3, len(series)),
            fontsize=9.5,
        )

    return drawn(draw, label, size)


def _draw_line(axes: Any, one: Mapping[str, Any], i: int, marked: bool) -> None:
    number = one.get("colour", i) % len(SERIES)
    axes.plot(
        one["x"],
        one["y"],
        color=SERIES[number],
        marker=_MARKERS[number] if marked else "",
        markersize=6,
        linewidth=2.2,
        label=one["name"],
        # Marks at 0 % and 100 % are shown whole.
        clip_on=False,
    )
    if "spread" in one:
        low = [y - s for y, s in zip(one["y"], one["spread"], strict=True)]
        high = [y + s for y, s in zip(one["y"], one["spread"], strict=True)]
        axes.fill_between(one["x"], low, high, color=SERIES[number], alpha=0.15, linewidth=0)


def _draw_bars(axes: Any, one: Mapping[str, Any], i: int, count: int) -> None:
    width = 0.84 / count
    colour = _colour(one, i)
    for group, (height, spread) in enumerate(zip(one["y"], one["spread"], strict=True)):
        if height is None:
            continue
        at = group + (i - (count - 1) / 2) * width
        axes.bar(at, height, 0.92 * width, color=colour, alpha=0.85)
        axes.errorbar(at, height, spread or 0.0, color=SOFT, capsize=2.5, linewidth=1.1)
        axes.annotate(
            f"{height:.1f}",
            (at, height + (spread or 0.0)),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            color=INK,
        )


def _swatch(one: Mapping[str, Any], i: int) -> Any:
    from matplotlib.patches import Patch

    return Patch(color=_colour(one, i), alpha=0.85, label=one["name"])


def _colour(one: Mapping[str, Any], i: int) -> str:
    return SERIES[one.get("colour", i) % len(SERIES)]


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


def _keep_within(axes: Any) -> None:
    """End axes in per cent at 0 and 100, also where bands go further."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_label_text().endswith("%"):
            low, high = axis.get_view_interval()
            axis.axes.set(**{f"{axis.axis_name}lim": (max(low, 0.0), min(high, 100.0))})


def _name_lines(axes: Any, below: bool) -> None:
    if below:
        axes.figure.legend(labelcolor=INK, loc="outside lower center", ncols=3, fontsize=10)
    elif len(axes.get_legend_handles_labels()[1]) > 1:
        axes.legend(labelcolor=INK, loc="best")
