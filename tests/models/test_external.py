"""Unlabelled images from anywhere: never much worse than without them."""

import dataclasses
from collections import Counter

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.data import annotate, load_zero_shot, make_attribute_world
from sapwood.metrics import accuracy

#: Points by which unlabelled images may cost accuracy.
TOLERANCE = 0.3
KINDS = ["unseen classes", "another subject", "copies", "half seen"]


@dataclasses.dataclass(frozen=True)
class Pool:
    """Labelled images of seen classes, more of them, images of unseen classes and of others."""

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    unseen: np.ndarray
    seen_images: np.ndarray
    unseen_images: np.ndarray
    others: np.ndarray
    X_test: np.ndarray
    truth: np.ndarray

    def unlabelled(self, kind, count):
        if kind == "unseen classes":
            return self.unseen_images[:count]
        if kind == "another subject":
            return self.others[:count]
        if kind == "copies":
            return np.repeat(self.unseen_images[:1], count, axis=0)
        half = count // 2
        return np.concatenate([self.seen_images[:half], self.unseen_images[:half]])

    def right(self, extra, **options):
        X = np.concatenate([self.X, extra])
        y = np.concatenate([self.y, np.full(len(extra), -1)])
        model = SparseAttributePropagation(**options).fit(X, y, class_attributes=self.Z)
        named = model.predict(self.X_test, classes=self.unseen)
        return model, 100 * accuracy(self.truth, named)


def pool_of(features, labels, Z, seen, unseen, others, K, seed=0):
    rng = np.random.default_rng(seed)
    chosen = annotate(labels, seen, K, seed)
    rest = rng.permutation(np.setdiff1d(np.flatnonzero(np.isin(labels, seen)), chosen))
    strange = rng.permutation(np.flatnonzero(np.isin(labels, unseen)))
    shown, test = strange[: len(strange) // 2], strange[len(strange) // 2 :]
    parts = (features[chosen].astype(float), labels[chosen], Z, unseen)
    images = (features[rest], features[shown], others, features[test])
    return Pool(*parts, *images, labels[test])


@pytest.fixture(scope="module")
def creatures():
    """Three draws: with 150 creatures to name, one alone says little."""
    world = make_attribute_world()
    others = np.random.default_rng(0).permuted(world.features, axis=1)
    parts = (world.features, world.labels, world.attributes, world.seen, world.unseen)
    return [pool_of(*parts, others, K=2, seed=seed) for seed in range(3)]


@pytest.fixture(scope="module", params=[1, 5], ids=["K = 1", "K = 5"])
def birds(request, shared_data):
    data, photos = load_zero_shot("cub"), np.load(shared_data / "flickr8k_tags.npz")
    unseen = data.splits["paper"].unseen
    seen = np.setdiff1d(np.arange(len(data.attributes)), unseen)
    parts = (data.features, data.labels, data.attributes, seen, unseen)
    others = photos["features"][:1200]
    pools = [pool_of(*parts, others, K=request.param, seed=seed) for seed in range(3)]
    return [(pool, pool.right(pool.X[:0])[1]) for pool in pools]


@pytest.mark.parametrize("kind", KINDS)
def test_creatures_from_anywhere_do_no_harm(creatures, kind):
    gains = []
    for pool in creatures:
        _, alone = pool.right(pool.X[:0])
        _, found = pool.right(pool.unlabelled(kind, 200))
        gains.append(found - alone)
    assert np.mean(gains) >= -TOLERANCE


@pytest.mark.parametrize("kind", KINDS)
def test_birds_from_anywhere_do_no_harm(birds, kind):
    gains = [pool.right(pool.unlabelled(kind, 400))[1] - alone for pool, alone in birds]
    assert np.mean(gains) >= -TOLERANCE


def test_taken_in_blindly_they_do_harm(creatures):
    """Or the tests above would show nothing; copies do less where errors are whitened."""
    blindly = {"unlabelled": "all", "error_whitening": 0}
    for kind in ("unseen classes", "copies"):
        losses = []
        for pool in creatures:
            _, alone = pool.right(pool.X[:0])
            losses.append(alone - pool.right(pool.unlabelled(kind, 200), **blindly)[1])
        assert np.mean(losses) > 2


def misleading(seed, shift=4.0, classes=45, unseen=20, k=8, d=12, per=20, noise=0.3):
    """Classes are linear in their attributes, but unannotated images are off, all of a class alike.

    Their classes are plain from the graph, so that they are taken in with confidence.
    """
    rng = np.random.default_rng(seed)
    Z, labels = rng.standard_normal((classes, k)), np.repeat(np.arange(classes), per)
    X = Z[labels] @ rng.standard_normal((k, d)) + noise * rng.standard_normal((len(labels), d))
    seen, silent = labels < classes - unseen, np.arange(len(labels)) % per >= 4
    X[silent & seen] += shift * rng.standard_normal((classes, d))[labels[silent & seen]]
    y = np.where(silent, -1, labels)
    return X[seen], y[seen], Z, X[~seen], labels[~seen]


@pytest.mark.parametrize("seed", range(3))
def test_images_that_mislead_are_left_out(seed):
    X, y, Z, X_test, truth = misleading(seed)
    right = {}
    for way in ("auto", "all", "ignore"):
        model = SparseAttributePropagation(unlabelled=way).fit(X, y, class_attributes=Z)
        right[way] = accuracy(truth, model.predict(X_test, classes="unseen"))
    assert right["all"] < 0.97 < right["auto"]
    assert right["auto"] >= right["ignore"] - 0.01


def test_images_that_help_are_taken_in(creatures):
    pool = creatures[0]
    auto, right = pool.right(pool.seen_images)
    everything, expected = pool.right(pool.seen_images, unlabelled="all")
    _, alone = pool.right(pool.X[:0])
    assert auto.usefulness_ > 2
    assert right == expected > alone + 5
    np.testing.assert_array_equal(auto.projection_, everything.projection_)
    told = {reason.split(":")[0] for reason in auto.reasons_[len(pool.y) :]}
    assert told <= {"propagated", "unreached"}


def test_each_image_has_a_weight_and_a_reason(creatures):
    pool = creatures[0]
    model, _ = pool.right(pool.unlabelled("half seen", 200))
    told = Counter(reason.split(":")[0] for reason in model.reasons_)
    assert set(told) == {"annotated", "near", "far"}
    assert told["annotated"] == len(pool.y)
    assert 0 < told["near"] <= 40
    used = model.weights_ > 0
    assert used.sum() == told["annotated"] + told["near"]
    assert (model.weights_[len(pool.y) :] <= 0.3).all()


def test_copies_count_once(creatures):
    pool = creatures[0]
    extra = np.repeat(pool.X[:1] * 1.0001, 100, axis=0)
    model, _ = pool.right(extra, unlabelled="near")
    assert Counter(reason.split(":")[0] for reason in model.reasons_[len(pool.y) :]) == {
        "near": 1,
        "copy": 19,
        "far": 80,
    }


def test_ignored_images_change_nothing(creatures):
    pool = creatures[0]
    alone, _ = pool.right(pool.X[:0])
    given, _ = pool.right(pool.unlabelled("half seen", 200), unlabelled="ignore")
    np.testing.assert_allclose(given.projection_, alone.projection_, atol=1e-12)
    assert given.reasons_[-1].startswith("ignored")
    assert not given.weights_[len(pool.y) :].any()
    assert given.usefulness_ is None


def test_without_attributes_nobody_can_be_asked(draw_world):
    world = draw_world(classes=12, n=300)
    model = SparseAttributePropagation().fit(world.X, world.y)
    assert model.usefulness_ is None
    told = {reason.split(":")[0] for reason in model.reasons_[world.y < 0]}
    assert told <= {"propagated", "unreached"}
