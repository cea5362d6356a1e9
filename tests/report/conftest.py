"""Rows of all benchmarks and the page made of them, made once."""

import pytest

from sapwood.report.bench import Results, bench_page
from tests.report.bench_rows import every_bench


@pytest.fixture(scope="session")
def bench_rows():
    return every_bench()


@pytest.fixture(scope="session")
def page(bench_rows):
    found = [row for row in bench_rows if not row.get("skipped")]
    return bench_page(Results("out", found, [row for row in bench_rows if row.get("skipped")]))
