"""Columns that number the rows: told by data check and by fit, and no others."""

import numpy as np
import pytest

from sapwood.data import check
from sapwood.data.identifiers import warn_of_identifiers
from sapwood.data.problems import Report
from tests.data.layouts import write_npz


def told(values, columns=None):
    report = Report()
    warn_of_identifiers(np.array(values, dtype=float), columns, "features", report)
    return [problem.message for problem in report.problems]


@pytest.fixture
def sound():
    return np.random.default_rng(0).random((12, 3))


def beside(sound, column):
    return np.column_stack([sound[:, :1], column, sound[:, 1:]])


@pytest.mark.parametrize("step", [1, 7])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_column_that_counts_up_in_any_order(sound, step, shuffled):
    numbers = 100001 + step * np.arange(12)
    if shuffled:
        np.random.default_rng(1).shuffle(numbers)
    (message,) = told(beside(sound, numbers), ["a", "file", "b", "c"])
    assert message == "the column 'file' looks like an identifier: it counts up"
    assert told(beside(sound, numbers))[0].startswith("column 1 looks like an identifier")


@pytest.mark.parametrize("name", ["id", "class_id", "Image ID", "index", "LABEL"])
def test_a_column_that_is_called_an_identifier(sound, name):
    values = beside(sound, 1000 * sound[:, 0] ** 2)
    assert "it is called so" in told(values, ["a", name, "b", "c"])[0]
    assert told(values, ["a", "length", "b", "c"]) == []


def test_counting_is_told_beside_larger_features(sound):
    """Of large numbers in a small range a length of one takes all the same."""
    values = np.column_stack([100001 + np.arange(12), 9000 * sound])
    assert told(values, ["id", "a", "b", "c"])


def test_what_may_be_meant_is_left_alone(sound):
    counting = np.arange(12)
    assert told(beside(sound, counting / 20), ["a", "id", "b", "c"]) == []
    # Ranks are a usual way to prepare features.
    assert told(np.column_stack([counting, counting[::-1], counting])) == []
    assert told(counting[:, None]) == []


def test_gaps_and_few_rows_do_not_disturb(sound):
    values = beside(sound, np.arange(12))
    values[3, 0] = np.nan
    assert len(told(values)) == 1
    values[3, 1] = np.nan
    assert told(values) == []
    assert told([[0, 0.1], [1, 0.1], [2, 0.3]]) == []


def test_check_tells_it_of_features_and_attributes(tmp_path, sound):
    features = np.column_stack([np.arange(12), sound])
    attributes = np.column_stack([np.arange(4) * 9 + 1.0, np.eye(4)])
    names = np.array(["class_id", *"abcd"])
    path = write_npz(tmp_path, features=features, attributes=attributes, attribute_names=names)
    said = [str(problem) for problem in check(path)]
    assert any(f"{path}: features: column 0 looks like" in one for one in said)
    assert any(f"{path}: attributes: the column 'class_id' looks like" in one for one in said)
    assert all(one.endswith("remove it if it only numbers the rows") for one in said)


def test_the_column_of_a_table_is_named(tmp_path):
    rows = [f"{i}.jpg,{100000 + i},{i % 3},{i % 2}" for i in range(9)]
    (tmp_path / "f.csv").write_text("\n".join(["image,id,f1,f2", *rows]))
    said = [str(problem) for problem in check(tmp_path / "f.csv")]
    assert any("the column 'id' looks like an identifier: it counts up" in one for one in said)


def test_endless_numbers_are_not_counted():
    assert told([[np.inf, 1.0], [-np.inf, 2.0], *[[0, 3.5]] * 4]) == []
    assert told([[1e308, 1.0], [-1e308, 2.0], *[[0, 3.5]] * 4]) == []
