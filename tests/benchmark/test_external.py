"""Images from elsewhere, and those that should not do harm."""

from dataclasses import replace

import numpy as np
import pytest

from sapwood.benchmark import Asked, Case, datasets, external, register_data, stress
from sapwood.benchmark.datasets import get_data, get_web, has_web
from sapwood.benchmark.methods import Learned, register_method
from sapwood.benchmark.plugins import run_plugin
from sapwood.errors import InputError

CASE = Case("external", "tiny+web", "drawn", 2, 0, quick=True)


@pytest.fixture(autouse=True)
def _tiny(plugin):
    run_plugin(plugin)
    cached = external.knows_all_classes
    yield
    cached.cache_clear()


def rows_of(table):
    return {tuple(row) for row in table}


def test_annotated_images_are_drawn_or_taken_from_a_list(shared_data):
    asked = Asked(("tiny", "cub", "awa1_lowlevel"))
    cases = external.cases(asked)
    assert {(c.data, c.split) for c in cases} == {
        ("tiny+web", "drawn"),
        ("cub+web", "drawn"),
        ("cub+web", "listed"),
    }
    more = external.cases(Asked(("cub",), splits=("paper",), annotated=(5, 25), seeds=1))
    assert [(c.split, c.annotated) for c in more] == [("listed", 5), ("drawn", 5), ("drawn", 25)]
    listed = [case for case in cases if case.split == "listed"]
    assert [(case.annotated, case.seed) for case in listed] == [(K, 0) for K in (1, 2, 3, 4, 5)]
    one, two = (external.draw(Case("external", "cub+web", "listed", K, 0)) for K in (1, 2))
    assert (two.y >= 0).sum() == 2 * (one.y >= 0).sum() == 300
    assert (two.y < 0).sum() == 1204
    assert rows_of(one.X[one.y >= 0]) < rows_of(two.X[two.y >= 0])
    assert len(two.truth) == 2946


def without_splits(tmp_path):
    register_data("plain", lambda: replace(get_data("tiny"), splits={}), lambda: get_web("tiny"))
    unseen = tmp_path / "unseen.txt"
    unseen.write_text("\n".join(get_data("plain").class_names[:3]), encoding="utf-8")
    return str(unseen)


def test_a_file_may_name_the_unseen_classes(tmp_path):
    unseen = without_splits(tmp_path)
    (case,) = external.cases(Asked(("plain",), splits=(unseen,), annotated=(1,), seeds=1))
    assert (case.data, case.split) == ("plain+web", unseen)
    (row,) = external.run(case, ["sapwood"])
    assert (row["n_train"], row["n_test"]) == (4 + 9, 18)
    with pytest.raises(InputError, match="has no split; give --split a file"):
        external.cases(Asked(("plain",)))


def test_images_of_known_data_count_only_where_they_are(monkeypatch):
    assert has_web("tiny")
    monkeypatch.setattr(datasets, "_is_there", lambda name: name == "cub_web")
    assert has_web("cub")
    monkeypatch.setattr(datasets, "_is_there", lambda name: False)
    assert not has_web("cub")


def test_stress_has_the_unseen_classes_of_the_split_it_is_asked_for(tmp_path):
    unseen = without_splits(tmp_path)
    (case,) = stress.cases(Asked(("plain",), splits=(unseen,), annotated=(1,), seeds=1))
    (row,) = stress.run(case, ["sapwood:seen"])
    assert row["n_test"] == 9
    assert stress.ground_of(Case("stress", "tiny", "fresh", 1, 0)).unseen.tolist() != [5, 6]


def test_rows_tell_how_many_images_were_given_and_used():
    rows = list(external.run(CASE, ["sapwood", "sapwood-ignoring", "sapwood-all", "rpl0", "rpl"]))
    of = {row["method"]: row for row in rows}
    assert list(of) == ["sapwood", "sapwood-ignoring", "sapwood-all", "rpl0", "rpl"]
    assert (of["sapwood"]["given"], of["sapwood-ignoring"]["given"]) == (9, 0)
    assert of["sapwood-all"]["used"] == sum(of["sapwood-all"]["reasons"].values()) == 9
    assert (of["rpl0"]["n_train"], of["rpl"]["n_train"]) == (10, 19)
    assert of["rpl"]["parameters"]["unlabelled"] == "paper"


def test_rivals_alone_never_meet_the_other_images(monkeypatch):
    real = external.draw

    def moved(case):
        problem = real(case)
        X = np.where(problem.y[:, None] < 0, problem.X[::-1] ** 2, problem.X)
        return replace(problem, X=X)

    found = []
    for drawn in (real, moved):
        monkeypatch.setattr(external, "draw", drawn)
        found.append({row["method"]: row for row in external.run(CASE, ["rpl0", "zskl0", "rpl"])})
    for name in ("rpl0", "zskl0"):
        for field in ("accuracy", "parameters", "n_train"):
            assert found[0][name][field] == found[1][name][field]
        assert found[0][name]["n_train"] == 10
    assert found[0]["rpl"]["n_train"] == 19


def test_rivals_that_are_filled_are_filled_as_the_paper_did(monkeypatch):
    met = {}

    def learned(problem, names, case, draw):
        met.update({name: (len(problem.X), len(draw(case).X)) for name in names})
        return iter([Learned(name, None, {}) for name in names])

    monkeypatch.setattr(external, "learned", learned)
    rows = list(external.run(CASE, ["rpl0", "rpl", "rpl+sap", "zskl", "label-spreading"]))
    assert met == {
        "rpl0": (19, 19),
        "rpl+paper": (19, 19),
        "rpl+sap": (19, 19),
        "zskl+paper": (19, 19),
        "label-spreading": (19, 19),
    }
    assert [row["method"] for row in rows] == ["rpl0", "rpl", "rpl+sap", "zskl", "label-spreading"]


def test_two_names_of_one_rival_have_a_row_each():
    rows = list(external.run(CASE, ["rpl", "rpl+paper"]))
    assert [row["method"] for row in rows] == ["rpl", "rpl+paper"]
    assert rows[0]["accuracy"] == rows[1]["accuracy"]


def test_a_method_of_ones_own_meets_the_other_images_whatever_its_name():
    class Counting:
        def fit(self, X, y, *, class_attributes):
            return self

        def predict(self, X, *, classes):
            return np.full(len(X), classes[0])

    register_method("net50", Counting)
    (row,) = external.run(CASE, ["net50"])
    assert row["n_train"] == 19


def test_web_images_called_unseen_are_thrown_out(monkeypatch):
    class First:
        def predict(self, X):
            return np.where(np.arange(len(X)) < 3, 6, 0)

    monkeypatch.setattr(external, "knows_all_classes", lambda name, quick: First())
    problem = external.draw(CASE)
    kept = external.filtered(problem, CASE)
    gone = np.flatnonzero(problem.y < 0)[:3]
    np.testing.assert_array_equal(kept.X, np.delete(problem.X, gone, axis=0))
    np.testing.assert_array_equal(kept.y, np.delete(problem.y, gone))


def test_every_usual_method_is_known():
    for case in (CASE, CASE._replace(quick=False)):
        assert set(external.methods(case)) <= set(external.known())


@pytest.fixture
def ground(draw_world):
    world = draw_world(n=320)
    X = np.vstack([world.X, world.X_unseen])
    labels = np.concatenate([world.labels, world.labels_unseen])
    foreign = -1 - np.random.default_rng(0).random((50, X.shape[1]))
    return stress.Ground(X, labels, world.Z, np.array([6, 7]), foreign, 30)


def test_images_given_without_label_are_neither_annotated_nor_tested_on(ground):
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


def test_there_are_no_more_of_them_than_images_left(ground):
    few = replace(ground, foreign=ground.foreign[:7])
    for problem in stress.stress(few, 2, 0).values():
        assert (problem.y < 0).sum() == 7
        assert len(problem.X) == len(problem.y)


def test_each_kind_of_images_is_what_it_is_called(ground):
    problems = stress.stress(ground, 2, 0)
    of_unseen = rows_of(ground.X[ground.labels >= 6])
    share = {
        kind: np.mean([tuple(row) in of_unseen for row in problem.X[problem.y < 0]])
        for kind, problem in problems.items()
    }
    assert list(share.values()) == [0, 0.5, 1, 0, 0]
    foreign = problems["sapwood:foreign"]
    assert rows_of(foreign.X[foreign.y < 0]) < rows_of(ground.foreign)
    copies = problems["sapwood:copies"]
    assert len(rows_of(copies.X[copies.y < 0])) == 1


def test_a_stress_case_has_a_row_for_each_kind_and_one_without(ground, monkeypatch):
    monkeypatch.setattr(stress, "ground_of", lambda case: ground)
    case = Case("stress", "tiny", "paper", 2, 0)
    rows = list(stress.run(case, stress.methods(case)))
    assert [row["given"] for row in rows] == [30] * 5 + [0]
    for row in rows:
        assert 0 <= row["used"] <= row["given"] == sum(row["reasons"].values())


def test_a_stress_case_that_cannot_be_fitted_says_why(ground, monkeypatch):
    class Refusing:
        def fit(self, X, y, *, class_attributes):
            raise InputError("too few images")

    monkeypatch.setattr(stress, "ground_of", lambda case: ground)
    monkeypatch.setattr(stress, "SparseAttributePropagation", Refusing)
    (row,) = stress.run(Case("stress", "tiny", "paper", 2, 0), ["sapwood:seen"])
    assert row == {"method": "sapwood:seen", "skipped": "too few images"}


def test_other_data_have_their_own_features_shuffled_as_another_subject():
    ground = stress.ground_of(Case("stress", "tiny", "paper", 1, 0))
    np.testing.assert_allclose(np.sort(ground.foreign, axis=0), np.sort(ground.X, axis=0))
    assert not rows_of(ground.foreign) & rows_of(ground.X)
    assert ground.extra == 6
