"""The tables of the accuracy benchmark, and how many rows it expects."""

import numpy as np
import pytest

from sapwood.benchmark import Problem, Task


def row(method, accuracy, fixed=False, case="cub"):
    told = {"method": method, "annotated": 1, "seed": 0, "fixed": fixed, "case": case}
    return {**told, "accuracy": accuracy}


ROWS = [
    row("sapwood", 0.5, fixed=True),
    row("sapwood, tuned", 0.6),
    row("rpl, nearest", 0.4),
    row("rpl, nearest", 0.45, fixed=True),
    row("sae, ignore", 0.99, case="awa1"),
]


def test_a_case_has_its_own_rows_and_two_leads(load_benchmark):
    (tables,) = load_benchmark("accuracy", "tables")
    text = tables.case_text(ROWS, "cub")
    assert text.startswith("### CUB, the paper's 150/50 split\n\n| | K = 1 |")
    assert "sae" not in text
    assert "K = 1: +5.0 on rpl, nearest (fixed)." in text
    assert text.endswith("K = 1: +15.0 on rpl, nearest (fixed).")
    alone = tables.case_text([row for row in ROWS if row["method"] != "sapwood, tuned"], "cub")
    assert "tuned" not in alone


def test_the_readme_has_tuned_rivals_and_chosen_rows_only(load_benchmark, tmp_path, monkeypatch):
    (pages,) = load_benchmark("accuracy", "pages")
    for name in ("PAGE", "README"):
        path = tmp_path / name
        path.write_text("<!-- cub: made by benchmarks/accuracy --> <!-- end of cub -->")
        monkeypatch.setattr(pages, name, path)
    pages.rewrite([*ROWS, row("conse, ignore", 0.1)])
    assert (tmp_path / "README").read_text().splitlines()[3:-1] == [
        "| sapwood | 50.0 |",
        "| rpl, nearest | 40.0 |",
    ]
    assert "| conse, ignore | 10.0 |" in (tmp_path / "PAGE").read_text()


@pytest.mark.parametrize("group", ["ours", "tuned", "rivals"])
def test_a_finished_task_has_as_many_rows_as_are_expected(load_benchmark, group, monkeypatch):
    tasks, methods = load_benchmark("accuracy", "tasks", "methods")
    rng = np.random.default_rng(0)
    Z, labels = rng.random((8, 5)), np.repeat(np.arange(8), 6)
    X, seen = Z[labels] @ rng.random((5, 8)), labels < 6
    problem = Problem(X[seen], labels[seen], Z, X[~seen], labels[~seen], np.array([6, 7]))
    monkeypatch.setattr(methods, "tuned_rivals", lambda *_: [])
    plain = methods.SparseAttributePropagation
    monkeypatch.setattr(methods, "SparseAttributePropagationCV", plain)
    found = list(tasks.GROUPS[group](problem, "strong", 0))
    tuned = sum(len(ways) for ways in methods.RIVALS["strong"].values())
    missing = tuned if group == "rivals" else 0
    assert len(found) + missing == tasks.expected(Task(group, "cub-fresh", 1, 0))
