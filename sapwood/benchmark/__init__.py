"""Resumable benchmarks: rows in a file, a pool of processes, tables in Markdown pages."""

from sapwood.benchmark.cells import mean_and_deviation, mean_and_error, signed
from sapwood.benchmark.command import command_line, run_missing
from sapwood.benchmark.pages import fill_page
from sapwood.benchmark.problems import Problem, problem_of
from sapwood.benchmark.rivals import STRONG, Ways, tuned_rivals
from sapwood.benchmark.rows import Row, append_rows, keep_finished, read_rows
from sapwood.benchmark.run import compute
from sapwood.benchmark.tables import leads, markdown_table, method_table
from sapwood.benchmark.tasks import Task, task_of

__all__ = [
    "STRONG",
    "Problem",
    "Row",
    "Task",
    "Ways",
    "append_rows",
    "command_line",
    "compute",
    "fill_page",
    "keep_finished",
    "leads",
    "markdown_table",
    "mean_and_deviation",
    "mean_and_error",
    "method_table",
    "problem_of",
    "read_rows",
    "run_missing",
    "signed",
    "task_of",
    "tuned_rivals",
]
