"""Images and projected classes are compared by what held-out classes show of errors."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.models.comparison import (
    PLAIN,
    _held_out,
    _moment,
    compared,
    error_comparison,
    errors_show,
)
from sapwood.models.folds import of_classes
from sapwood.models.parameters import USUAL
from sapwood.models.relearning import Relearner
from sapwood.models.runs import scorer_of
from sapwood.projection import Evidence, lack_of_images, learn_scaled


def draw(p=40, images=20, k=6, d=15, wrong=3.0, noise=0.3, seed=0):
    """Features linear in attributes, but for one direction, in which classes lie anywhere."""
    rng = np.random.default_rng(seed)
    Z, labels = rng.random((p, k)), np.repeat(np.arange(p), images)
    astray = np.linalg.qr(rng.standard_normal((d, 1)))[0][:, 0]
    means = (Z - 0.5) @ rng.standard_normal((k, d))
    means += wrong * rng.standard_normal((p, 1)) * astray
    return means[labels] + noise * rng.standard_normal((p * images, d)), labels, Z, astray


def evidence_of(X, labels, Z):
    return Evidence(X, np.eye(len(Z))[labels], Z, np.ones(len(X)))


def found(evidence, exponent=0.15, attribute_map="l2"):
    return error_comparison(evidence, attribute_map, 0.08, exponent, seed=0)


def test_a_direction_in_which_classes_lie_anywhere_counts_least():
    X, labels, Z, astray = draw()
    values, vectors = np.linalg.eigh(found(evidence_of(X, labels, Z)))
    assert abs(vectors[:, 0] @ astray) > 0.99
    assert values[0] < 0.9 * values[1]
    B = found(evidence_of(X, labels, Z), exponent=0.3)
    np.testing.assert_allclose(np.linalg.eigvalsh(B), values**2, rtol=1e-9)


@pytest.mark.parametrize("weight", [1.0, 0.01])
def test_it_is_the_shrunk_moment_to_a_negative_power(weight):
    """With little weight there are fewer images than features, and more is added."""
    X, labels, Z, _ = draw()
    evidence = Evidence(X, np.eye(40)[labels], Z, np.full(len(X), weight))
    rng = np.random.default_rng(0)
    E = _moment(evidence, [_held_out(evidence, "l2", 0.08, rng) for _ in range(3)])
    added = 2 * np.trace(E) / 15 * (1 if weight == 1 else 15 / 8)
    values, vectors = np.linalg.eigh(E + added * np.eye(15))
    expected = (vectors * (values / values.mean()) ** -0.15) @ vectors.T
    np.testing.assert_allclose(found(evidence), expected, atol=1e-12)


def test_the_moment_is_that_of_images_about_the_projections_of_their_classes():
    rng = np.random.default_rng(1)
    F, weights = rng.dirichlet(np.ones(5), 30), rng.random(30)
    evidence = Evidence(rng.random((30, 4)), F, rng.random((5, 3)), weights)
    held_out = [rng.random((5, 4)) for _ in range(2)]
    aways = [evidence.X[:, None] - prototypes for prototypes in held_out]
    sums = [np.einsum("n,nc,nci,ncj->ij", weights, F, away, away) for away in aways]
    np.testing.assert_allclose(_moment(evidence, held_out), sum(sums) / (2 * weights.sum()))


@pytest.mark.parametrize("attribute_map", ["l2", "kernel"])
def test_a_class_held_out_has_no_part_in_its_own_projection(attribute_map):
    X, labels, Z, _ = draw()
    moved = np.where((labels == 7)[:, None], X + 100, X)
    rng = [np.random.default_rng(3) for _ in range(2)]
    plain, other = (
        _held_out(evidence_of(x, labels, Z), attribute_map, 0.08, r)
        for x, r in zip((X, moved), rng, strict=True)
    )
    np.testing.assert_allclose(plain[7], other[7], rtol=1e-6)
    assert np.abs(plain - other).max() > 1


def test_it_is_projected_as_the_others_would_have_it():
    X, labels, Z, _ = draw(p=20)
    evidence = evidence_of(X, labels, Z)
    part = np.random.default_rng(3).permutation(20) % 5
    kept, held = np.flatnonzero(part != 0), np.flatnonzero(part == 0)
    unit = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    taught = of_classes(Evidence(X, evidence.F, unit, evidence.weights), kept)
    learned = learn_scaled(taught, 0.08, 0.0)
    assert lack_of_images(evidence) == lack_of_images(taught) == 1
    prototypes = _held_out(evidence, "l2", 0.08, np.random.default_rng(3))
    np.testing.assert_allclose(prototypes[held], unit[held] @ learned.W * learned.scale)


NOISY = {"images": 2, "noise": 5.0, "wrong": 0.0}


@pytest.mark.parametrize(
    ("problem", "show"), [({}, True), ({"p": 12}, True), ({"p": 11}, False), (NOISY, False)]
)
def test_errors_of_few_classes_or_images_cannot_be_told_from_noise(problem, show):
    X, labels, Z, _ = draw(**problem)
    assert errors_show(evidence_of(X, labels, Z)) is show
    y = np.where(labels == 0, -1, labels) if show else labels
    model = SparseAttributePropagation().fit(X, y, class_attributes=Z)
    assert bool(model.comparison_.size) is bool(model.error_whitening_) is (show and len(Z) > 12)


def test_features_stay_as_they_are_where_nobody_asked():
    X, labels, Z, _ = draw()
    np.testing.assert_array_equal(compared(X, PLAIN), X)
    for options in ({"error_whitening": 0}, {"beta": 0.01}):
        model = SparseAttributePropagation(**options).fit(X, labels, class_attributes=Z)
        assert model.comparison_.shape == PLAIN.shape
        assert model.error_whitening_ == 0
    assert SparseAttributePropagation().fit(X, labels).comparison_.shape == PLAIN.shape


def test_classes_that_play_unseen_ones_had_no_part_in_the_comparison(monkeypatch):
    X, y, Z, _, _ = problem(0)
    learned = []

    def spy(evidence, *settings):
        learned.append(len(evidence.Z))
        return error_comparison(evidence, *settings)

    monkeypatch.setattr("sapwood.models.learn_robust.error_comparison", spy)
    SparseAttributePropagation().fit(X, y, class_attributes=Z)
    assert learned[0] == 40
    # The bias holds out thirds of the classes, the temperature fifths.
    assert learned.count(32) == 5
    assert len(learned) > 1 + 3 + 5
    assert all(count in (26, 27) for count in learned[1:] if count != 32)


def test_equal_images_and_classes_described_alike_leave_numbers():
    X, labels, Z, _ = draw()
    for evidence in (
        evidence_of(np.zeros_like(X), labels, Z),
        evidence_of(X, labels, np.ones_like(Z)),
    ):
        for attribute_map in ("l2", "kernel"):
            assert np.isfinite(found(evidence, attribute_map=attribute_map)).all()


def problem(seed, **options):
    X, labels, Z, _ = draw(p=50, seed=seed, noise=1.0, **options)
    old = labels < 40
    y = np.where(np.arange(len(X)) % 20 < 10, labels, -1)
    return X[old], y[old], Z, X[~old], labels[~old]


def right(seed, **options):
    X, y, Z, X_new, truth = problem(seed)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=Z)
    return np.mean(model.predict(X_new, classes="unseen") == truth)


def test_new_classes_are_named_better():
    gains = [right(seed) - right(seed, error_whitening=0) for seed in range(6)]
    assert np.mean(gains) > 0.01


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_scores_and_explanations_are_of_what_is_compared(metric):
    X, y, Z, X_new, _ = problem(0)
    model = SparseAttributePropagation(metric=metric, remoteness=0).fit(X, y, class_attributes=Z)
    assert model.error_whitening_ == 0.15
    prototypes = model.attribute_map_.transform(Z) @ model.projection_ @ model.comparison_
    images = model.feature_map_.transform(X_new) @ model.comparison_
    if metric == "cosine":
        prototypes, images = (
            rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (prototypes, images)
        )
        expected = images @ prototypes.T
    else:
        expected = -((images[:, None] - prototypes) ** 2).sum(axis=2)
    scores = model.decision_function(X_new, calibrated=False)
    np.testing.assert_allclose(scores, expected, atol=1e-12)
    told = model.explain(X_new)
    np.testing.assert_allclose(told.parts.sum(axis=1) + told.bias, told.lead, atol=1e-9)


def test_what_is_learned_anew_is_compared_in_the_same_way():
    X, labels, Z, _ = draw()
    settings = {**USUAL, "attribute_map": "l2"}
    B = np.random.default_rng(0).random((15, 15))
    kept, asked = np.arange(30), np.arange(700, 720)
    plain, other = (
        Relearner(evidence, scorer_of(settings, lambda taught, by=by: by)).scores(kept, asked, kept)
        for evidence, by in (
            (evidence_of(X, labels, Z), B),
            (evidence_of(X @ B, labels, Z), PLAIN),
        )
    )
    np.testing.assert_allclose(plain, other)


@pytest.mark.parametrize("kind", ["temperature_", "unseen_temperature_"])
def test_temperatures_are_of_the_scores_that_are_given(kind):
    """Twice the scale of what is compared is four times the temperature."""
    X, y, Z, _, _ = problem(0)

    def fitted(scale):
        def scaled(*given):
            return scale * error_comparison(*given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sapwood.models.learn_robust.error_comparison", scaled)
            return SparseAttributePropagation().fit(X, y, class_attributes=Z)

    once, twice = fitted(1.0), fitted(2.0)
    assert getattr(twice, kind) == pytest.approx(4 * getattr(once, kind), rel=1e-3)
    assert twice.seen_bias_ == pytest.approx(4 * once.seen_bias_, rel=1e-3)


@pytest.mark.parametrize("images", [1, 4])
def test_a_model_is_saved_with_its_comparison(images, tmp_path):
    X, y, Z, X_new, _ = problem(0)
    # With one annotated image a class its own temperature is all there is.
    y = np.where(np.arange(len(X)) % 20 < images, y, -1)
    model = SparseAttributePropagation(unlabelled="all").fit(X, y, class_attributes=Z)
    assert model.comparison_.size
    model.save(tmp_path / "m.sap")
    again = SparseAttributePropagation.load(tmp_path / "m.sap")
    np.testing.assert_array_equal(again.decision_function(X_new), model.decision_function(X_new))


@pytest.mark.parametrize("value", [-0.1, 1, 10**400, "auto", True])
def test_an_exponent_is_a_number_below_one(world, value):
    with pytest.raises(ValueError, match=r"error_whitening is .* expected a finite number"):
        SparseAttributePropagation(error_whitening=value).fit(world.X, world.y)


def test_the_printed_algorithm_compares_as_it_says(world):
    model = SparseAttributePropagation("paper", k_g=10, m=12, tol=1.0)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert model.comparison_.shape == PLAIN.shape
    assert model.error_whitening_ == 0
    with pytest.raises(ValueError, match="error_whitening has no meaning under preset='paper'"):
        SparseAttributePropagation("paper", error_whitening=0.1).fit(world.X, world.y)
