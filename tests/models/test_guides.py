"""Classes that are all equally unlike guide to no other: they are named like plain labels."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.metrics import accuracy
from sapwood.models.candidates import choose_candidates

CLASSES, TAUGHT = 15, 40


@pytest.fixture(scope="module", params=range(3))
def clusters(request):
    """Classes without a common structure, three annotated images of each, many unlabelled."""
    rng = np.random.default_rng(request.param)
    labels, turn = np.repeat(np.arange(CLASSES), 60), np.arange(CLASSES * 60) % 60
    X = rng.standard_normal((CLASSES, 12))[labels] + 0.9 * rng.standard_normal((len(labels), 12))
    return X, labels, np.where(turn < 3, labels, -1), turn < TAUGHT


@pytest.mark.parametrize("form", ["one-hot attributes", "one-hot rows for images"])
def test_one_hot_descriptions_are_labels(clusters, form):
    X, labels, y, taught = clusters
    plain = SparseAttributePropagation().fit(X[taught], y[taught])
    if form == "one-hot attributes":
        model = SparseAttributePropagation().fit(
            X[taught], y[taught], class_attributes=np.eye(CLASSES)
        )
    else:
        rows = np.vstack([np.eye(CLASSES), np.full(CLASSES, np.nan)])[y[taught]]
        model = SparseAttributePropagation().fit(X[taught], rows)
        # Classes are in the order of their rows there.
        labels = CLASSES - 1 - labels
    right = accuracy(labels[~taught], model.predict(X[~taught]))
    expected = accuracy(clusters[1][~taught], plain.predict(X[~taught]))
    assert right == pytest.approx(expected, abs=0.01)
    assert model.usefulness_ is None
    assert model.unseen_temperature_ == model.temperature_
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_no_search_is_decided_by_rounding(clusters):
    X, _, y, taught = clusters
    model = SparseAttributePropagationCV().fit(X[taught], y[taught], class_attributes=np.eye(15))
    assert model.best_params_ == {}


def test_classes_that_are_all_the_same_leave_every_answer_open(clusters):
    X, _, y, taught = clusters
    Z = np.ones((CLASSES, 4))
    model = SparseAttributePropagation().fit(X[taught], y[taught], class_attributes=Z)
    proba = model.predict_proba(X[~taught])
    np.testing.assert_allclose(proba, 1 / CLASSES, atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_seen_classes_that_are_no_guide_to_each_other_may_be_one_to_others(seed):
    """Unseen classes have two attributes each, seen ones one; unlabelled images show none."""
    rng, pure = np.random.default_rng(seed), np.eye(14)
    Z = np.vstack([pure, pure + np.roll(pure, 1, axis=1)])
    y, mixing = np.repeat(np.arange(14), 3), rng.standard_normal((14, 60))
    X = Z[y] @ mixing + rng.standard_normal((42, 60))
    others = 2 * rng.standard_normal((400, 60)) + 5
    model = SparseAttributePropagation()
    model.fit(np.vstack([X, others]), np.append(y, np.full(400, -1)), class_attributes=Z)
    assert model.strangeness_ > 0.1
    asked = np.repeat(np.arange(14, 28), 20)
    images = Z[asked] @ mixing + rng.standard_normal((len(asked), 60))
    assert accuracy(asked, model.predict(images, classes="unseen")) > 0.95


def test_an_unseen_class_described_like_a_seen_one_does_not_take_its_answers(world):
    Z = world.Z.copy()
    Z[7] = Z[2]
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=Z)
    assert model.seen_bias_ > 0
    images = world.X[world.labels == 2]
    known, described = model.predict(images), model.predict(images, class_attributes=Z)
    np.testing.assert_array_equal(known, described)
    assert np.mean(known == 2) > 0.9


def test_among_unseen_classes_nothing_is_taken_from_such_a_class(world):
    Z = world.Z.copy()
    Z[7] = Z[2]
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=Z)
    among = {"classes": "unseen"}
    np.testing.assert_array_equal(
        model.decision_function(world.X, **among),
        model.decision_function(world.X, calibrated=False, **among),
    )


def test_one_large_attribute_does_not_make_classes_the_same(world):
    Z = np.column_stack([world.Z, np.full(len(world.Z), 1e8)])
    model = SparseAttributePropagation(attribute_map="raw").fit(
        world.X, world.y, class_attributes=Z
    )
    assert choose_candidates(model, None, None, True).seen.sum() == 6
