"""Resumable benchmarks: cases × methods × seeds to rows on disk, and tables of them."""

from sapwood.benchmark.benches import BENCHES, Bench
from sapwood.benchmark.cases import IDENTITY, Asked, Case
from sapwood.benchmark.cells import mean_and_deviation, mean_and_error, signed
from sapwood.benchmark.datasets import register_data
from sapwood.benchmark.leads import leads
from sapwood.benchmark.methods import register_method
from sapwood.benchmark.pages import fill_page
from sapwood.benchmark.problems import Problem, problem_of
from sapwood.benchmark.rows import Row, append_rows, read_rows
from sapwood.benchmark.run import compute
from sapwood.benchmark.tables import markdown_table, method_table

__all__ = [
    "BENCHES",
    "IDENTITY",
    "Asked",
    "Bench",
    "Case",
    "Problem",
    "Row",
    "append_rows",
    "compute",
    "fill_page",
    "leads",
    "markdown_table",
    "mean_and_deviation",
    "mean_and_error",
    "method_table",
    "problem_of",
    "read_rows",
    "register_data",
    "register_method",
    "signed",
]
