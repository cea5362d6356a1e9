"""Drawings as SVG text inside the page, in the page's own colours."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

#: Colours nobody would choose, each put in for a colour of the page's style sheet.
INK, SOFT, RULE = "#010101", "#020202", "#030303"
#: One for each line or bar of a drawing.
SERIES = tuple(f"#0{i:x}0{i:x}0{i:x}" for i in range(4, 11))
_MEANT = {INK: "var(--ink)", SOFT: "var(--soft)", RULE: "var(--rule)"} | {
    colour: f"var(--series-{i})" for i, colour in enumerate(SERIES, 4)
}
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.edgecolor": RULE,
    "axes.labelcolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "legend.frameon": False,
}


def drawn(draw: Callable[[Any], None], label: str, size: tuple[float, float]) -> str:
    """Return what `draw` puts on a pair of axes as an ``<svg>`` element.

    Parameters
    ----------
    draw : callable
        Given matplotlib's axes; colours are :data:`INK`, :data:`SOFT`, :data:`RULE` and
        :data:`SERIES`.
    label : str
        What is shown, for those who cannot see it.
    size : tuple of float
        Inches.

    Examples
    --------
    >>> svg = drawn(lambda axes: axes.plot([1, 2], color=SERIES[0]), "A line", (2, 1))
    >>> svg[:4], 'aria-label="A line"' in svg, "var(--series-4)" in svg
    ('<svg', True, True)
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({**_STYLE, "svg.hashsalt": label}):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots()
        draw(axes)
        buffer = io.StringIO()
        figure.savefig(
            buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    return _inline(buffer.getvalue(), label)


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
    for stand_in, colour in _MEANT.items():
        svg = svg.replace(stand_in, colour)
    return svg.strip()
