"""Attributes count as far as images show them."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.errors import InputError
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.models.coordinates import FREEDOM, Coordinates, alike_or_weighed
from sapwood.models.folds import class_folds
from sapwood.models.weighted import weighted_map
from sapwood.projection import Evidence, attribute_weights, ridge_for

SEEN, UNSEEN, SHOWN, HIDDEN = 40, 8, 5, 30


def draw(hidden=HIDDEN, noise=0.6, images=8, seed=0):
    """Features that show five attributes; the others are what people know of the classes."""
    rng = np.random.default_rng(seed)
    p = SEEN + UNSEEN
    Z = rng.random((p, SHOWN + hidden))
    labels = np.repeat(np.arange(p), images)
    means = (Z[:, :SHOWN] - 0.5) @ rng.standard_normal((SHOWN, 20))
    return means[labels] + noise * rng.standard_normal((len(labels), 20)), labels, Z


def fitted(X, labels, Z, **options):
    seen = labels < SEEN
    return SparseAttributePropagation(**options).fit(X[seen], labels[seen], class_attributes=Z)


def right(model, X, labels):
    unseen = labels >= SEEN
    return np.mean(model.predict(X[unseen], classes="unseen") == labels[unseen])


@pytest.fixture(scope="module")
def problem():
    return draw()


@pytest.fixture(scope="module")
def model(problem):
    return fitted(*problem)


def test_attributes_that_show_weigh_more(model):
    assert model.attribute_freedom_ == FREEDOM
    weights = model.attribute_weights_
    assert weights.shape == (SHOWN + HIDDEN,)
    assert np.median(weights[:SHOWN]) > 5 * np.median(weights[SHOWN:])


def test_unseen_classes_are_named_better_for_it():
    gains = []
    for seed in range(4):
        X, labels, Z = draw(seed=seed)
        models = [fitted(X, labels, Z, **o) for o in ({}, {"attribute_freedom": 0})]
        gains.append(np.subtract(*(right(one, X, labels) for one in models)))
    assert np.mean(gains) > 0.08
    assert min(gains) > 0


def test_where_all_attributes_show_they_count_alike():
    chosen = [fitted(*draw(hidden=0, noise=1.0, seed=s)).attribute_freedom_ for s in range(4)]
    assert chosen.count(0) >= 3


def test_zero_is_what_was_before_there_were_weights(problem):
    model = fitted(*problem, attribute_freedom=0)
    np.testing.assert_array_equal(model.attribute_weights_, 1)
    assert model.attribute_freedom_ == 0


def test_a_freedom_that_is_given_is_not_asked_about(problem):
    model = fitted(*problem, attribute_freedom=2.5, attribute_map="mixed")
    assert (model.attribute_freedom_, model.coordinates_) == (2.5, "mixed")
    assert np.ptp(model.attribute_weights_) > 0


def test_the_weights_are_those_of_the_means_of_what_was_propagated(problem):
    X, labels, Z = problem
    model = fitted(X, labels, Z, unlabelled="ignore")
    mapped = model.feature_map_.transform(X[labels < SEEN])
    means = np.array([mapped[labels[labels < SEEN] == c].mean(axis=0) for c in range(SEEN)])
    F = np.eye(SEEN)[labels[labels < SEEN]]
    ridge = ridge_for(model.lambda4_, Evidence(mapped, F, Z[:SEEN], np.ones(len(F))))
    classes = AttributeMap(**ATTRIBUTE_MAPS[model.coordinates_])
    expected = attribute_weights(classes, Z[:SEEN], means, ridge, FREEDOM)
    np.testing.assert_allclose(
        model.attribute_weights_ / model.attribute_weights_[0], expected / expected[0], rtol=1e-6
    )


def test_seen_classes_stay_as_long_as_they_were():
    Z, weights = np.random.default_rng(0).random((9, 4)), np.array([0.1, 1.0, 2.0, 30.0])
    plain = AttributeMap(**ATTRIBUTE_MAPS["mixed"]).fit(Z)
    weighed = AttributeMap(**ATTRIBUTE_MAPS["mixed"]).fit(Z, weights)
    np.testing.assert_allclose((weighed.anchors_**2).sum(), (plain.anchors_**2).sum())
    np.testing.assert_allclose(weighed.weights_ / weighed.weights_[0], weights / weights[0])
    np.testing.assert_allclose(weighed.scale(Z), plain.scale(Z) * np.sqrt(weighed.weights_))


def test_products_are_those_of_the_weighed_kernel():
    Z, weights = np.random.default_rng(0).random((9, 4)), np.array([0.1, 1.0, 2.0, 30.0])
    found = AttributeMap(**ATTRIBUTE_MAPS["mixed"]).fit(Z[:6], weights)
    A = found.scale(Z)
    squared = ((A[:, None] - A[:6]) ** 2).sum(axis=2)
    scale = 1.2**2 * squared[:6].sum() / 30
    kernel = 0.75 * np.exp(-squared / (2 * scale)) + 0.25 * A @ A[:6].T
    seen = found.transform(Z[:6])
    np.testing.assert_allclose(found.transform(Z) @ seen.T, kernel, atol=1e-9)


def test_classes_held_out_have_no_part_in_the_weights(problem):
    X, labels, Z = problem
    seen = labels < SEEN
    evidence = Evidence(X[seen], np.eye(SEEN)[labels[seen]], Z[:SEEN], np.ones(seen.sum()))
    fold = next(class_folds(evidence, evidence.X, labels[seen], 3, seed=0))
    own = weighted_map(fold.evidence, "kernel", 0.08, FREEDOM)
    assert np.ptp(own.weights_) > 0
    taught, held = fold.described("kernel", 0.08, FREEDOM)
    np.testing.assert_array_equal(taught.Z, own.transform(fold.evidence.Z))
    np.testing.assert_array_equal(held, own.transform(fold.held))


def test_a_class_that_nothing_reached_has_no_say():
    X, labels, Z = draw()
    seen = labels < SEEN
    F, weights = np.eye(SEEN)[labels[seen]], np.ones(seen.sum())
    weights[labels[seen] == 3] = 0
    found = weighted_map(Evidence(X[seen], F, Z[:SEEN], weights), "kernel", 0.08, 5.0)
    kept = labels[seen] != 3
    others = np.delete(np.arange(SEEN), 3)
    alone = Evidence(X[seen][kept], F[kept][:, others], Z[others], weights[kept])
    ratios = [one.weights_ / one.weights_[0] for one in (found, _of_all(alone, Z[:SEEN]))]
    np.testing.assert_allclose(*ratios, rtol=0.05)


def _of_all(evidence, Z):
    return AttributeMap(**ATTRIBUTE_MAPS["kernel"]).fit(
        Z, weighted_map(evidence, "kernel", 0.08, 5.0).weights_
    )


def test_without_a_kernel_there_is_nothing_to_weigh():
    assert alike_or_weighed(Coordinates("l2", 1.0, 0.0)) == [Coordinates("l2", 1.0, 0.0)]
    assert alike_or_weighed(Coordinates("mixed", 1.0, 0.0))[1] == Coordinates("mixed", 1.0, FREEDOM)


@pytest.mark.parametrize(
    "options", [{"beta": 0.01}, {"attribute_map": "l2"}], ids=["a forward term", "no kernel"]
)
def test_where_weights_cannot_be_learned_there_are_none(problem, options):
    model = fitted(*problem, attribute_freedom=5.0, **options)
    np.testing.assert_array_equal(model.attribute_weights_, 1)
    assert model.attribute_freedom_ == 0


def test_few_classes_have_none():
    X, labels, Z = draw()
    few = labels < 11
    model = SparseAttributePropagation(attribute_freedom=5.0)
    model.fit(X[few], labels[few], class_attributes=Z)
    np.testing.assert_array_equal(model.attribute_weights_, 1)


def test_twelve_classes_are_enough():
    """Though only eight of them teach while the others are asked."""
    chosen = []
    for seed in range(4):
        X, labels, Z = draw(images=30, noise=0.3, seed=seed)
        seen = labels < 14
        model = SparseAttributePropagation()
        model.fit(X[seen], labels[seen], class_attributes=Z)
        chosen.append(model.attribute_freedom_)
    assert chosen.count(FREEDOM) >= 3, chosen


def test_classes_that_are_their_own_attributes_have_none(problem):
    X, labels, _ = problem
    model = SparseAttributePropagation().fit(X, labels)
    np.testing.assert_array_equal(model.attribute_weights_, 1)


def test_explanations_still_sum_to_the_lead(model, problem):
    X, labels, _ = problem
    some = X[labels >= SEEN][:20]
    explained = model.explain(some, classes="unseen")
    scores = np.sort(model.decision_function(some, classes="unseen"), axis=1)
    np.testing.assert_allclose(explained.lead, scores[:, -1] - scores[:, -2], rtol=1e-6)
    shares = explained.parts.sum(axis=1) + explained.bias
    np.testing.assert_allclose(shares, explained.lead, rtol=1e-6)


def test_weights_are_kept_in_the_model_file(model, problem, tmp_path):
    model.save(tmp_path / "model.sap")
    again = SparseAttributePropagation.load(tmp_path / "model.sap")
    np.testing.assert_array_equal(again.attribute_weights_, model.attribute_weights_)
    X = problem[0][-20:]
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, "much", True])
def test_a_freedom_must_be_a_number_of_at_least_0_or_auto(problem, value):
    with pytest.raises(InputError, match=r"attribute_freedom is .* at least 0 or 'auto'"):
        fitted(*problem, attribute_freedom=value)


def test_the_papers_preset_has_none(world):
    model = SparseAttributePropagation("paper", k_g=5, m=3, tol=1.0)
    model.fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_array_equal(model.attribute_weights_, 1)
    with pytest.raises(InputError, match="attribute_freedom has no meaning under preset='paper'"):
        SparseAttributePropagation("paper", attribute_freedom=1.0).fit(world.X, world.y)
