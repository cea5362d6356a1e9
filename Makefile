# `make demo` and `make test` make their own environment in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench wheel clean

# Rebuilt only when what it is made from changes.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("sapwood needs Python 3.10 or newer; try: make PYTHON=python3.12" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $(READY)

demo: $(READY)
	$(BIN)/sapwood demo

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python benchmarks/import_cost.py
	$(BIN)/python benchmarks/speed_paper_fit.py
	$(BIN)/python benchmarks/accuracy_cub.py

wheel: $(READY)
	$(BIN)/python benchmarks/try_wheel.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
