"""Probabilities that know whom they are about, and answers that are not given."""

import numpy as np
import pandas as pd
import pytest

from sapwood import InputError, SparseAttributePropagation
from sapwood.baselines import RPL
from sapwood.models.reject import abstain
from sapwood.projection import softmax


@pytest.fixture
def model(world):
    fitted = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    fitted.temperature_, fitted.unseen_temperature_ = 0.02, 0.3
    return fitted


@pytest.mark.parametrize(
    ("options", "temperature"),
    [
        ({"classes": "seen"}, 0.02),
        ({"classes": [0, 1, 5]}, 0.02),
        ({"classes": "unseen"}, 0.3),
        ({"classes": [0, 7]}, 0.3),
        ({}, 0.3),
    ],
)
@pytest.mark.parametrize("calibrated", [True, False])
def test_an_unseen_candidate_changes_the_temperature(
    model, world, options, temperature, calibrated
):
    options = {**options, "calibrated": calibrated}
    scores = model.decision_function(world.X_unseen, **options)
    proba = model.predict_proba(world.X_unseen, **options)
    np.testing.assert_allclose(proba, softmax(scores, temperature))


@pytest.mark.parametrize(("shift", "temperature"), [(0.0, 0.02), (0.01, 0.3)])
def test_classes_that_are_new_have_the_temperature_of_unseen_ones(model, world, shift, temperature):
    described = world.Z[:3] + shift
    scores = model.decision_function(world.X_unseen, class_attributes=described)
    proba = model.predict_proba(world.X_unseen, class_attributes=described)
    np.testing.assert_allclose(proba, softmax(scores, temperature))


@pytest.mark.parametrize("absent", ["not there", None])
def test_a_model_without_a_second_temperature_has_one(model, world, absent):
    if absent is None:
        model.unseen_temperature_ = None
    else:
        del model.unseen_temperature_
    proba = model.predict_proba(world.X_unseen)
    np.testing.assert_allclose(proba, softmax(model.decision_function(world.X_unseen), 0.02))


@pytest.mark.parametrize("options", [{}, {"classes": "unseen"}, {"classes": "seen"}])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_an_answer_is_given_where_it_is_probable_enough(model, world, options, share):
    X = np.vstack([world.X, world.X_unseen])
    sure = model.predict_proba(X, **options).max(axis=1)
    reject = np.quantile(sure, share)
    assert np.mean(sure < reject) == pytest.approx(share, abs=0.05)
    expected = np.where(sure >= reject, model.predict(X, **options), -1)
    np.testing.assert_array_equal(model.predict(X, **options, reject=reject), expected)


def test_names_that_are_not_given_are_empty(world):
    names = np.array([f"bird {c}" for c in "abcdefgh"])
    y = np.where(world.y >= 0, names[world.y], "")
    model = SparseAttributePropagation().fit(
        world.X, y, class_attributes=world.Z, class_names=names
    )
    model.unseen_temperature_ = 0.3
    answers, sure = model.predict(world.X), model.predict_proba(world.X).max(axis=1)
    reject = float(np.median(sure))
    some = model.predict(world.X, reject=reject)
    assert some.dtype.kind == "U"
    np.testing.assert_array_equal(some, np.where(sure >= reject, answers, ""))
    frame = pd.DataFrame(world.Z[6:], index=["gnu", "emu"])
    assert set(model.predict(world.X, class_attributes=frame, reject=0.999)) <= {"gnu", "emu", ""}


def test_answers_not_given_are_read_as_unannotated(model, world):
    pseudo = model.predict(world.X, classes="seen", reject=0.6)
    assert 0 < np.mean(pseudo == -1) < 1
    again = SparseAttributePropagation().fit(world.X, pseudo, class_attributes=world.Z)
    assert again.confidence_[pseudo >= 0] == pytest.approx(1)


def test_rivals_abstain_too(world):
    model = RPL().fit(world.X, world.y, class_attributes=world.Z)
    model.temperature_ = model.unseen_temperature_ = 0.1
    sure = model.predict_proba(world.X_unseen).max(axis=1)
    rejected = model.predict(world.X_unseen, reject=float(np.median(sure))) == -1
    np.testing.assert_array_equal(rejected, sure < np.median(sure))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (np.array([3, 4], dtype=np.uint8), [-1, 4]),
        (np.array([True, False]), [-1, 0]),
        (np.array([1.0, 2.0]), [-1.0, 2.0]),
        (np.array(["owl", "jay"]), ["", "jay"]),
        (np.array(["owl", "jay"], dtype=object), ["", "jay"]),
    ],
)
def test_every_kind_of_label_has_a_value_for_none(labels, expected):
    before = labels.copy()
    assert abstain(labels, np.array([True, False])).tolist() == expected
    np.testing.assert_array_equal(labels, before)


@pytest.mark.parametrize("reject", [0, 1, -0.1, 1.5, float("nan"), "half", True, [0.5]])
def test_what_is_no_probability_is_refused(model, world, reject):
    with pytest.raises(InputError, match=r"reject is .*; expected a number between 0 and 1"):
        model.predict(world.X, reject=reject)
