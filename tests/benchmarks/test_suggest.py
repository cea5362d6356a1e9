"""The benchmark of suggestions: small rounds of it, and its table on rows made up for it."""

import numpy as np
import pytest

from sapwood.benchmark import Task
from sapwood.data import load_zero_shot, standard_setting


@pytest.fixture
def bench(load_benchmark):
    return load_benchmark(".", "suggest")[0]


def test_both_ways_add_as_many_annotations(bench, data_file, monkeypatch):
    data = load_zero_shot(data_file)
    setting, given = standard_setting(data, annotated=1), []
    fitted = bench.fitted

    def watched(data, X, y):
        given.append(y)
        return fitted(data, X, y)

    monkeypatch.setattr(bench, "fitted", watched)
    monkeypatch.setattr(bench, "DRAWS", 2)
    rows = [*bench.suggested(data, setting, 7), *bench.random(data, setting, 7, 0)]
    assert [row["method"] for row in rows] == ["first", "suggested", "random", "random"]
    truth = data.labels[setting.train]
    for y, count in zip(given, [6, 13, 13, 13], strict=True):
        assert (y >= 0).sum() == count
        assert (y[y >= 0] == truth[y >= 0]).all()
        assert (y[setting.y >= 0] >= 0).all()
    assert (given[2] != given[3]).any()
    assert all(0 <= row["accuracy"] <= 1 for row in rows)
    assert bench.expected(Task("suggested", "cub", 1, 0)) == 2
    assert bench.expected(Task("suggested", "cub", 0, 0)) == 1


def test_the_table_compares_seed_by_seed(bench):
    found = {0: (0.5, 0.7, (0.6, 0.64)), 1: (0.4, 0.6, (0.5, 0.5))}
    rows = []
    for seed, (first, suggested, drawn) in found.items():
        told = {"seed": seed, "annotated": 1}
        rows.append({**told, "method": "first", "accuracy": first})
        rows.append({**told, "method": "suggested", "accuracy": suggested})
        rows += [{**told, "method": "random", "accuracy": a} for a in drawn]
    lines = bench.table(rows).splitlines()
    deviation = np.std([62, 50], ddof=1)
    assert lines[2:] == [
        "| 150 drawn at random | – |  |",
        "| 150 chosen by `suggest_images` | – | – |",
        "| one image of each seen class | 45.0 ± 7.1 | −11.0 ± 1.0 |",
        f"| and 150 drawn at random | 56.0 ± {deviation:.1f} |  |",
        "| and 150 chosen by `suggest` | 65.0 ± 7.1 | +9.0 ± 1.0 |",
    ]
    assert bench.table(rows[:2]).splitlines()[5] == "| and 150 drawn at random | – |  |"
