"""From a folder of rows to the files of the report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sapwood.atomic import write_atomically
from sapwood.errors import InputError
from sapwood.report.bench.latex import render_latex
from sapwood.report.bench.markdown import render_markdown
from sapwood.report.bench.page import bench_page
from sapwood.report.bench.results import read_results
from sapwood.report.page import write_page

#: Names inside the folder, where nobody gives others.
PAGE, PLOTS, TABLES = "report.html", "plots", "tables.tex"


def write_report(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    latex: bool = False,
    plots: int | None = None,
) -> dict[str, Any]:
    """Write the report of a folder of rows: a page, its twin in Markdown, and LaTeX tables.

    Parameters
    ----------
    folder : path
        What ``sapwood bench --out`` wrote into, finished or not.
    out : path, optional
        The page, by default ``report.html`` in the folder; Markdown, plots and tables go beside
        it. A name ending in ``.md`` is the Markdown's, and no page is written.
    latex : bool
        Whether to write ``tables.tex``.
    plots : int, optional
        At most so many plots for the Markdown; default: all.

    Returns
    -------
    dict
        ``page`` (the dictionary), ``rows`` (how many), and paths: ``markdown``, ``plots`` (a
        list), and ``report`` and ``latex`` where they were written.
    """
    results = read_results(folder)
    target = Path(folder) / PAGE if out is None else Path(out)
    page = bench_page(results)
    written: dict[str, Any] = {"page": page, "rows": len(results.rows) + len(results.skipped)}
    text, drawings = render_markdown(page, PLOTS, plots)
    beside = target.parent / PLOTS
    if drawings and beside.exists() and not beside.is_dir():
        raise InputError(f"{beside} is a file; the plots need a folder of this name: move the file")
    markdown = markdown_of(target)
    if markdown != target:
        written["report"] = write_page(page, target)
    if drawings:
        beside.mkdir(exist_ok=True)
    for name, svg in drawings.items():
        write_atomically(beside / name, svg.encode())
    written["plots"] = [beside / name for name in drawings]
    written["markdown"] = markdown
    write_atomically(markdown, text.encode())
    if latex:
        written["latex"] = target.parent / TABLES
        write_atomically(written["latex"], render_latex(page).encode())
    return written


def markdown_of(target: Path) -> Path:
    """Return the file of the Markdown that goes with a page: the page itself where it is that.

    Examples
    --------
    >>> markdown_of(Path("report.html")).name, markdown_of(Path("RESULTS.MD")).name
    ('report.md', 'RESULTS.MD')
    """
    return target if target.suffix.lower() == ".md" else target.with_suffix(".md")
