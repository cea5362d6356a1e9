# Each command makes its own environment in .venv, and again only when what it is made from changes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
USE := $(VENV)/.ready-to-use
DEVELOP := $(VENV)/.ready-to-develop
DOCUMENT := $(VENV)/.ready-to-document
BENCH = --jobs 2 --out benchmarks/results
STRONG = sapwood,sapwood-annotated,rpl0,rpl,rpl+sap,kernel-ridge0,kernel-ridge,kernel-ridge+sap,label-spreading
RIVALS = $(STRONG),eszsl0,sae0
# Those that are best where features are weak, and quick: there it takes many draws to tell them apart.
QUICK = sapwood,sapwood-annotated,rpl0,kernel-ridge0
WORLDS = $(shell seq -s , -f world-%g 21 32)
# Scripts are checked for calls that no longer fit, which no test would find.
LOOSELY = --allow-untyped-defs --allow-incomplete-defs --no-warn-unused-ignores \
	--disable-error-code arg-type --disable-error-code index --disable-error-code operator
INSTALL = $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable

.PHONY: demo test lint bench bench-all bench-accuracy bench-generalized bench-external bench-worlds docs docs-tables wheel clean

$(USE): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("sapwood needs Python 3.10 or newer; try: make PYTHON=python3.12" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) .
	touch $(USE)

$(DEVELOP): $(USE)
	$(INSTALL) ".[dev]"
	touch $(DEVELOP)

$(DOCUMENT): $(USE)
	$(INSTALL) ".[docs]"
	touch $(DOCUMENT)

demo: $(USE)
	$(BIN)/sapwood demo --out sapwood-demo

test: $(DEVELOP)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(DEVELOP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy $(LOOSELY) benchmarks/*.py
	MYPYPATH=benchmarks/ablations $(BIN)/mypy $(LOOSELY) benchmarks/ablations/*.py
	MYPYPATH=benchmarks/fill_docs $(BIN)/mypy $(LOOSELY) benchmarks/fill_docs/*.py

bench: $(DEVELOP)
	$(BIN)/python benchmarks/import_cost.py
	$(BIN)/python benchmarks/speed_paper_fit.py --docs docs/speed.md
	$(BIN)/python benchmarks/printed_cub.py --docs docs/accuracy.md

# Every method on every case, each where it has no row yet: a night and more from an empty folder.
bench-all: $(DEVELOP)
	$(BIN)/sapwood bench all $(BENCH)
	$(BIN)/sapwood report benchmarks/results

bench-accuracy: $(DEVELOP)
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(RIVALS) --data cub --split paper --annotated 1,2,5,10,25
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data cub --split fresh --annotated 1,5,25
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data cub --split proposed --annotated 1,5,25
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data cub:sentence_attributes --split paper --annotated 1,5,25
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data awa1_lowlevel --split paper,proposed --annotated 5,10,15,20,25 --seeds 3
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(QUICK) --data awa1_lowlevel --split paper,proposed,fresh --annotated 5,10,15,20,25 --seeds 30
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data demo --annotated 1,2,5,10 --seeds 20
	$(BIN)/sapwood bench zsl $(BENCH) --methods $(STRONG) --data demo --split fresh --annotated 1,5,10 --seeds 10
	$(BIN)/sapwood bench zsl $(BENCH) --methods sapwood-tuned --data demo --annotated 1,2,5,10
	$(BIN)/sapwood bench zsl $(BENCH) --methods sapwood-tuned --data cub --split paper --annotated 1,5,25 --seeds 3
	$(BIN)/sapwood bench zsl $(BENCH) --methods sapwood-tuned --data cub --split fresh,proposed --annotated 5 --seeds 2
	$(BIN)/sapwood bench zsl $(BENCH) --methods sapwood-tuned --data cub:sentence_attributes,awa1_lowlevel --split paper --annotated 5 --seeds 2
	$(BIN)/python benchmarks/fill_docs --accuracy

bench-generalized: $(DEVELOP)
	$(BIN)/sapwood bench gzsl $(BENCH) --methods $(RIVALS) --data cub,awa1_lowlevel --split paper --annotated 5,25

bench-external: $(DEVELOP)
	$(BIN)/sapwood bench external $(BENCH) --data cub
	$(BIN)/sapwood bench stress $(BENCH) --data cub
	$(BIN)/sapwood bench stress $(BENCH) --data demo --seeds 20

bench-worlds: $(DEVELOP)
	$(BIN)/sapwood bench zsl --jobs 2 --out benchmarks/results/worlds --plugin benchmarks/worlds.py \
		--data $(WORLDS) --methods $(STRONG) --annotated 1,2,5,10 --seeds 1

docs: $(DOCUMENT)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-tables: $(DEVELOP)
	$(BIN)/python benchmarks/fill_docs
	$(BIN)/sapwood report benchmarks/results --out docs/results.md --plots 3

wheel: $(DEVELOP)
	$(BIN)/python benchmarks/try_wheel.py

clean:
	rm -rf $(VENV) dist build site .pytest_cache .mypy_cache .ruff_cache
