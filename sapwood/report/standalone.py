"""A drawing of the page as a file of its own."""

from __future__ import annotations

import re
from importlib import resources


def standalone_svg(svg: str) -> str:
    """Return an ``<svg>`` element of the page as a file: the page's light colours on white.

    Parameters
    ----------
    svg : str
        What :func:`sapwood.report.line_plot` and its like return.

    Examples
    --------
    >>> page = '<svg viewBox="0 0 4 4"><text fill="var(--ink)">a</text></svg>'
    >>> "var(--" in standalone_svg(page), "#23222b" in standalone_svg(page)
    (False, True)
    """
    colours = _light_colours()
    svg = re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)
    sized = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert sized is not None
    attributes = f' width="{sized[1]}pt" height="{sized[2]}pt" font-family="sans-serif"'
    if "xmlns=" not in svg:
        attributes += ' xmlns="http://www.w3.org/2000/svg"'
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return re.sub(r"<svg([^>]*)>", rf"<svg{attributes}\1>\n{ground}", svg, count=1) + "\n"


def _light_colours() -> dict[str, str]:
    style = (resources.files("sapwood.report") / "templates" / "style.css").read_text("utf-8")
    first = style[: style.index("}")]
    return dict(re.findall(r"--([\w-]+): (#\w+);", first))
