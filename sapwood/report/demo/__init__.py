"""The demo: a newcomer's first minute, from drawn creatures to a report."""

from sapwood.report.demo.experiment import Study, run_study
from sapwood.report.demo.opening import demo_table
from sapwood.report.demo.run import demo_page, run_demo

__all__ = ["Study", "demo_page", "demo_table", "run_demo", "run_study"]
