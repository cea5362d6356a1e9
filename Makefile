# Each command makes its own environment in .venv, and again only when what it is made from changes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
USE := $(VENV)/.ready-to-use
DEVELOP := $(VENV)/.ready-to-develop
INSTALL = $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable

.PHONY: demo test lint bench bench-accuracy bench-generalized bench-external wheel clean

$(USE): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("sapwood needs Python 3.10 or newer; try: make PYTHON=python3.12" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) .
	touch $(USE)

$(DEVELOP): $(USE)
	$(INSTALL) ".[dev]"
	touch $(DEVELOP)

demo: $(USE)
	$(BIN)/sapwood demo --out sapwood-demo

test: $(DEVELOP)
	$(BIN)/python -m pytest

lint: $(DEVELOP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(DEVELOP)
	$(BIN)/python benchmarks/import_cost.py
	$(BIN)/python benchmarks/speed_paper_fit.py
	$(BIN)/python benchmarks/printed_cub.py

bench-accuracy: $(DEVELOP)
	$(BIN)/python benchmarks/accuracy

bench-generalized: $(DEVELOP)
	$(BIN)/python benchmarks/generalized

bench-external: $(DEVELOP)
	$(BIN)/python benchmarks/external

wheel: $(DEVELOP)
	$(BIN)/python benchmarks/try_wheel.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
