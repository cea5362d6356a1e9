"""Leads split among attributes: exact sums, and the right attribute."""

import numpy as np
import pandas as pd
import pytest

from sapwood import InputError, SparseAttributePropagation
from sapwood.baselines import BASELINES
from sapwood.features import ATTRIBUTE_MAPS
from sapwood.models.candidates import choose_candidates
from sapwood.models.explain import lead_by_attribute
from sapwood.models.explanation import Explanation
from sapwood.projection import prototype_scores

PAPER = {"preset": "paper", "k_g": 10, "m": 20, "tol": 1.0}


def fitted(world, **options):
    return SparseAttributePropagation(**options).fit(world.X, world.y, class_attributes=world.Z)


def assert_adds_up(found, scores):
    """Parts and bias are the difference of the two largest scores."""
    ordered = np.sort(scores, axis=1)
    np.testing.assert_allclose(found.lead, ordered[:, -1] - ordered[:, -2], atol=1e-12)
    together = found.parts.sum(axis=1) + found.bias
    size = np.abs(found.parts).sum(axis=1) + np.abs(found.bias)
    assert np.abs(together - found.lead).max() <= 1e-9 * size.min()


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("attribute_map", ATTRIBUTE_MAPS)
def test_parts_and_bias_add_up_to_the_calibrated_lead(world, attribute_map, metric):
    model = fitted(world, attribute_map=attribute_map, metric=metric)
    X = np.vstack([world.X, world.X_unseen])
    model.seen_bias_ = float(np.median(np.ptp(model.decision_function(X), axis=1)) / 5)
    found, scores = model.explain(X), model.decision_function(X)
    assert_adds_up(found, scores)
    np.testing.assert_array_equal(found.winner, model.predict(X))
    np.testing.assert_array_equal(found.runner_up, np.argsort(-scores, axis=1)[:, 1])
    own, other = np.isin(found.winner, model.seen_), np.isin(found.runner_up, model.seen_)
    handicap = model.seen_bias_ * (other.astype(int) - own)
    assert {-1, 0, 1} == set(np.sign(handicap))
    favour = model._favour(choose_candidates(model, None, None, calibrated=False))
    assert not favour[model.seen_].any()
    np.testing.assert_allclose(
        found.bias, handicap + favour[found.winner] - favour[found.runner_up], atol=1e-12
    )


def test_the_printed_algorithm_is_explained_too(world):
    model = fitted(world, **PAPER)
    assert_adds_up(model.explain(world.X), model.decision_function(world.X))


@pytest.mark.parametrize("classes", ["unseen", "seen", [2, 7, 4]])
def test_only_candidates_are_compared(world, classes):
    model = fitted(world)
    found = model.explain(world.X_unseen, classes=classes)
    scores = model.decision_function(world.X_unseen, classes=classes)
    assert_adds_up(found, scores)
    np.testing.assert_array_equal(found.winner, model.predict(world.X_unseen, classes=classes))
    assert found.bias.any() == (classes != "seen")


def test_classes_that_are_new(world):
    model = fitted(world)
    new = np.random.default_rng(5).random((3, world.Z.shape[1]))
    found = model.explain(world.X_unseen, class_attributes=new)
    assert_adds_up(found, model.decision_function(world.X_unseen, class_attributes=new))
    frame = pd.DataFrame(new, index=["gnu", "emu", "owl"])
    named = model.explain(world.X_unseen, class_attributes=frame)
    np.testing.assert_array_equal(named.winner, np.array(["gnu", "emu", "owl"])[found.winner])
    np.testing.assert_allclose(named.parts, found.parts, atol=1e-12)
    known = model.explain(world.X_unseen, classes=[6, 7])
    again = model.explain(world.X_unseen, class_attributes=world.Z[6:])
    np.testing.assert_allclose(again.parts, known.parts, atol=1e-12)
    np.testing.assert_allclose(again.bias, known.bias, atol=1e-12)
    assert known.bias.any()


def test_a_linear_map_has_a_closed_form(world):
    model = fitted(world, attribute_map="l2")
    a, b = np.full(5, 6), np.full(5, 1)
    Z = world.Z / np.linalg.norm(world.Z, axis=1, keepdims=True)
    P, X = Z @ model.projection_, model.feature_map_.transform(world.X_unseen[:5])
    away = X - (P[6] + P[1]) / 2
    expected = 2 * (Z[6] - Z[1]) * (away @ model.projection_.T)
    np.testing.assert_allclose(lead_by_attribute(model, world.X_unseen[:5], a, b), expected)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_shares_are_the_slope_on_the_way(world, metric):
    """The path integral once more, with differences of scores in place of gradients."""
    model = fitted(world, metric=metric)
    place, Z = model.attribute_map_.place, model.attribute_map_.scale(world.Z)
    x, (start, end) = model.feature_map_.transform(world.X_unseen[:1]), (Z[2], Z[6])
    steps, h = (np.arange(400) + 0.5) / 400, 1e-5
    expected = np.empty(len(start))
    for j in range(len(start)):
        shift = h * np.eye(len(start))[j]
        way = start + steps[:, None] * (end - start)
        up, down = (
            prototype_scores(x, place(way + sign * shift) @ model.projection_, metric)[0]
            for sign in (1, -1)
        )
        expected[j] = (end - start)[j] * np.mean(up - down) / (2 * h)
    found = lead_by_attribute(model, world.X_unseen[:1], [6], [2])[0]
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_an_attribute_both_classes_have_alike_decides_nothing(world):
    Z = world.Z / np.linalg.norm(world.Z[:, 1:], axis=1, keepdims=True)
    Z[:, 0] = 0.5
    model = SparseAttributePropagation(attribute_map="l2", lambda4=1.0)
    model.fit(world.X, world.y, class_attributes=Z)
    lead = lead_by_attribute(model, world.X_unseen[:3], [0, 1, 2], [3, 4, 5])
    assert lead[:, 0] == pytest.approx(0)
    assert np.abs(lead[:, 1:]).min() > 0


@pytest.mark.parametrize("name", ["rpl", "eszsl", "sae", "conse", "kernel-ridge"])
def test_rivals_explain_themselves_or_say_why_not(world, name):
    model = BASELINES[name]().fit(world.X, world.y, class_attributes=world.Z)
    if hasattr(model, "projection_"):
        assert_adds_up(model.explain(world.X_unseen), model.decision_function(world.X_unseen))
        return
    with pytest.raises(InputError, match=f"{type(model).__name__} does not compare images with"):
        model.explain(world.X_unseen)


def test_one_candidate_has_no_rival(world):
    with pytest.raises(InputError, match="at least two candidates"):
        fitted(world).explain(world.X, classes=[3])
    with pytest.raises(InputError, match="top is 0; expected a whole number of at least 1"):
        fitted(world).explain(world.X, top=0)


def test_a_data_frame_is_taken_and_parts_of_it_at_once(world, monkeypatch):
    frame = pd.DataFrame(world.X, columns=[f"f{j}" for j in range(world.X.shape[1])])
    model = SparseAttributePropagation().fit(frame, world.y, class_attributes=world.Z)
    whole = model.explain(frame)
    monkeypatch.setattr("sapwood.models.explain.CHUNK", 50)
    np.testing.assert_allclose(model.explain(frame).parts, whole.parts, atol=1e-12)
    assert_adds_up(whole, model.decision_function(frame))


def test_a_model_that_is_not_fitted_explains_nothing(world):
    with pytest.raises(Exception, match="not fitted"):
        SparseAttributePropagation().explain(world.X)


def small():
    return Explanation(
        winner=np.array([4, 2, 4]),
        runner_up=np.array([2, 4, 1]),
        lead=np.array([1.0, 0.25, 0.5]),
        parts=np.array([[0.5, -0.75, 1.25], [0.25, 0.0, 0.5], [1.0, -0.5, 0.0]]),
        bias=np.array([0.0, -0.5, 0.0]),
        attribute_names=["eyes", "beak", "tail"],
        shown=2,
        class_names={4: "owl", 2: "jay"},
    )


def test_what_weighed_most_comes_first():
    found = small()
    assert found.top(0) == [("tail", 1.25), ("beak", -0.75)]
    assert found.top(2, 3) == [("eyes", 1.0), ("beak", -0.5), ("tail", 0.0)]
    assert len(found) == 3


def test_texts_have_names_and_numbers_that_add_up():
    lines = str(small()).splitlines()
    assert lines[:5] == [
        "image 0: owl, ahead of jay by 1",
        "  for      tail +1.25",
        "  against  beak -0.75",
        "  others   +0.5",
        "  bias     +0",
    ]
    assert lines[5:9] == [
        "image 1: jay, ahead of owl by 0.25",
        "  for      tail +0.5, eyes +0.25",
        "  others   +0",
        "  bias     -0.5",
    ]
    assert small().text(2).startswith("owl, ahead of 1 by 0.5")


def test_many_images_are_counted(world):
    text = str(fitted(world).explain(world.X, top=3))
    assert text.endswith(f"and {len(world.X) - 10} images more")
    assert text.count("ahead of") == 10


def test_the_dictionary_is_plain_and_adds_up():
    import json

    told = json.loads(json.dumps(small().to_dict()))["images"]
    assert told[1] == {
        "winner": "jay",
        "runner_up": "owl",
        "lead": 0.25,
        "attributes": [{"name": "tail", "part": 0.5}, {"name": "eyes", "part": 0.25}],
        "others": 0.0,
        "bias": -0.5,
    }
    for one in told:
        parts = sum(part["part"] for part in one["attributes"])
        assert parts + one["others"] + one["bias"] == pytest.approx(one["lead"])


@pytest.mark.parametrize("seed", range(4))
def test_parts_add_up_where_the_way_between_two_seen_classes_crosses_zero(seed):
    rng = np.random.default_rng(seed)
    Z, y = rng.random((4, 5)), np.arange(40) % 2
    X = Z[y] @ rng.random((5, 8)) + 0.1 * rng.random((40, 8))
    model = SparseAttributePropagation(metric="cosine").fit(X, y, class_attributes=Z)
    scores = model.decision_function(X)
    ordered, found = np.sort(scores, axis=1), model.explain(X)
    together = found.parts.sum(axis=1) + found.bias
    np.testing.assert_allclose(together, ordered[:, -1] - ordered[:, -2], atol=1e-9)
