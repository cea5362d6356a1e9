import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.errors import InputError
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.models.coordinates import (
    DIVISIONS,
    FACTORS,
    OTHER_MAPS,
    PARTS,
    USUAL_MAP,
    Coordinates,
    _clearly_best,
    choose_coordinates,
    maps_and_ridges,
)
from sapwood.models.folds import class_folds
from sapwood.projection import Evidence, learn_scaled


def world_of(Z, features_of, p=40, images=6, noise=0.05, seed=0):
    """Evidence of p classes whose features are a function of their attributes."""
    rng = np.random.default_rng(seed)
    F = np.repeat(np.eye(p), images, axis=0)
    X = F @ features_of(Z, rng)
    X += noise * X.std() * rng.standard_normal(X.shape)
    return Evidence(X, F, Z, np.ones(len(X))), F.argmax(axis=1)


def plain(Z, rng):
    """Linear in attributes as given: neither a power nor a kernel earns anything."""
    return (Z - Z.mean(axis=0)) @ rng.standard_normal((Z.shape[1], 25))


@pytest.fixture
def sparse_attributes():
    """Many attributes near zero, whose root is far from them."""
    return np.random.default_rng(1).random((40, 8)) ** 6 + 1e-3


def asked(evidence, codes, freedom=0.0):
    return choose_coordinates(evidence, codes, maps_and_ridges(0.08, freedom), "euclidean", 0)


def test_features_linear_in_plain_attributes_are_learned_as_such(sparse_attributes):
    chosen = asked(*world_of(sparse_attributes, plain))
    assert chosen.attribute_map in ("plain-kernel", "plain-mixed")


def test_where_the_usual_ones_are_right_they_stay(sparse_attributes):
    def usual(Z, rng):
        coordinates = AttributeMap(**ATTRIBUTE_MAPS[USUAL_MAP]).fit(Z).transform(Z)
        return coordinates @ rng.standard_normal((coordinates.shape[1], 25))

    chosen = asked(*world_of(sparse_attributes, usual, noise=1.0))
    assert chosen.attribute_map == USUAL_MAP


def test_with_few_classes_nobody_is_asked(sparse_attributes):
    evidence, codes = world_of(sparse_attributes[:11], plain, p=11)
    assert asked(evidence, codes) == Coordinates(USUAL_MAP, 0.08, 0.0)
    evidence, codes = world_of(sparse_attributes, plain)
    assert asked(evidence, np.where(codes < 11, codes, -1)) == Coordinates(USUAL_MAP, 0.08, 0.0)


def literal_losses(evidence, codes, tried, metric):
    """Fold by fold: a projection learned, a softmax at its best of many temperatures."""
    rng, total = np.random.default_rng(0), np.zeros(len(evidence.Z))
    rng.permutation(np.flatnonzero(codes >= 0))
    for _ in range(DIVISIONS):
        for fold in class_folds(evidence, evidence.X, codes, PARTS, int(rng.integers(2**31))):
            taught, held = fold.described(tried.attribute_map, 0.08, tried.freedom)
            found = learn_scaled(taught, tried.ridge, 0.0)
            away = fold.X[:, None] - held @ found.W * found.scale
            scores = -(away**2).sum(axis=2)
            losses = []
            for temperature in np.ptp(scores) * np.logspace(-3, 2, 2000):
                P = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
                P /= P.sum(axis=1, keepdims=True)
                with np.errstate(divide="ignore"):
                    losses.append(-np.log(P[np.arange(len(P)), fold.truth]))
            best = min(losses, key=np.sum)
            for position, c in enumerate(fold.classes):
                total[c] += best[fold.truth == position].mean()
    return total


@pytest.mark.parametrize("freedom", [0.0, 5.0])
def test_the_choice_follows_its_definition(sparse_attributes, freedom):
    """At this noise several are close."""
    evidence, codes = world_of(sparse_attributes[:18], plain, p=18, images=4, noise=0.6)
    every = [
        Coordinates(name, 0.08 * factor, freedom)
        for name in (USUAL_MAP, *OTHER_MAPS)
        for factor in FACTORS
    ]
    losses = {tried: literal_losses(evidence, codes, tried, "euclidean") for tried in every}
    expected = _clearly_best(losses, every[0], np.arange(18))
    assert asked(evidence, codes, freedom) == expected
    assert expected != every[0]


def test_a_lead_within_its_standard_error_is_no_lead():
    usual, other, third = (Coordinates(name, 1.0, 0.0) for name in ("kernel", "a", "b"))
    gains = np.array([1.0, -0.9, 0.8, -0.7])
    even = {usual: np.zeros(4), other: -gains, third: np.full(4, 0.1)}
    assert _clearly_best(even, usual, np.arange(4)) == usual
    clear = {**even, third: np.full(4, -0.04)}
    assert _clearly_best(clear, usual, np.arange(4)) == third
    # Classes without an annotated image are not counted.
    assert _clearly_best(clear, usual, np.array([0, 2])) == other


def test_the_estimator_learns_in_what_was_chosen(sparse_attributes):
    evidence, codes = world_of(sparse_attributes, plain)
    y = np.where(codes < 36, codes, -1)
    model = SparseAttributePropagation(unlabelled="ignore")
    model.fit(evidence.X, y, class_attributes=sparse_attributes)
    assert model.coordinates_ in ("plain-kernel", "plain-mixed")
    named = AttributeMap(**ATTRIBUTE_MAPS[model.coordinates_])
    assert model.attribute_map_.get_params() == named.get_params()
    told = SparseAttributePropagation(
        unlabelled="ignore", attribute_map=model.coordinates_, lambda4=model.lambda4_
    ).fit(evidence.X, y, class_attributes=sparse_attributes)
    X = evidence.X[codes >= 36]
    np.testing.assert_array_equal(model.decision_function(X), told.decision_function(X))
    assert (model.seen_bias_, model.unseen_temperature_) == (
        told.seen_bias_,
        told.unseen_temperature_,
    )


def test_a_map_that_is_given_is_not_chosen(sparse_attributes):
    evidence, codes = world_of(sparse_attributes, plain)
    model = SparseAttributePropagation(attribute_map="kernel")
    model.fit(evidence.X, codes, class_attributes=sparse_attributes)
    assert (model.coordinates_, model.lambda4_) == ("kernel", 0.08)


def test_a_forward_term_leaves_the_usual_ones(sparse_attributes):
    evidence, codes = world_of(sparse_attributes, plain)
    model = SparseAttributePropagation(beta=0.1)
    model.fit(evidence.X, codes, class_attributes=sparse_attributes)
    assert (model.coordinates_, model.lambda4_) == ("kernel", 0.08)


@pytest.mark.parametrize("name", ["auto", "kernel", "plain-mixed", "powered"])
def test_the_papers_preset_projects_to_the_attributes_themselves(world, name):
    model = SparseAttributePropagation("paper", attribute_map=name)
    with pytest.raises(InputError, match=f"{name}' under .* or take one of 'raw', 'l1', 'l2'"):
        model.fit(world.X, world.y, class_attributes=world.Z)
