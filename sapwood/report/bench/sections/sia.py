"""Social image annotation: the paper's Table 5."""

from __future__ import annotations

from sapwood.benchmark.paper_figures import read_paper
from sapwood.report.bench.results import Results
from sapwood.report.bench.section import Content, Section

SCORES = ("C-P", "C-R", "C-F1", "I-P", "I-R", "I-F1")


def _make(results: Results) -> Content:
    printed = read_paper("sia")
    body = [[f["printed"], *(f"{100 * f[score]:.1f}" for score in SCORES)] for f in printed]
    table = {"kind": "table", "columns": ["method, as printed", *SCORES], "rows": body, "caption":
             f"The paper's Table {printed[0]['table']}, NUS-WIDE; here: not run."}  # fmt: skip
    return ["Not run here. The figures as printed:"], [table]


SECTION = Section("sia", "Social image annotation", "", _make)
