"""The benchmark of external images on small problems, and its tables on made-up rows."""

from pathlib import Path

import numpy as np
import pytest

from sapwood.benchmark import Problem, Task


@pytest.fixture
def ground(load_benchmark, draw_world):
    (stress,) = load_benchmark("external", "stress")
    world = draw_world(n=320)
    X = np.vstack([world.X, world.X_unseen])
    labels = np.concatenate([world.labels, world.labels_unseen])
    foreign = -1 - np.random.default_rng(0).random((50, X.shape[1]))
    return stress.Ground(X, labels, world.Z, np.array([6, 7]), foreign, 30)


def rows_of(table):
    return {tuple(row) for row in table}


def test_images_given_without_label_are_neither_annotated_nor_tested_on(load_benchmark, ground):
    (stress,) = load_benchmark("external", "stress")
    problems = stress.stress(ground, 2, 0)
    assert list(problems) == list(stress.KINDS)
    first = next(iter(problems.values()))
    for problem in problems.values():
        extra = rows_of(problem.X[problem.y < 0])
        assert (problem.y < 0).sum() == 30
        assert not extra & rows_of(problem.X_test)
        assert not extra & rows_of(problem.X[problem.y >= 0])
        assert problem.X_test is first.X_test
        assert np.bincount(problem.y[problem.y >= 0]).tolist() == [2] * 6
    assert rows_of(first.X_test) < rows_of(ground.X[ground.labels >= 6])


def test_each_kind_of_images_is_what_it_is_called(load_benchmark, ground):
    (stress,) = load_benchmark("external", "stress")
    problems = stress.stress(ground, 2, 0)
    of_unseen = rows_of(ground.X[ground.labels >= 6])
    share = {
        kind: np.mean([tuple(row) in of_unseen for row in problem.X[problem.y < 0]])
        for kind, problem in problems.items()
    }
    assert list(share.values()) == [0, 0.5, 1, 0, 0]
    foreign = problems["all of another subject"]
    assert rows_of(foreign.X[foreign.y < 0]) < rows_of(ground.foreign)
    copies = problems["all copies of one image"]
    assert len(rows_of(copies.X[copies.y < 0])) == 1


def test_a_stress_task_has_a_row_for_each_kind_and_one_without(load_benchmark, ground, monkeypatch):
    methods, stress = load_benchmark("external", "methods", "stress")
    own = stress.Ground(*vars(ground).values())
    monkeypatch.setitem(methods.GROUNDS, "stress-demo", lambda: own)
    rows = methods.work(task := Task("stress", "stress-demo", 2, 0))
    assert len(rows) == methods.expected(task)
    assert [row["kind"] for row in rows] == [*stress.KINDS, None]
    assert [row["given"] for row in rows] == [30] * 5 + [0]
    for row in rows:
        assert 0 <= row["used"] <= row["given"] == sum(row["reasons"].values())


@pytest.mark.parametrize("group", ["ours", "rivals"])
def test_a_task_has_as_many_rows_as_are_expected(load_benchmark, world, group, monkeypatch):
    (methods,) = load_benchmark("external", "methods")
    unseen = np.array([6, 7])
    problem = Problem(world.X, world.y, world.Z, world.X_unseen, world.labels_unseen, unseen)
    monkeypatch.setattr(methods, "draw", lambda case, K, seed: problem)
    monkeypatch.setattr(methods, "filtered", lambda problem: problem)
    small = {"preset": "paper", "k_g": 20, "m": 10}
    monkeypatch.setitem(methods.WITH_WEB, "sapwood, paper's algorithm", small)
    monkeypatch.setattr(methods, "RIVALS", {"rpl": ("nearest",)})
    monkeypatch.setattr(methods, "ALONE", {"rpl": ("ignore",)})
    rows = methods.work(task := Task(group, "drawn", 4, 0))
    assert len(rows) == methods.expected(task)
    if group == "rivals":
        assert [row["method"] for row in rows] == ["rpl, annotated alone", "rpl, nearest"]
    else:
        of = {row["method"]: row for row in rows}
        assert of[methods.IGNORING]["given"] == 0
        assert of["sapwood, taking all"]["used"] == of["sapwood"]["given"] > 0


def test_rivals_alone_never_meet_the_other_images(load_benchmark, world, monkeypatch):
    (methods,) = load_benchmark("external", "methods")
    unseen = np.array([6, 7])
    problem = Problem(world.X, world.y, world.Z, world.X_unseen, world.labels_unseen, unseen)
    met = {}

    def tuned(problem, rivals, seed):
        met[next(iter(rivals.values()))] = (problem.y < 0).any()
        return []

    monkeypatch.setattr(methods, "tuned_rivals", tuned)
    list(methods.run_rivals(problem, 0))
    assert met == {("ignore",): False, ("nearest", "propagate"): True}


def test_web_images_called_unseen_are_thrown_out(load_benchmark, world, monkeypatch):
    (cases,) = load_benchmark("external", "cases")

    class First:
        def predict(self, X):
            return np.where(np.arange(len(X)) < 3, 6, 0)

    monkeypatch.setattr(cases, "knows_all_classes", First)
    unseen = np.array([6, 7])
    problem = Problem(world.X, world.y, world.Z, world.X_unseen, world.labels_unseen, unseen)
    kept = cases.filtered(problem)
    gone = np.flatnonzero(problem.y < 0)[:3]
    np.testing.assert_array_equal(kept.X, np.delete(problem.X, gone, axis=0))
    np.testing.assert_array_equal(kept.y, np.delete(problem.y, gone))


def row(method, K, seed, accuracy, group="ours", case="drawn", **more):
    told = {"group": group, "case": case, "annotated": K, "seed": seed, "method": method}
    return {**told, "accuracy": accuracy, **more}


FATE = {"given": 10, "used": 4, "reasons": {"near": 4, "far": 6}}
ALL = {"given": 10, "used": 10, "reasons": {"propagated": 10}}
NONE = {"given": 0, "used": 0, "reasons": {}}


def test_tables_tell_what_web_images_are_worth_and_how_many_were_used(load_benchmark):
    (tables,) = load_benchmark("external", "tables")
    ours = [
        *(row(tables.IGNORING, K, seed, 0.5, **NONE) for K in (1, 5) for seed in (0, 1)),
        *(row("sapwood", K, seed, 0.51 + seed / 50, **FATE) for K in (1, 5) for seed in (0,)),
        row("sapwood", 1, 1, 0.53, **ALL),
        row("sapwood, taking all", 1, 0, 0.4, **ALL),
    ]
    rivals = [row("rpl, nearest", 1, seed, 0.5, "rivals") for seed in (0, 1)]
    lines = tables.case_text([*ours, *rivals], "drawn").splitlines()
    assert "| sapwood | +2.0 ± 1.0 | +1.0 |" in lines
    assert "| sapwood, taking all | −10.0 | – |" in lines
    assert "| | web images | used | far | near | propagated |" in lines
    assert "| K = 1 | 10 | 7 | 3 | 2 | 5 |" in lines
    assert "| K = 5 | 10 | 4 | 6 | 4 | 0 |" in lines
    assert any("K = 1: +2.0 ± 1.0 on rpl, nearest" in line for line in lines)


def test_the_stress_table_has_a_line_for_each_kind(load_benchmark):
    tables, stress = load_benchmark("external", "tables", "stress")
    rows = []
    for seed in (0, 1):
        rows.append(row(tables.IGNORING, 1, seed, 0.5, "stress", "stress-cub", kind=None, **NONE))
        for i, kind in enumerate(stress.KINDS):
            accuracy = 0.5 + (2 - i + seed) / 100
            rows.append(
                row("sapwood", 1, seed, accuracy, "stress", "stress-cub", kind=kind, **FATE)
            )
    lines = tables.stress_text(rows, "stress-cub").splitlines()
    assert lines[-5] == "| all of seen classes | +2.5 ± 0.5 | 40 |"
    assert lines[-1] == "| all copies of one image | −1.5 ± 0.5 | 40 |"


def test_the_documentation_has_a_place_for_everything(load_benchmark):
    pages, stress, cases = load_benchmark("external", "pages", "stress", "cases")
    page = (Path(__file__).parents[2] / pages.PAGE).read_text()
    names = [f"web-{case}" for case in cases.CASES] + list(stress.GROUNDS)
    assert set(stress.TITLES) == set(stress.GROUNDS)
    assert [n for n in names if f"<!-- {n}: made by {pages.MAKER} -->" not in page] == []
    assert [n for n in names if f"<!-- end of {n} -->" not in page] == []


def test_the_papers_list_is_taken_class_by_class(load_benchmark, shared_data):
    (cases,) = load_benchmark("external", "cases")
    one, two = cases.draw("listed", 1, 0), cases.draw("listed", 2, 0)
    assert (two.y >= 0).sum() == 2 * (one.y >= 0).sum() == 300
    assert (two.y < 0).sum() == 1204
    assert rows_of(one.X[one.y >= 0]) < rows_of(two.X[two.y >= 0])
    assert len(two.truth) == 2946
    assert set(two.truth) == set(two.unseen)
