"""Classes that project far from every seen one are favoured: less is known of where they lie."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.models.comparison import PLAIN, remoteness
from sapwood.models.parameters import USUAL
from sapwood.models.relearning import Relearner
from sapwood.models.runs import scorer_of
from sapwood.projection import Evidence


def curved(seed, p=60, seen=40, images=20, k=6, d=40):
    """Features bend with attributes; some classes are described nearly as another, some are not."""
    rng = np.random.default_rng(seed)
    Z, near = rng.standard_normal((p, k)), rng.random(p) < 0.5
    Z[near] = Z[rng.integers(0, seen, near.sum())] + 0.25 * rng.standard_normal((near.sum(), k))
    waves, starts = 0.8 * rng.standard_normal((k, 300)), rng.uniform(0, 2 * np.pi, 300)
    means = np.cos(Z @ waves + starts) @ rng.standard_normal((300, d)) / np.sqrt(300)
    labels = np.repeat(np.arange(p), images)
    X = means[labels] + 0.3 * rng.standard_normal((len(labels), d))
    y = np.where(np.arange(len(X)) % images < 10, labels, -1)
    old = labels < seen
    return X[old], y[old], Z, X[~old], labels[~old]


def fitted(seed, **options):
    X, y, Z, X_new, truth = curved(seed)
    model = SparseAttributePropagation(unlabelled="all", **options)
    return model.fit(X, y, class_attributes=Z), X_new, truth


@pytest.fixture(scope="module")
def model():
    return fitted(0)[0]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_a_score_holds_the_distance_from_the_nearest_seen_class(metric):
    weighed, X_new, _ = fitted(0, metric=metric, remoteness=0.3)
    plain, _, _ = fitted(0, metric=metric, remoteness=0)
    places = weighed.attribute_map_.transform(weighed.class_attributes_) @ weighed.projection_
    places = places @ weighed.comparison_ if weighed.comparison_.size else places
    if metric == "cosine":
        places = places / np.linalg.norm(places, axis=1, keepdims=True)
    squared = ((places[:, None] - places[weighed.seen_]) ** 2).sum(axis=2).min(axis=1)
    added = 0.3 * squared / (2 if metric == "cosine" else 1)
    assert added[40:].max() > 0.05
    np.testing.assert_allclose(added[weighed.seen_], 0, atol=1e-12)
    scores = (m.decision_function(X_new, calibrated=False) for m in (weighed, plain))
    difference = np.subtract(*scores)
    np.testing.assert_allclose(difference, np.tile(added, (len(X_new), 1)), atol=1e-10)


def test_new_classes_are_named_better():
    gains = []
    for seed in range(6):
        model, X_new, truth = fitted(seed)
        right = []
        for weight in (0.0, model.remoteness_):
            model.remoteness_ = weight
            right.append(np.mean(model.predict(X_new, classes="unseen") == truth))
        gains.append(right[1] - right[0])
    assert np.mean(gains) > 0.005


def test_answers_among_seen_classes_do_not_change(model):
    X, y, *_ = curved(0)
    plain = fitted(0, remoteness=0)[0]
    found, expected = (m.predict_proba(X[y >= 0], classes="seen") for m in (model, plain))
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_the_lead_of_an_explanation_holds_it(model):
    X_new = curved(0)[3]
    told = model.explain(X_new, classes="unseen")
    np.testing.assert_allclose(told.parts.sum(axis=1) + told.bias, told.lead, atol=1e-9)
    scores = model.decision_function(X_new, classes="unseen")
    best = np.sort(scores, axis=1)
    np.testing.assert_allclose(told.lead, best[:, -1] - best[:, -2], atol=1e-12)
    assert np.abs(told.bias).max() > 0.001


def test_classes_that_play_unseen_ones_are_favoured_by_what_then_teaches():
    X, y, Z, *_ = curved(0)
    known = y >= 0
    evidence = Evidence(X[known], np.eye(40)[y[known]], Z[:40], np.ones(known.sum()))
    kept, held, asked = np.arange(28), np.arange(28, 40), np.arange(5)
    scores = []
    for weight in (0.0, 0.5):
        scorer = scorer_of({**USUAL, "attribute_map": "l2", "remoteness": weight})
        every = np.concatenate([kept, held])
        scores.append(Relearner(evidence, scorer).scores(kept, asked, every))
    added = scores[1] - scores[0]
    np.testing.assert_allclose(added[:, :28], 0, atol=1e-10)
    assert added[:, 28:].min() > 1e-4
    np.testing.assert_allclose(added, np.tile(added[0], (5, 1)), atol=1e-10)


def test_the_bias_and_the_temperature_are_of_scores_with_it():
    found = [fitted(0, remoteness=weight)[0] for weight in (0.0, 0.5)]
    assert found[0].seen_bias_ > found[1].seen_bias_
    assert found[0].unseen_temperature_ != found[1].unseen_temperature_
    assert found[0].temperature_ == pytest.approx(found[1].temperature_, rel=1e-9)


def test_which_images_take_part_is_found_without_it():
    X, y, Z, *_ = curved(0)
    found = [
        SparseAttributePropagation(remoteness=weight).fit(X, y, class_attributes=Z)
        for weight in (0.0, 0.9)
    ]
    assert found[0].usefulness_ is not None
    assert found[0].usefulness_ == found[1].usefulness_
    np.testing.assert_array_equal(found[0].weights_, found[1].weights_)


def test_distance_is_measured_as_images_are_compared():
    B = np.diag([2.0, 1.0])
    places, taught = np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([[0.0, 0.0], [0.0, 2.0]])
    np.testing.assert_allclose(remoteness(places, taught, PLAIN, "euclidean"), [1, 1])
    np.testing.assert_allclose(remoteness(places, taught, B, "euclidean"), [4, 1])
    np.testing.assert_allclose(remoteness(places, taught, PLAIN, "cosine"), [1, 0])


def test_the_printed_algorithm_has_none(world):
    model = SparseAttributePropagation("paper", k_g=10, m=12, tol=1.0)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert model.remoteness_ == 0
    with pytest.raises(ValueError, match="remoteness has no meaning under preset='paper'"):
        SparseAttributePropagation("paper", remoteness=0.1).fit(world.X, world.y)


def test_classes_that_are_their_own_attributes_have_none(world):
    assert SparseAttributePropagation().fit(world.X, world.y).remoteness_ == 0


@pytest.mark.parametrize("value", [-0.1, 1, "auto", True, np.nan])
def test_a_weight_is_a_number_below_one(world, value):
    with pytest.raises(ValueError, match=r"remoteness is .* expected a finite number"):
        SparseAttributePropagation(remoteness=value).fit(world.X, world.y)
