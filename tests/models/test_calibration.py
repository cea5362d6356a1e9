import numpy as np
import pytest
from scipy.stats import norm

from sapwood import SparseAttributePropagation
from sapwood.models import calibration, learn_robust
from sapwood.models.calibration import (
    Margins,
    best_bias,
    seen_bias,
    seen_temperature,
    unseen_temperature,
)
from sapwood.models.relearning import Relearner
from sapwood.projection import Evidence


def harmonic(seen, unseen, bias, width):
    """Harmonic mean, exactly, after each image was replaced by many of scattered margins."""
    scatter = width * norm.ppf((np.arange(400) + 0.5) / 400)

    def share(kind, wins):
        return np.average(
            kind.right * wins(kind.margin[:, None] + scatter).mean(1), weights=kind.weight
        )

    acc_s, acc_u = share(seen, lambda m: m > bias), share(unseen, lambda m: m < bias)
    return 2 * acc_s * acc_u / (acc_s + acc_u) if acc_s + acc_u else 0.0


@pytest.mark.parametrize("seed", range(10))
def test_no_other_bias_has_a_larger_harmonic_mean(seed):
    rng = np.random.default_rng(seed)
    seen, unseen = (
        Margins(rng.normal(at, 1, 30), rng.random(30) < 0.7, rng.random(30)) for at in (1, -0.5)
    )
    both = np.concatenate([seen.margin, unseen.margin])
    width = both.std() * 60**-0.2
    best = max(harmonic(seen, unseen, bias, width) for bias in np.linspace(-4, 5, 400))
    assert harmonic(seen, unseen, best_bias(seen, unseen), width) > best - 2e-3


def test_the_bias_is_not_that_of_a_few_images():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(20):
        seen, unseen = (
            Margins(rng.normal(at, 1, 100), np.ones(100), np.ones(100)) for at in (1, -1)
        )
        found.append(best_bias(seen, unseen))
    assert np.abs(np.mean(found)) < 0.1
    assert np.std(found) < 0.2


def test_images_of_classes_that_play_unseen_ones_teach_nothing():
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(6), 5)
    evidence = Evidence(rng.random((30, 4)), np.eye(6)[codes], np.eye(6), np.ones(30))
    taught = []

    def scorer(given, X, classes):
        taught.append((given, classes))
        return rng.random((len(X), len(classes)))

    seen_bias(Relearner(evidence, scorer), 0)
    assert len(taught) == 12
    for given, classes in taught:
        assert given.Z.shape[0] == 4
        np.testing.assert_array_equal(classes[:4], given.Z)
        rows = {tuple(row) for row in given.X}
        held = classes[4:].argmax(axis=1)
        assert not rows & {tuple(row) for row in evidence.X[np.isin(codes, held)]}
        assert 0 < len(rows) < 20


def test_only_witnesses_are_asked():
    rng = np.random.default_rng(1)
    evidence = Evidence(rng.random((30, 4)), np.eye(6)[np.arange(30) % 6], np.eye(6), np.ones(30))
    asked = []

    def scorer(given, X, classes):
        asked.extend(map(tuple, X))
        return rng.random((len(X), len(classes)))

    witnesses = np.arange(30) < 12
    seen_bias(Relearner(evidence, scorer), 0, witnesses)
    assert asked
    assert set(asked) <= {tuple(row) for row in evidence.X[witnesses]}


@pytest.mark.parametrize(("n", "divisions"), [(60, 4), (400, 3), (1200, 1)])
def test_few_images_are_asked_more_than_once(n, divisions):
    rng, asked = np.random.default_rng(2), []
    evidence = Evidence(rng.random((n, 4)), np.eye(6)[np.arange(n) % 6], np.eye(6), np.ones(n))

    def scorer(given, X, classes):
        asked.append(X)
        return rng.random((len(X), len(classes)))

    seen_bias(Relearner(evidence, scorer), 0)
    assert len(asked) == 3 * divisions


def test_too_few_classes_to_play_unseen_ones():
    evidence = Evidence(np.eye(5), np.eye(5), np.eye(5), np.ones(5))
    assert seen_bias(Relearner(evidence, lambda *_: np.zeros((5, 5))), 0) == 0.0


@pytest.fixture
def model(world):
    return SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)


def test_the_bias_counts_only_where_both_kinds_are_candidates(model, world):
    model.seen_bias_ = 0.7
    for classes in ("seen", "unseen", [0, 3]):
        both = [
            model.decision_function(world.X, classes=classes, calibrated=c) for c in (True, False)
        ]
        np.testing.assert_array_equal(*both)
    plain = model.decision_function(world.X, calibrated=False)
    difference = plain - model.decision_function(world.X)
    np.testing.assert_allclose(difference[:, :6], 0.7)
    np.testing.assert_allclose(difference[:, 6:], 0)
    # Classes are told by their attributes.
    again = model.decision_function(world.X, class_attributes=world.Z)
    np.testing.assert_allclose(plain - again, difference)
    new = model.decision_function(world.X, class_attributes=world.Z + 0.01)
    same = model.decision_function(world.X, class_attributes=world.Z + 0.01, calibrated=False)
    np.testing.assert_array_equal(new, same)


def test_every_answer_follows_the_bias(model, world):
    model.seen_bias_ = 1e6
    assert np.isin(model.predict(world.X), [6, 7]).all()
    assert model.predict_proba(world.X)[:, :6].max() < 1e-12
    assert np.isin(model.predict(world.X, calibrated=False), np.arange(6)).any()


def test_it_raises_the_harmonic_mean_on_a_world_it_has_not_seen(draw_world):
    world = draw_world(seed=3, n=900, d=40, k=16, classes=26, noise=1.2, annotated=3)
    model = SparseAttributePropagation().fit(world.X[::2], world.y[::2], class_attributes=world.Z)
    scores = {}
    for calibrated in (True, False):
        acc_s = np.mean(model.predict(world.X[1::2], calibrated=calibrated) == world.labels[1::2])
        acc_u = np.mean(model.predict(world.X_unseen, calibrated=calibrated) == world.labels_unseen)
        scores[calibrated] = 2 * acc_s * acc_u / (acc_s + acc_u)
    assert scores[True] > scores[False]


def test_the_printed_algorithm_has_no_bias(world):
    model = SparseAttributePropagation("paper", k_g=10, m=12, tol=1.0)
    assert model.fit(world.X, world.y, class_attributes=world.Z).seen_bias_ == 0.0


def test_the_temperature_of_unseen_classes_is_that_of_classes_nobody_learned_from():
    rng = np.random.default_rng(0)
    codes, asked = np.repeat(np.arange(10), 60), []
    codes[::7] = -1
    evidence = Evidence(rng.random((600, 4)), np.eye(10)[codes], np.eye(10), np.ones(600))

    def scorer(given, X, classes):
        """Draw scores that are right with the probabilities of a temperature of 0.2."""
        asked.append((given.Z, classes))
        held = classes.argmax(axis=1)
        truth = np.searchsorted(held, codes[np.isin(codes, held)])
        scores = rng.standard_normal((20000, len(held)))
        chances = np.exp(scores / 0.2)
        levels = chances.cumsum(axis=1) / chances.sum(axis=1, keepdims=True)
        drawn = (levels > rng.random((20000, 1))).argmax(axis=1)
        rows = [np.flatnonzero(drawn == t)[i] for i, t in enumerate(truth)]
        return scores[rows]

    found = unseen_temperature(Relearner(evidence, scorer), codes, 0)
    assert found == pytest.approx(0.2, rel=0.2)
    assert len(asked) == 5
    for taught, held in asked:
        assert (len(taught), len(held)) == (8, 2)
        assert not (taught @ held.T).any()


def test_the_temperature_of_seen_classes_is_that_of_images_nobody_learned_from():
    rng = np.random.default_rng(0)
    codes, calls = np.repeat(np.arange(4), 10), []
    codes[::10] = -1
    number = np.arange(40.0)[:, None]
    evidence = Evidence(number, np.eye(4)[np.repeat(np.arange(4), 10)], np.eye(4), np.ones(40))

    def scorer(given, X, classes):
        calls.append((given.X[:, 0], X[:, 0]))
        return rng.standard_normal((len(X), len(classes)))

    assert seen_temperature(Relearner(evidence, scorer), codes, 0) > 0
    assert len(calls) == 5
    for taught, asked in calls:
        assert not set(taught) & set(asked)
        assert len(taught) + len(asked) == 40
    every = np.concatenate([asked for _, asked in calls])
    assert sorted(every) == list(np.flatnonzero(codes >= 0))


def test_images_withheld_make_it_less_sure(draw_world, monkeypatch):
    world = draw_world(n=400, d=60, classes=12, noise=1.5, annotated=4)
    model = SparseAttributePropagation(unlabelled="ignore")
    model.fit(world.X, world.y, class_attributes=world.Z)
    others = world.y < 0
    proba = model.predict_proba(world.X[others], classes="seen")
    right = proba.argmax(axis=1) == world.labels[others]
    monkeypatch.setattr(learn_robust, "seen_temperature", lambda *_: None)
    before = SparseAttributePropagation(unlabelled="ignore")
    before.fit(world.X, world.y, class_attributes=world.Z)
    sure = before.predict_proba(world.X[others], classes="seen").max(axis=1).mean()
    said = proba.max(axis=1).mean()
    assert before.temperature_ < model.temperature_
    assert abs(said - right.mean()) < abs(sure - right.mean())


def test_a_class_with_one_annotation_keeps_it():
    codes, asked = np.array([0, 1, 1, 2, 2, 2]), []
    number = np.arange(6.0)[:, None]
    evidence = Evidence(number, np.eye(3)[codes], np.eye(3), np.ones(6))

    def scorer(given, X, classes):
        asked.extend(X[:, 0])
        return np.zeros((len(X), 3))

    seen_temperature(Relearner(evidence, scorer), codes, 0)
    assert sorted(asked) == [1, 2, 3, 4, 5]
    alone = Evidence(np.eye(3), np.eye(3), np.eye(3), np.ones(3))
    assert seen_temperature(Relearner(alone, None), np.arange(3), 0) is None


def test_too_few_classes_have_no_temperature_of_their_own():
    evidence = Evidence(np.eye(3), np.eye(3), np.eye(3), np.ones(3))
    assert unseen_temperature(Relearner(evidence, None), np.arange(3), 0) is None


def test_a_few_images_that_are_all_named_correctly_leave_a_doubt(draw_world):
    world = draw_world(noise=0.05, annotated=2)
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    known = world.y >= 0
    sure = model.predict_proba(world.X[known], classes="seen").max(axis=1)
    assert (model.predict(world.X[known], classes="seen") == world.y[known]).all()
    assert 0.7 < sure.mean() < 0.97


def test_a_class_with_many_images_among_many_with_few(monkeypatch):
    monkeypatch.setattr(calibration, "MOST", 6)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        Z, y = rng.random((30, 6)), np.append(np.arange(90) % 30, [0, 0])
        X = Z[y] @ rng.random((6, 40)) + 0.1 * rng.random((92, 40))
        model = SparseAttributePropagation(random_state=seed).fit(X, y, class_attributes=Z)
        assert model.temperature_ > 0
