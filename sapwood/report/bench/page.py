"""From results to the one dictionary that every renderer takes."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

from sapwood._version import __version__
from sapwood.report.bench.headline import facts, lead_sentences
from sapwood.report.bench.results import Results
from sapwood.report.bench.section import Item
from sapwood.report.bench.sections import SECTIONS


def bench_page(results: Results) -> dict[str, Any]:
    """Return the whole report as one dictionary.

    Parameters
    ----------
    results : Results

    Returns
    -------
    dict
        For :func:`sapwood.report.render_page`, :func:`sapwood.report.bench.render_markdown` and
        :func:`sapwood.report.bench.render_latex`. Figures have the name of a ``file``.

    Examples
    --------
    >>> row = {"bench": "zsl", "data": "cub", "split": "paper", "annotated": 5, "seed": 0,
    ...        "method": "rpl", "accuracy": 0.6}
    >>> page = bench_page(Results("out", [row], []))
    >>> page["sections"][1]["blocks"][0]["rows"]
    [['rpl', '60.0']]
    """
    rows = len(results.rows) + len(results.skipped)
    sections = [section.item(results) for section in SECTIONS]
    _give_each_its_file(sections)
    return {
        "title": "How sapwood compares",
        "lead": lead_sentences(results),
        "facts": facts(results),
        "sections": [section for section in sections if section["text"] or section["blocks"]],
        "footer": f"Made by sapwood {__version__} from {rows} rows of benchmarks.",
    }


def _give_each_its_file(sections: list[Item]) -> None:
    """Number the files of drawings that would have the same name."""
    taken = set[str]()
    blocks = [block for section in sections for block in section["blocks"]]
    for item in (item for block in blocks for item in block.get("items", [block])):
        if "file" in item:
            numbered = (f"{item['file']}-{i}" for i in count(2))
            free = (name for name in chain([item["file"]], numbered) if name not in taken)
            item["file"] = next(free)
            taken.add(item["file"])
