"""Fit times relative to RPL's: the script's parts, without a data set."""

import runpy
from pathlib import Path

import pytest

from sapwood.baselines import BASELINES

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "fit_times.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT), run_name="fit_times")


def test_the_table_has_ratios_and_the_shortest_first(script):
    table = script["ratio_table"]({"sae": 3.0, "rpl": 2.0, "rn": 84.0, "eszsl": 1.5})
    assert table.splitlines()[2:] == [
        "| eszsl | 0.75 |",
        "| rpl | 1.00 |",
        "| sae | 1.50 |",
        "| rn | 42 |",
    ]


def test_every_rival_has_the_same_features_and_fills_alike(script):
    rivals = {name: script["new_method"](name) for name in BASELINES}
    assert {rival.features for rival in rivals.values()} == {"whitened"}
    ways = {rival.unlabelled for name, rival in rivals.items() if name != "label-spreading"}
    assert ways == {"nearest"}
    assert rivals["label-spreading"].unlabelled == "spread"


def test_a_short_fit_is_repeated_and_a_long_one_is_not(script, problem, monkeypatch):
    fit_seconds, fitted = script["fit_seconds"], []

    class Counted:
        def fit(self, X, y, class_attributes):
            fitted.append(len(X))

    monkeypatch.setitem(fit_seconds.__globals__, "new_method", lambda name: Counted())
    fit_seconds("any", problem)
    assert fitted == [len(problem.X)] * 3
    monkeypatch.setitem(fit_seconds.__globals__, "SHORT", 0.0)
    fit_seconds("any", problem)
    assert len(fitted) == 4
