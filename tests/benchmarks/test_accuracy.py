"""From rows to tables, on rows made up for it."""

import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "accuracy"


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    for name in ("tables", "cases"):
        # Other benchmarks have modules of the same name.
        monkeypatch.delitem(sys.modules, name, raising=False)
    import tables

    yield tables
    for name in ("tables", "cases"):
        sys.modules.pop(name, None)


def row(method, K, seed, accuracy, fixed=False, case="cub"):
    told = {"method": method, "annotated": K, "seed": seed, "fixed": fixed, "case": case}
    return {**told, "accuracy": accuracy}


ROWS = [
    row("sapwood", 1, 0, 0.5, fixed=True),
    row("sapwood", 1, 1, 0.6, fixed=True),
    row("sapwood", 5, 0, 0.7, fixed=True),
    row("sapwood, tuned", 1, 0, 0.1),
    row("rpl", 1, 0, 0.4),
    row("rpl", 1, 1, 0.4),
    row("rpl", 5, 0, 0.9),
    row("rpl", 1, 0, 0.2, fixed=True),
    row("rpl", 1, 1, 0.1, fixed=True),
    row("rpl", 5, 0, 0.2, fixed=True),
    row("sae", 1, 0, 0.99, case="awa1"),
]


def test_a_table_has_means_and_deviations_and_the_best_first(tables):
    lines = tables.table(ROWS, "cub").splitlines()
    assert lines[0] == "### CUB, the paper's 150/50 split"
    assert lines[2:] == [
        "| | K = 1 | K = 5 |",
        "|---|--:|--:|",
        "| rpl | 40.0 ± 0.0 | 90.0 |",
        "| sapwood | 55.0 ± 7.1 | 70.0 |",
        "| rpl (fixed) | 15.0 ± 7.1 | 20.0 |",
        "| sapwood, tuned | 10.0 | – |",
    ]


def test_leads_compare_draw_by_draw_with_the_best_rival_of_each_k(tables):
    text = tables.leads(ROWS, "cub")
    assert text.endswith("K = 1: +15.0 ± 5.0 on rpl; K = 5: -20.0 ± nan on rpl")
    assert text.startswith("Lead of *sapwood* on the best rival")
    assert tables.leads(ROWS, "cub", "sapwood, tuned").endswith(": K = 1: -30.0 ± nan on rpl")


def test_a_run_that_is_not_finished_has_a_table_too(tables):
    ours = [row("sapwood", K, seed, 0.5) for K in (1, 5) for seed in (0, 1)]
    some = [*ours, row("rpl", 1, 1, 0.3), row("sae", 1, 7, 0.9)]
    assert tables.table(some, "cub").splitlines()[-1] == "| rpl | 30.0 | – |"
    assert tables.leads(some, "cub").endswith(": K = 1: +20.0 ± nan on rpl")
    assert tables.leads(ours, "cub").endswith(": ")


def test_a_line_cut_short_is_left_out(tables, tmp_path):
    path = tmp_path / "rows.jsonl"
    assert tables.read_rows(path) == []
    path.write_text("".join(json.dumps(r) + "\n" for r in ROWS) + json.dumps(ROWS[0])[:-9])
    assert tables.read_rows(path) == ROWS
