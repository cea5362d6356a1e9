"""Scores of the standard and of the generalized benchmark, on small problems."""

from types import SimpleNamespace

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.benchmark import BENCHES, Case, external, gzsl, register_method, zsl
from sapwood.benchmark.draws import draw_standard
from sapwood.benchmark.methods import known_methods
from sapwood.benchmark.plugins import run_plugin
from sapwood.benchmark.scores import (
    POINTS,
    generalized_scores,
    probability_scores,
    standard_scores,
    thinned,
)
from sapwood.errors import InputError
from sapwood.metrics import SeenUnseenCurve

CASE = Case("zsl", "small", "paper", 5, 0)


@pytest.fixture
def model(mixed_problem):
    problem = mixed_problem
    return SparseAttributePropagation().fit(problem.X, problem.y, class_attributes=problem.Z)


def accuracies(answers, problem):
    unseen = np.isin(problem.truth, problem.unseen)
    right = answers == problem.truth
    acc_u, acc_s = right[unseen].mean(), right[~unseen].mean()
    return acc_u, acc_s, 2 * acc_u * acc_s / (acc_u + acc_s) if acc_u + acc_s else 0.0


def test_standard_scores_are_those_of_the_answers(problem, monkeypatch):
    named = SimpleNamespace(class_names=list("abcdefgh"))
    monkeypatch.setattr("sapwood.benchmark.scores.get_data", lambda name, quick: named)
    model = SparseAttributePropagation().fit(problem.X, problem.y, class_attributes=problem.Z)
    row = standard_scores(model, problem, "sapwood", CASE)
    answers = model.predict(problem.X_test, classes=problem.unseen)
    assert row["accuracy"] == np.mean(answers == problem.truth)
    counts = np.array(row["confusion"])
    assert row["confusion_classes"] == ["g", "h"]
    assert counts.sum() == len(problem.truth)
    assert counts[0, 1] == np.sum((problem.truth == 6) & (answers == 7))
    other = standard_scores(model, problem, "rpl", CASE)
    assert set(other) == {"accuracy", "accuracy_over_classes"}
    assert "confusion" not in standard_scores(model, problem, "sapwood", CASE._replace(seed=1))


def test_generalized_scores_are_those_of_the_answers(model, mixed_problem):
    problem = mixed_problem
    model.seen_bias_ = 0.05
    row = generalized_scores(model, problem, curve=True)
    calibrated = accuracies(model.predict(problem.X_test), problem)
    assert (row["acc_u"], row["acc_s"], row["harmonic_mean"]) == pytest.approx(calibrated)
    plain = accuracies(model.predict(problem.X_test, calibrated=False), problem)
    assert row["uncalibrated"] == pytest.approx(plain[2])
    assert row["uncalibrated_at"] == pytest.approx(list(plain[:2]))
    assert row["ceiling"] >= max(row["uncalibrated"], row["harmonic_mean"]) - 1e-12
    assert 0 < row["ausuc"] <= 1
    assert row["seen_bias"] == 0.05
    assert "curve" not in generalized_scores(model, problem)


def test_the_ceiling_is_the_best_of_all_biases(model, mixed_problem):
    found = []
    for bias in np.linspace(-1, 1, 400):
        model.seen_bias_ = bias
        found.append(accuracies(model.predict(mixed_problem.X_test), mixed_problem)[2])
    ceiling = generalized_scores(model, mixed_problem)["ceiling"]
    assert ceiling == pytest.approx(max(found), abs=0.02)


def test_a_thinned_curve_keeps_its_ends_and_its_order():
    share = np.linspace(0, 1, 1000)
    thin = np.array(thinned(SeenUnseenCurve(share, 0.8 * share**2, 0.6 * (1 - share))))
    assert thin.shape == (POINTS, 2)
    assert thin[0].tolist() == [0, 0.6]
    assert thin[-1].tolist() == [0.8, 0]
    assert (np.diff(thin[:, 0]) >= 0).all()
    assert (np.diff(thin[:, 1]) <= 0).all()


def test_probabilities_are_of_unseen_images_among_unseen_classes(model, mixed_problem):
    problem = mixed_problem
    row = probability_scores(model, problem, problem.unseen, curves=True)
    unseen = np.isin(problem.truth, problem.unseen)
    proba = model.predict_proba(problem.X_test[unseen], classes=problem.unseen)
    own = proba[np.arange(len(proba)), problem.truth[unseen] - 6]
    own = np.maximum(own, np.finfo(float).eps)
    assert row["nll"] == pytest.approx(-np.log(own).mean())
    assert row["nll"] != row["raw_nll"]
    assert np.array(row["reliability"])[:, 0].sum() == unseen.sum()
    right = np.mean(problem.unseen[proba.argmax(axis=1)] == problem.truth[unseen])
    assert row["risk"][-1] == pytest.approx([1.0, 1 - right], abs=1e-4)


def test_probabilities_of_seen_images_are_among_seen_classes(model, mixed_problem):
    problem, seen = mixed_problem, np.arange(6)
    row = probability_scores(model, problem, seen)
    images = problem.truth < 6
    proba = model.predict_proba(problem.X_test[images], classes=seen)
    own = proba[np.arange(len(proba)), problem.truth[images]]
    assert row["nll"] == pytest.approx(-np.log(np.maximum(own, np.finfo(float).eps)).mean())


@pytest.mark.parametrize("bench", ["zsl", "gzsl"])
def test_every_method_of_a_case_is_known_and_slow_ones_leave_fresh_splits_out(bench):
    case = CASE._replace(bench=bench)
    methods = BENCHES[bench].methods
    for one in (case, case._replace(quick=True)):
        names = methods(one)
        assert set(names) <= set(known_methods())
        assert len(set(names)) == len(names)
    assert {"rn0", "rn"} <= set(methods(case))
    assert not {"rn0", "rn"} & set(methods(case._replace(split="fresh")))


def test_zsl_has_a_row_for_every_method(plugin):
    run_plugin(plugin)
    case = Case("zsl", "tiny", "paper", 2, 0, quick=True)
    assert "first-class" in zsl.methods(case)
    rows = list(zsl.run(case, ["first-class", "sapwood", "rpl0", "rpl"]))
    assert [row["method"] for row in rows] == ["first-class", "sapwood", "rpl0", "rpl"]
    assert rows[0]["accuracy"] == 0.5
    assert all(0 <= row["accuracy"] <= 1 for row in rows)
    known = int((draw_standard(case).y >= 0).sum())
    assert [row["n_train"] for row in rows] == [30, 30, known, 30]
    assert known < 30


class Plain:
    """A method whose other answers are asked for as scikit-learn's are."""

    def __init__(self, refusing=None, error=None):
        self.refusing, self.error = refusing, error
        self.refuse("make")

    def refuse(self, step):
        if step == self.refusing:
            raise self.error

    def fit(self, X, y, *, class_attributes):
        self.refuse("fit")
        return self

    def predict(self, X, *, classes):
        self.refuse("predict")
        return np.full(len(X), classes[0])

    def decision_function(self, X):
        raise AssertionError

    def predict_proba(self, X):
        raise AssertionError


@pytest.mark.parametrize("bench", [zsl, gzsl, external])
@pytest.mark.parametrize("step", ["make", "fit", "predict"])
def test_a_method_that_refuses_is_skipped_and_costs_no_other(plugin, bench, step):
    run_plugin(plugin)
    register_method("refusing", lambda: Plain(step, InputError("more classes")))
    where = ("tiny+web", "drawn") if bench is external else ("tiny", "paper")
    case = Case(bench.__name__.rpartition(".")[2], *where, 2, 0, quick=True)
    rows = {row["method"]: row for row in bench.run(case, ["refusing", "sapwood"])}
    assert rows["refusing"] == {"method": "refusing", "skipped": "more classes"}
    assert "accuracy" in rows["sapwood"]


@pytest.mark.parametrize("step", ["make", "fit", "predict"])
def test_a_mistake_in_a_method_of_ones_own_is_called_its_own(plugin, step):
    run_plugin(plugin)
    register_method("failing", lambda: Plain(step, ZeroDivisionError("nothing there")))
    with pytest.raises(InputError, match="method failing: ZeroDivisionError: nothing there; mend"):
        list(zsl.run(Case("zsl", "tiny", "paper", 2, 0, True), ["failing"]))


def test_gzsl_scores_methods_of_ones_own_by_their_answers(plugin):
    run_plugin(plugin)
    register_method("plain", Plain)
    (row,) = gzsl.run(Case("gzsl", "tiny", "paper", 2, 0, True), ["plain"])
    assert "harmonic_mean" in row
    assert "ausuc" not in row


def test_gzsl_calibrates_every_method_and_looks_closely_at_ours(plugin):
    run_plugin(plugin)
    case = Case("gzsl", "tiny", "paper", 5, 0, quick=True)
    first, ours, rival = gzsl.run(case, ["first-class", "sapwood", "rpl0"])
    assert (first["acc_u"], "ausuc" in first) == (0.0, False)
    assert {"curve", "ece", "raw_nll", "reliability", "raw_risk", "accuracy"} <= set(ours)
    assert {"seen_ece", "seen_raw_nll"} <= set(ours)
    assert "curve" in rival
    assert "ece" not in rival
    assert isinstance(rival["seen_bias"], float)
    (other,) = gzsl.run(case._replace(annotated=2), ["sapwood"])
    assert "curve" not in other
    assert "ece" in other
