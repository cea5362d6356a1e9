"""Modules of a benchmark, imported as its command does."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def load_benchmark(monkeypatch):
    """Import modules of one folder; other benchmarks have modules of the same names."""
    taken = set()

    def load(folder, *names):
        monkeypatch.syspath_prepend(str(BENCHMARKS / folder))
        taken.update(path.stem for path in (BENCHMARKS / folder).glob("[!_]*.py"))
        for name in taken:
            sys.modules.pop(name, None)
        return [importlib.import_module(name) for name in names]

    yield load
    for name in taken:
        sys.modules.pop(name, None)
