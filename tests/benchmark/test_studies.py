"""The studies of the algorithm's parts: their rows are those of plain fits."""

from dataclasses import replace

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.benchmark import ablation, convergence, datasets, propagation_forms, sensitivity
from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import register_data
from sapwood.benchmark.methods import quiet
from sapwood.benchmark.printed_fits import PrintedFits, printed_settings
from sapwood.benchmark.studies import draw
from sapwood.data import Split, ZeroShotData

STUDIES = ("ablation", "propagation", "sensitivity", "convergence")
SHARPNESS = {"robust:single-l1": 2.0, "robust:no-l1": 1.0}


@pytest.fixture(autouse=True)
def studied(draw_world, monkeypatch):
    """Small problems by name: one smaller than the paper's k_g, and a larger one."""
    monkeypatch.setattr(datasets, "_data", {})
    monkeypatch.setattr(datasets, "_web", {})
    for name, n in (("small", 160), ("large", 600)):
        register_data(name, lambda n=n: _data_of(draw_world(n=n, noise=0.3)))
    yield
    datasets.get_data.cache_clear()
    datasets.get_web.cache_clear()


def _data_of(world):
    split = Split(name="paper", unseen=[6, 7])
    return ZeroShotData(
        features=np.vstack([world.X, world.X_unseen]),
        labels=np.concatenate([world.labels, world.labels_unseen]),
        attributes=world.Z,
        splits={"paper": split},
        annotated={"first": np.arange(100)},
    )


def case_of(bench, data="small", annotated=3, quick=False):
    return Case(bench, data, "paper", annotated, 0, quick)


def rows_of(bench, *methods, **options):
    case = case_of(bench, **options)
    return list(BENCHES[bench].run(case, methods or BENCHES[bench].methods(case)))


def plain_accuracy(case, **options):
    problem = draw(case)
    with quiet():
        model = SparseAttributePropagation(**options)
        model.fit(problem.X, problem.y, class_attributes=problem.Z)
    answers = model.predict(problem.X_test, classes=problem.unseen)
    return model, float(np.mean(answers == problem.truth))


@pytest.mark.parametrize("bench", ["ablation", "propagation", "convergence"])
def test_a_case_has_a_row_for_each_of_its_methods(bench):
    names = BENCHES[bench].methods(case_of(bench))
    found = rows_of(bench, *names, quick=True)
    assert sorted(row["method"] for row in found) == sorted(names)
    for row in found:
        assert row["preset"] == row["method"].partition(":")[0]
        assert ("skipped" in row) != ("accuracy" in row)


@pytest.mark.parametrize("preset", ["paper", "robust"])
@pytest.mark.parametrize("steps", ["bpl", "sap1+bpl", "sap1+sap2+bpl"])
def test_an_ablation_is_a_fit_with_these_steps(preset, steps):
    name = f"{preset}:{steps.replace('+', '-')}"
    (row,) = rows_of("ablation", name)
    _, expected = plain_accuracy(case_of("ablation"), preset=preset, steps=steps)
    assert row["accuracy"] == pytest.approx(expected)
    assert row["parameters"]["steps"] == steps
    assert row["n_train"] == len(draw(case_of("ablation")).X)
    assert "fit_seconds" not in row


def test_forms_of_propagation_are_fits_with_these_penalties():
    rows = {row["method"]: row for row in rows_of("propagation")}
    assert rows["robust:double-l1"]["skipped"] == "the robust preset has the quadratic graph term"
    for form in ("double-l1", "single-l1", "no-l1"):
        _, expected = plain_accuracy(case_of("propagation"), preset="paper", penalty=form)
        assert rows[f"paper:{form}"]["accuracy"] == pytest.approx(expected)
    for name, sharpness in SHARPNESS.items():
        assert rows[name]["parameters"]["sharpness"] == sharpness


def test_the_studies_take_all_steps_and_forms_by_default():
    case = case_of("ablation")
    assert len(ablation.methods(case)) == 6
    assert len(propagation_forms.methods(case)) == 6
    assert convergence.methods(case) == ["paper", "robust"]


@pytest.mark.parametrize(
    "options", [{}, {"k_g": 100}, {"m": 25}, {"lambda1": 0.1}, {"penalty": "single-l1"}]
)
def test_shared_fits_find_the_projection_of_a_plain_fit(options):
    case = case_of("sensitivity", "large")
    problem = draw(case)
    with quiet():
        settings = printed_settings(options, len(problem.X))
        widest = {**settings, "m": 120}
        longest = {**settings, "k_g": 400}
        fits = PrintedFits(problem, [settings, widest, longest])
        W = [state.W for state in fits.states(settings)][-1]
        model, expected = plain_accuracy(case, preset="paper", **options, tol=0.0)
    assert np.linalg.norm(W - model.projection_) < 1e-8 * np.linalg.norm(W)
    assert fits.scores_of(W)["accuracy"] == pytest.approx(expected)


def test_the_middle_of_every_sweep_is_the_plain_fit():
    names = [trial.method for trial in sensitivity.TRIALS.values() if trial.default]
    rows = rows_of("sensitivity", *names, data="large")
    for preset in ("paper", "robust"):
        middle = [row for row in rows if row["preset"] == preset]
        assert [row["parameter"] for row in middle] == list(sensitivity.SWEPT[preset])
        _, expected = plain_accuracy(case_of("sensitivity", "large"), preset=preset)
        for row in middle:
            assert row["accuracy"] == pytest.approx(expected)
            assert row["default"]
            # So few classes do not show their errors: there is nothing to whiten.
            few = {0.0} if row["parameter"] == "error_whitening" else {row["value"]}
            assert row["parameters"][row["parameter"]] in few


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("paper:lambda1=0.1", {"preset": "paper", "lambda1": 0.1}),
        ("paper:m=100", {"preset": "paper", "m": 100}),
        ("paper:k_g=50", {"preset": "paper", "k_g": 50}),
        ("robust:lambda4=0.8", {"lambda4": 0.8}),
        ("robust:k_g=5", {"k_g": 5}),
    ],
)
def test_a_value_of_a_sweep_is_a_fit_with_that_value(name, options):
    (row,) = rows_of("sensitivity", name, data="large")
    _, expected = plain_accuracy(case_of("sensitivity", "large"), **options)
    assert row["accuracy"] == pytest.approx(expected)
    assert not row["default"]
    assert row["parameters"][row["parameter"]] == row["value"]


def test_values_that_the_images_do_not_allow_are_skipped_with_the_reason():
    names = [name for name in sensitivity.TRIALS if name.startswith("paper")]
    rows = {row["method"]: row for row in rows_of("sensitivity", *names)}
    assert sorted(rows) == sorted(names)
    assert "only" in rows["paper:k_g=500"]["skipped"]
    assert "training images" in rows["paper:m=200"]["skipped"]
    # The paper's own k_g is cut to what is possible, as a fit cuts it.
    assert rows["paper:k_g=300"]["value"] == rows["paper:k_g=300"]["n_train"] - 1
    assert "accuracy" in rows["paper:k_g=50"]


def test_the_printed_loop_is_followed_as_the_model_traces_it():
    (row,) = rows_of("convergence", "paper", data="large", quick=True)
    model, expected = plain_accuracy(
        case_of("convergence", "large"), preset="paper", max_iter=15, tol=0.0
    )
    trace, n = model.trace_[1:], len(row["change"])
    assert row["objective"] == pytest.approx([one["objective"] for one in trace[:n]])
    assert row["change"] == pytest.approx([one["delta_W"] for one in trace[:n]], rel=1e-5)
    assert row["accuracy"] == row["accuracy_by_iteration"][-1] == pytest.approx(expected)
    _, start = plain_accuracy(case_of("convergence", "large"), preset="paper", steps="bpl")
    assert row["accuracy_at_start"] == pytest.approx(start)
    assert np.all(np.diff(row["objective"]) <= 1e-12)


@pytest.mark.parametrize("rounds", [1, 4])
def test_the_robust_rounds_are_those_of_a_fit(rounds):
    (row,) = rows_of("convergence", "robust", data="large", quick=True)
    model, expected = plain_accuracy(
        case_of("convergence", "large"), unlabelled="all", max_iter=rounds, remoteness=0
    )
    assert model.n_iter_ == rounds
    assert row["accuracy_by_iteration"][rounds - 1] == pytest.approx(expected)
    if rounds > 1:
        assert row["information"] == pytest.approx(model.information_)
        assert row["votes"]
    assert "objective" not in row


def test_a_loop_has_converged_once_the_change_is_small():
    needed = convergence.iterations_to_converge
    assert needed([1.0, 1e-2, 9e-4, 5e-2]) == 3
    assert needed([1e-9]) == 1
    assert needed([1.0, 1e-2]) is None


def test_a_loop_that_stands_still_is_left(monkeypatch):
    monkeypatch.setattr(convergence, "STILL", 1.0)
    (row,) = rows_of("convergence", "robust", quick=True)
    assert len(row["change"]) < convergence.QUICK
    assert row["change"][-1] < 1.0 <= min([*row["change"][:-1], np.inf])


def test_the_figures_have_web_images_where_there_are_some(draw_world):
    asked = Asked(("small",), annotated=(2,), seeds=2)
    plain = [("small", "paper", 2, 0), ("small", "paper", 2, 1)]
    assert [tuple(case)[1:5] for case in ablation.cases(asked)] == plain
    web = draw_world(seed=1, n=30).X
    register_data("small", lambda: _data_of(draw_world()), web=lambda: web)
    listed = ("small+web", "listed", 2, 0)
    for study in (ablation, propagation_forms, sensitivity, convergence):
        cases = study.cases(asked)
        assert [tuple(case)[1:5] for case in cases] == [*plain, listed]
        assert len({case.bench for case in cases}) == 1
    assert [tuple(case)[1:5] for case in ablation.cases(replace(asked, splits=("listed",)))] == [
        listed
    ]
    problem = draw(cases[-1])
    assert np.array_equal(problem.X[-len(web) :], web)
    assert (problem.y[-len(web) :] == -1).all()


def test_quick_studies_have_one_k_and_few_values():
    asked = Asked(("small",), quick=True)
    for bench in STUDIES:
        assert len({case.annotated for case in BENCHES[bench].cases(asked)}) == 1
    assert len(sensitivity.methods(case_of("sensitivity", quick=True))) == 22
    assert len(convergence.cases(asked)) == 1
