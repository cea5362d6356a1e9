"""The page as Markdown, with its drawings in files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from sapwood.benchmark.tables import markdown_table
from sapwood.report.standalone import standalone_svg

Item = Mapping[str, Any]


def render_markdown(
    page: Item, plots: str = "plots", most: int | None = None
) -> tuple[str, dict[str, str]]:
    """Make Markdown of a report's dictionary.

    Parameters
    ----------
    page : dict
        From :func:`sapwood.report.bench.bench_page`.
    plots : str
        The folder of the drawings, as the text refers to it.
    most : int, optional
        Take at most so many drawings, the first of each section before any second; default: all.

    Returns
    -------
    text : str
    drawings : dict of str to str
        SVG by the name of its file.

    Examples
    --------
    >>> table = {"kind": "table", "columns": ["method", "K = 5"], "rows": [["rpl", "60.0"]]}
    >>> section = {"id": "a", "title": "A", "text": [], "blocks": [table]}
    >>> page = {"title": "T", "lead": [], "facts": [], "sections": [section], "footer": "F"}
    >>> print(render_markdown(page)[0])
    # T
    <BLANKLINE>
    ## A
    <BLANKLINE>
    | method | K = 5 |
    |---|--:|
    | rpl | 60.0 |
    <BLANKLINE>
    F
    <BLANKLINE>
    """
    drawings = _chosen(page, most)
    parts = [f"# {_text(page['title'])}", _text(" ".join(page["lead"]))]
    parts.append("\n".join(f"- **{_text(f['value'])}** {_text(f['label'])} ({_text(f['note'])})"
                           for f in page["facts"]))  # fmt: skip
    for section in page["sections"]:
        parts += [f"## {_text(section['title'])}", *map(_text, section["text"])]
        for block in section["blocks"]:
            parts += _block(block, plots, drawings)
    parts.append(_text(page["footer"]))
    files = {f"{name}.svg": standalone_svg(svg) for name, svg in drawings.items()}
    return "\n\n".join(part for part in parts if part) + "\n", files


def _chosen(page: Item, most: int | None) -> dict[str, str]:
    """Return the drawings to take: the first of each section, then the second of each."""
    ranked = [
        (rank, name, svg)
        for section in page["sections"]
        for rank, (name, svg) in enumerate(_drawings(section))
    ]
    ranked.sort(key=lambda one: one[0])
    return {name: svg for _, name, svg in ranked[:most]}


def _drawings(section: Item) -> Iterator[tuple[str, str]]:
    for block in section["blocks"]:
        for item in block.get("items", [block]):
            if "svg" in item:
                yield item["file"], item["svg"]


def _block(block: Item, plots: str, drawings: Mapping[str, str]) -> list[str]:
    parts = [f"### {_text(block['title'])}"] if "title" in block else []
    if block["kind"] == "text":
        return parts + [_text(paragraph) for paragraph in block["paragraphs"]]
    if block["kind"] == "code":
        return [*parts, "```sh\n" + "\n".join(block["lines"]) + "\n```"]
    if block.get("folded"):
        opening = f"<details><summary>{_text(block['title'])}</summary>"
        return [opening, _table(block), _text(block.get("caption", "")), "</details>"]
    if block["kind"] == "table":
        return [*parts, _table(block), _text(block.get("caption", ""))]
    shown = [item for item in block.get("items", [block]) if item["file"] in drawings]
    images = [f"![{_text(_label(item['svg']))}]({plots}/{item['file']}.svg)" for item in shown]
    return [*parts, "\n".join(images), _text(block.get("caption", ""))] if shown else []


def _label(svg: str) -> str:
    found = re.search(r'aria-label="([^"]*)"', svg)
    return unescape(found[1]) if found else ""


def _table(block: Item) -> str:
    best = block.get("best", [[]] * (len(block["columns"]) - 1))
    body = [
        [_text(row[0]), *(f"**{_text(cell)}**" if i in best[j] else _text(cell)
                          for j, cell in enumerate(row[1:]))]
        for i, row in enumerate(block["rows"])
    ]  # fmt: skip
    table = markdown_table([_text(column) for column in block["columns"]], body)
    return table.replace("--:|", "---|") if block.get("words") else table


def _text(text: str) -> str:
    """Keep characters that Markdown would read as marks."""
    return re.sub(r"([\\`*<|\[\]])", r"\\\1", text)
