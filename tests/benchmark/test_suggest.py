"""Suggested annotations against random ones."""

import numpy as np
import pytest

from sapwood.benchmark import Asked, Case, suggest
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.plugins import run_plugin
from sapwood.data import standard_setting
from sapwood.errors import InputError

CASE = Case("suggest", "tiny", "paper", 1, 0)


@pytest.fixture(autouse=True)
def _tiny(plugin, monkeypatch):
    run_plugin(plugin)
    monkeypatch.setattr(suggest, "MORE", 7)


def test_every_way_adds_as_many_annotations():
    data = get_data("tiny")
    setting = standard_setting(data, "paper", 1, 0)
    added = {name: suggest.choose(data, setting, name, 0) for name in suggest.methods(CASE)}
    assert [len(rows) for rows in added.values()] == [0, 7, 7, 7, 7]
    for rows in added.values():
        assert (setting.y[rows] < 0).all()
        assert len(np.unique(rows)) == len(rows)
    assert set(added["random-0"]) != set(added["random-1"])


@pytest.mark.parametrize("K", [0, 1])
def test_a_case_has_a_row_for_each_way(K):
    case = CASE._replace(annotated=K)
    rows = list(suggest.run(case, suggest.methods(case)))
    assert [row["method"] for row in rows] == suggest.methods(case)
    assert all(0 <= row["accuracy"] <= 1 for row in rows)
    assert len(rows) == 4 + K


def test_cases_begin_with_nothing_and_with_one_of_each():
    cases = suggest.cases(Asked(("tiny",), seeds=1))
    assert [(case.annotated, case.split) for case in cases] == [(0, "paper"), (1, "paper")]


def test_a_case_that_cannot_be_fitted_says_why(monkeypatch):
    class Refusing:
        def fit(self, X, y, *, class_attributes):
            raise InputError("too few images")

    monkeypatch.setattr(suggest, "SparseAttributePropagation", Refusing)
    rows = list(suggest.run(CASE, ["suggested", "random-0"]))
    assert [row["skipped"] for row in rows] == ["too few images"] * 2
    assert not any("accuracy" in row for row in rows)
