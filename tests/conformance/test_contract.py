"""What every estimator does with good input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from sapwood import InputError, SparseAttributePropagation


def test_parameters_are_scikit_learns(make):
    model = make()
    copy = clone(model)
    assert copy is not model
    assert copy.get_params() == model.get_params()
    name = "features" if hasattr(model, "limits") else "memory_limit"
    assert copy.set_params(**{name: "rooted"}) is copy
    assert getattr(copy, name) == "rooted"
    assert getattr(model, name) != "rooted"


def test_shapes_and_meanings(make_variant, world):
    model = make_variant()
    assert model.fit(world.X, world.y, class_attributes=world.Z) is model
    scores = model.decision_function(world.X_unseen)
    proba = model.predict_proba(world.X_unseen)
    assert scores.shape == proba.shape == (len(world.X_unseen), 8)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(world.X_unseen), scores.argmax(axis=1))
    np.testing.assert_array_equal(model.seen_, np.arange(6))
    np.testing.assert_array_equal(model.classes_, np.arange(8))
    assert model.n_features_in_ == world.X.shape[1]


def test_it_learns_something(make_variant, fit, world):
    model = fit(make_variant)
    # Six seen classes: chance is 0.17. The printed algorithm's own attributes shrink to nothing.
    printed = "paper" in (getattr(model, "unlabelled", ""), getattr(model, "preset", ""))
    answers = model.predict(world.X, classes="seen")
    assert np.mean(answers == world.labels) > (0.2 if printed else 0.5)


def test_two_fits_agree_to_the_last_bit(make_variant, fit, world):
    scores = [fit(make_variant).decision_function(world.X_unseen) for _ in range(2)]
    np.testing.assert_array_equal(scores[0], scores[1])


def test_classes_unknown_at_fit_time(make_variant, fit, world):
    model = fit(make_variant)
    expected = model.predict(world.X_unseen, classes=[6, 7])
    rows = model.predict(world.X_unseen, class_attributes=world.Z[6:])
    np.testing.assert_array_equal(rows + 6, expected)
    frame = pd.DataFrame(world.Z[6:], index=["gnu", "emu"])
    names = model.predict(world.X_unseen, class_attributes=frame)
    np.testing.assert_array_equal(names, np.array(["gnu", "emu"])[rows])
    new = np.random.default_rng(0).random((5, world.Z.shape[1]))
    assert model.decision_function(world.X, class_attributes=new).shape == (len(world.X), 5)


def test_names_are_kept(make, fit, world):
    names = np.array([f"bird {c}" for c in "abcdefgh"])
    columns = [f"trait {j}" for j in range(world.Z.shape[1])]
    frame = pd.DataFrame(world.Z, index=names, columns=columns)
    model = fit(make, y=np.where(world.y >= 0, names[world.y], ""), class_attributes=frame)
    assert model.class_names_ == names.tolist()
    assert model.attribute_names_ == columns
    expected = fit(make).predict(world.X_unseen)
    np.testing.assert_array_equal(model.predict(world.X_unseen), names[expected])
    turned = frame.iloc[6:, ::-1]
    np.testing.assert_array_equal(
        model.predict(world.X_unseen, class_attributes=turned),
        model.predict(world.X_unseen, classes=names[6:]),
    )


def test_inputs_are_never_changed(make_variant, fit, world):
    given = {"X": world.X.copy(), "y": world.y.copy(), "class_attributes": world.Z.copy()}
    given["sample_weight"] = np.ones(len(world.y))
    before = {name: array.copy() for name, array in given.items()}
    for array in given.values():
        array.flags.writeable = False
    model = fit(make_variant, **given)
    model.predict(given["X"], class_attributes=given["class_attributes"])
    for name, array in given.items():
        np.testing.assert_array_equal(array, before[name])


def test_a_refit_forgets(make_variant, fit, world):
    model = fit(make_variant, X=world.X[:, ::2], y=world.labels % 3, class_attributes=None)
    model.stray_ = 1
    model.fit(world.X, world.y, class_attributes=world.Z)
    fresh = fit(make_variant)
    assert set(vars(model)) == set(vars(fresh))
    np.testing.assert_array_equal(
        model.decision_function(world.X_unseen), fresh.decision_function(world.X_unseen)
    )


def test_a_parameter_changed_after_fit_waits_for_the_next(make, fit, world):
    model = fit(make)
    before = model.decision_function(world.X_unseen)
    changed = {"features": "raw", "attribute_map": "l1", "metric": "cosine"}
    changed |= {"top": 1, "width": 9.0, "kernel": "linear"}
    model.set_params(**{name: v for name, v in changed.items() if name in model.get_params()})
    np.testing.assert_array_equal(model.decision_function(world.X_unseen), before)


def test_an_annotation_without_weight_says_nothing(make_variant, fit, world):
    row = np.flatnonzero(world.y == 0)[0]
    weight = np.ones(len(world.y))
    weight[row] = 0.0
    if getattr(make_variant(), "preset", None) == "paper":
        with pytest.raises(InputError, match=r"^sample_weight .*the printed objective has no"):
            fit(make_variant, sample_weight=weight)
        return
    scores = []
    for label in (1, 2):
        y = world.y.copy()
        y[row] = label
        model = fit(make_variant, y=y, sample_weight=weight)
        scores.append(model.decision_function(world.X_unseen))
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-9)


def test_a_class_without_weight_is_not_seen(make_variant, fit, world):
    if getattr(make_variant(), "preset", None) == "paper":
        return
    model = fit(make_variant, sample_weight=np.where(world.y == 0, 0.0, 1.0))
    assert model.seen_.tolist() == [c for c in np.unique(world.y) if c > 0]


def test_without_attributes_it_is_a_classifier(make, fit, world):
    names = np.array(list("uvwxyz"))
    model = fit(make, y=names[world.labels], class_attributes=None)
    assert set(model.classes_) == set(names)
    least = 0.25 if isinstance(model, SparseAttributePropagation) and model.m else 0.7
    assert np.mean(model.predict(world.X) == names[world.labels]) > least


def test_attribute_vectors_as_annotations(make, fit, world):
    Y = np.where(world.y[:, None] >= 0, world.Z[world.y], np.nan)
    model = fit(make, y=Y, class_attributes=None)
    np.testing.assert_array_equal(
        model.predict(world.X_unseen, class_attributes=world.Z, calibrated=False),
        fit(make).predict(world.X_unseen, calibrated=False),
    )


def test_pickling(make, fit, world):
    model = fit(make)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(
        copy.decision_function(world.X_unseen), model.decision_function(world.X_unseen)
    )
