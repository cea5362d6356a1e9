import dataclasses

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from sapwood import InputError, SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.models import sap_cv
from sapwood.progress import listening
from tests.models.test_scikit_learn import EXCEPTIONS


def fitted(world, cls=SparseAttributePropagationCV, y=None, sample_weight=None, **options):
    y = world.y if y is None else y
    return cls(**options).fit(world.X, y, class_attributes=world.Z, sample_weight=sample_weight)


def told_by_length(world, seed, classes=45, unseen=20, per=20):
    """Classes differ in nothing but the length of their features, which the preset throws away."""
    rng = np.random.default_rng(seed)
    size, labels = rng.permutation(np.linspace(1, 4, classes)), np.repeat(np.arange(classes), per)
    X = size[labels, None] * [1.0, 2, 2, 1, 0, 1] + 0.02 * rng.standard_normal((len(labels), 6))
    seen, y = labels < classes - unseen, np.where(np.arange(len(labels)) % per >= 4, -1, labels)
    parts = {"X": X[seen], "y": y[seen], "Z": np.stack([size, 5 - size], 1), "labels": labels[seen]}
    return dataclasses.replace(world, **parts, X_unseen=X[~seen], labels_unseen=labels[~seen])


@pytest.fixture
def hard(draw_world):
    """Noise enough for the search to leave the preset."""
    return draw_world(noise=0.8, n=240, classes=14)


@pytest.fixture
def easily_convinced(monkeypatch):
    """So few classes are not enough to leave the preset for by the usual rule."""
    monkeypatch.setattr("sapwood.models.choice.CLEAR", 0.5)


@pytest.mark.parametrize("seed", range(3))
def test_where_others_are_better_it_takes_them(world, seed):
    world = told_by_length(world, seed)
    right = []
    for cls in (SparseAttributePropagation, SparseAttributePropagationCV):
        model = fitted(world, cls)
        right.append(
            np.mean(model.predict(world.X_unseen, classes="unseen") == world.labels_unseen)
        )
    assert model.best_params_["features"] == "raw"
    assert right[1] > right[0] + 0.1


def test_where_nothing_is_better_the_preset_stays(world):
    model, preset = fitted(world), fitted(world, SparseAttributePropagation)
    assert model.best_params_ == {}
    np.testing.assert_array_equal(model.projection_, preset.projection_)


@pytest.mark.usefixtures("easily_convinced")
def test_the_chosen_settings_fitted_anew_give_the_same(hard):
    model = fitted(hard)
    assert model.best_params_
    again = fitted(hard, SparseAttributePropagation, **model.best_params_)
    for method in ("predict", "decision_function", "predict_proba"):
        found, expected = (getattr(m, method)(hard.X_unseen) for m in (model, again))
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(model.transform(hard.X), again.transform(hard.X))
    assert set(vars(model)) - set(vars(again)) == {
        "n_splits",
        "best_params_",
        "search_log_",
        "search_summary_",
    }


def test_the_best_estimator_is_the_same_model_with_its_settings(hard, tmp_path):
    model = fitted(hard, random_state=1)
    plain = model.best_estimator_
    assert type(plain) is SparseAttributePropagation
    given = {n: v for n, v in plain.get_params().items() if v is not None and n != "preset"}
    assert given == {**model.best_params_, "random_state": 1}
    plain.save(tmp_path / "m.sap")
    copy = SparseAttributePropagation.load(tmp_path / "m.sap")
    assert copy.search_log_ == model.search_log_
    np.testing.assert_array_equal(
        copy.decision_function(hard.X_unseen), model.decision_function(hard.X_unseen)
    )
    assert not hasattr(SparseAttributePropagationCV(), "best_estimator_")


def test_files_keep_the_record_of_the_search(hard, tmp_path):
    model = fitted(hard)
    model.save(tmp_path / "m.sap")
    copy = SparseAttributePropagationCV.load(tmp_path / "m.sap")
    assert copy.search_log_ == model.search_log_
    assert copy.best_params_ == model.best_params_
    assert copy.search_summary_ == model.search_summary_
    with pytest.raises(InputError, match="holds a SparseAttributePropagationCV"):
        SparseAttributePropagation.load(tmp_path / "m.sap")


def test_the_same_seed_gives_the_same_search_and_another_one_another(hard):
    logs = [fitted(hard, random_state=seed).search_log_ for seed in (0, 0, 1)]
    assert logs[0] == logs[1]
    assert logs[0] != logs[2]


def test_more_parts_than_classes(hard):
    assert fitted(hard, n_splits=99).search_log_ == fitted(hard, n_splits=6).search_log_


@pytest.mark.parametrize("classes", [2, 3])
def test_with_too_few_classes_to_hold_out_the_preset_stays(world, classes):
    model = fitted(world, y=np.where(world.y < classes, world.y, -1))
    assert (model.best_params_, model.search_log_) == ({}, [])
    assert "four of them or more" in model.search_summary_
    assert model.predict(world.X_unseen, classes=[6, 7]).shape == world.labels_unseen.shape


def test_with_one_class_it_says_what_is_missing(world):
    with pytest.raises(InputError, match=r"^y annotates one class only"):
        fitted(world, y=np.where(world.y < 1, world.y, -1))


def test_weights_reach_the_search_and_the_fit(hard):
    weight = np.where(hard.labels % 2, 1.0, 0.05)
    model = fitted(hard, sample_weight=weight)
    assert model.search_log_ != fitted(hard).search_log_
    again = fitted(hard, SparseAttributePropagation, sample_weight=weight, **model.best_params_)
    np.testing.assert_array_equal(model.projection_, again.projection_)


def test_memory_is_asked_for_before_the_search(world, monkeypatch):
    monkeypatch.setattr(sap_cv, "search", lambda *_: pytest.fail("searched first"))
    with pytest.raises(InputError, match="memory_limit allows"):
        fitted(world, memory_limit=1e-6)


def test_progress_is_told_in_order(world):
    heard = []
    with listening(lambda stage, done: heard.append((stage, done))):
        fitted(world)
    stages = [stage for i, (stage, _) in enumerate(heard) if i == 0 or heard[i - 1][0] != stage]
    search, fit = ["features", "neighbours", "propagation", "trials"], ["features", "neighbours"]
    assert stages == [*search, *fit, "learning", "usefulness", *fit, "learning", "calibration"]
    for stage in ("propagation", "trials"):
        shares = [done for name, done in heard if name == stage]
        assert shares == sorted(shares)
        assert shares[0] == 0
        assert 0.8 < shares[-1] < 1


@parametrize_with_checks(
    [SparseAttributePropagationCV()], expected_failed_checks=lambda estimator: EXCEPTIONS
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
