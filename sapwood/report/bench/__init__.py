"""The report of benchmarks: rows → one dictionary → HTML, Markdown and LaTeX."""

from sapwood.report.bench.latex import render_latex
from sapwood.report.bench.markdown import render_markdown
from sapwood.report.bench.page import bench_page
from sapwood.report.bench.results import Results, read_results
from sapwood.report.bench.run import write_report

__all__ = [
    "Results",
    "bench_page",
    "read_results",
    "render_latex",
    "render_markdown",
    "write_report",
]
