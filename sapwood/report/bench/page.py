"""From results to the one dictionary that every renderer takes."""

from __future__ import annotations

from typing import Any

from sapwood._version import __version__
from sapwood.report.bench.headline import facts, lead_sentences
from sapwood.report.bench.results import Results
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
    items = [section.item(results) for section in SECTIONS]
    rows = len(results.rows) + len(results.skipped)
    return {
        "title": "How sapwood compares",
        "lead": lead_sentences(results),
        "facts": facts(results),
        "sections": [item for item in items if item["text"] or item["blocks"]],
        "footer": f"Made by sapwood {__version__} from {rows} rows of benchmarks.",
    }
