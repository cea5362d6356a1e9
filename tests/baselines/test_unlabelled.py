import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.baselines import FILLS, RPL
from sapwood.features import FEATURE_MAPS, FeatureMap, unit_rows


@pytest.fixture
def X(world):
    return FeatureMap(**FEATURE_MAPS["whitened"]).fit_transform(world.X)


def test_ignore_keeps_annotated_images_alone(world, X):
    weight = np.linspace(0.1, 1, len(X))
    evidence = FILLS["ignore"](X, world.y, world.Z[:6], weight)
    known = world.y >= 0
    np.testing.assert_array_equal(evidence.X, X[known])
    np.testing.assert_array_equal(evidence.Y, world.Z[world.y[known]])
    np.testing.assert_array_equal(evidence.weights, weight[known])


def test_nearest_is_a_literal_loop(world, X):
    evidence = FILLS["nearest"](X, world.y, world.Z[:6], np.ones(len(X)))
    known = np.flatnonzero(world.y >= 0)
    for row, x in enumerate(X):
        nearest = min(known, key=lambda i, x=x: np.linalg.norm(x - X[i]))
        label = world.y[row] if world.y[row] >= 0 else world.y[nearest]
        assert evidence.F[row, label] == evidence.F[row].sum() == 1


def test_an_annotated_image_keeps_its_label_beside_a_twin_of_another_class():
    X = np.array([[0.0], [0.0], [5.0]])
    evidence = FILLS["nearest"](X, np.array([0, 1, -1]), np.eye(2), np.ones(3))
    np.testing.assert_array_equal(evidence.F[:2], np.eye(2))


def test_propagate_is_what_the_robust_preset_propagates_first(world, X):
    evidence = FILLS["propagate"](X, world.y, world.Z[:6], np.ones(len(X)))
    model = SparseAttributePropagation(max_iter=1, unlabelled="all")
    model.fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_allclose(evidence.Y, model.attributes_, atol=1e-12)
    np.testing.assert_allclose(evidence.weights, model.confidence_, atol=1e-12)


def test_paper_is_what_the_printed_algorithm_propagates(world):
    n = len(world.X)
    model = SparseAttributePropagation("paper", features="whitened", k_g=n - 1, m=50)
    with pytest.warns(ConvergenceWarning, match="stopped after 5 iterations"):
        model.fit(world.X, world.y, class_attributes=world.Z)
    X = model.feature_map_.transform(world.X)
    Z = world.Z[:6]
    evidence = FILLS["paper"](X, world.y, Z, np.ones(n))
    unit = np.linalg.norm(model.attributes_) / np.linalg.norm(evidence.Y)
    np.testing.assert_allclose(unit * evidence.Y, model.attributes_, atol=1e-9)
    assert (unit_rows(evidence.Y) @ unit_rows(Z).T).argmax(axis=1).tolist() == evidence.F.argmax(
        axis=1
    ).tolist()


def test_spread_solves_the_equation_of_label_spreading(world, X):
    evidence = FILLS["spread"](X, world.y, world.Z[:6], np.ones(len(X)))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    A = np.zeros_like(distances)
    np.put_along_axis(A, np.argsort(distances, axis=1)[:, :10], 1.0, axis=1)
    np.fill_diagonal(A, 0)
    degree = np.sqrt(A.sum(axis=0))
    given = np.where(world.y[:, None] == np.arange(6), 1.0, 0.0)
    F = np.linalg.solve(np.eye(len(X)) - 0.5 * A / np.outer(degree, degree), given)
    np.testing.assert_allclose(evidence.F, F / F.sum(axis=1, keepdims=True), atol=1e-3)


@pytest.mark.parametrize("name", ["propagate", "spread"])
def test_an_image_no_label_reaches_has_no_say(name):
    rng = np.random.default_rng(0)
    X = unit_rows(rng.standard_normal((30, 2)) + np.repeat([[9.0, 0.0], [-9.0, 0.0]], 15, axis=0))
    codes = np.full(30, -1)
    codes[:2] = 0, 1
    evidence = FILLS[name](X, codes, np.eye(2), np.ones(30))
    assert not evidence.F[15:].any()
    assert not evidence.weights[15:].any()
    np.testing.assert_allclose(evidence.F[:15].sum(axis=1), 1)
    assert (evidence.weights[:15] > 0).all()


@pytest.mark.parametrize("name", FILLS)
def test_an_annotation_without_weight_is_none(world, name):
    wrong, silent, weight = world.y.copy(), world.y.copy(), np.ones(len(world.y))
    row = np.flatnonzero(world.y == 0)[0]
    wrong[row], silent[row], weight[row] = 1, -1, 0.0
    one, other = (
        RPL(unlabelled=name).fit(world.X, y, class_attributes=world.Z, sample_weight=weight)
        for y in (wrong, silent)
    )
    np.testing.assert_allclose(one.projection_, other.projection_, atol=1e-9)


def test_the_temperature_does_not_hear_an_annotation_without_weight(world):
    row = np.flatnonzero(world.y == 0)[0]
    weight = np.ones(len(world.y))
    weight[row] = 0.0
    fits = [
        RPL().fit(world.X, y, class_attributes=world.Z, sample_weight=weight)
        for y in (world.y, np.where(np.arange(len(world.y)) == row, 1, world.y))
    ]
    assert fits[0].temperature_ == pytest.approx(fits[1].temperature_)


@pytest.mark.parametrize("name", [name for name in FILLS if name != "ignore"])
def test_unannotated_images_have_a_say(world, name):
    alone = RPL().fit(world.X, world.y, class_attributes=world.Z)
    filled = RPL(unlabelled=name).fit(world.X, world.y, class_attributes=world.Z)
    assert not np.allclose(alone.projection_, filled.projection_)


def test_a_class_that_only_weightless_images_have_is_spread_nowhere(world):
    weight = np.where(world.y == 2, 0.0, 1.0)
    model = RPL(unlabelled="spread")
    model.fit(world.X, world.y, class_attributes=world.Z, sample_weight=weight)
    assert model.seen_.tolist() == [0, 1, 3, 4, 5]
