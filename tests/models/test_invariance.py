import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from sapwood import SparseAttributePropagation

PAPER = {"preset": "paper", "k_g": 10, "m": 12, "attribute_map": "l2", "tol": 1.0}


def scores(world, options, X=None, Z=None, map_features=lambda X: X):
    Z = world.Z if Z is None else Z
    model = SparseAttributePropagation(**options)
    model.fit(map_features(world.X), world.y, class_attributes=Z)
    return model.decision_function(map_features(world.X_unseen))


@pytest.mark.parametrize("options", [{}, PAPER], ids=["robust", "paper"])
def test_permuting_rows_permutes_the_result(world, options):
    order = np.random.default_rng(0).permutation(len(world.X))
    straight = SparseAttributePropagation(**options)
    straight.fit(world.X, world.y, class_attributes=world.Z)
    shuffled = SparseAttributePropagation(**options)
    shuffled.fit(world.X[order], world.y[order], class_attributes=world.Z)
    np.testing.assert_allclose(shuffled.attributes_, straight.attributes_[order], atol=1e-8)
    np.testing.assert_allclose(shuffled.projection_, straight.projection_, atol=1e-8)


def test_rotating_features_leaves_the_paper_preset_alone(world):
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((world.X.shape[1],) * 2))[0]
    rotated = scores(world, PAPER, map_features=lambda X: X @ Q)
    np.testing.assert_allclose(rotated, scores(world, PAPER), atol=1e-7)


@pytest.mark.parametrize("factor", [1e-3, 100.0])
def test_scaling_attributes_leaves_the_robust_preset_alone(world, factor):
    np.testing.assert_allclose(scores(world, {}, Z=factor * world.Z), scores(world, {}), atol=1e-9)


@pytest.mark.parametrize("norm", [1, 2])
def test_normalised_attributes_mean_the_same_to_the_robust_preset(world, norm):
    Z = world.Z / np.linalg.norm(world.Z, ord=norm, axis=1, keepdims=True)
    np.testing.assert_allclose(scores(world, {}, Z=Z), scores(world, {}), atol=1e-9)


@pytest.mark.parametrize("factor", [1e-3, 10.0])
def test_scaling_features_leaves_the_robust_preset_alone(world, factor):
    scaled = scores(world, {}, map_features=lambda X: factor * X)
    np.testing.assert_allclose(scaled, scores(world, {}), atol=1e-8)


@pytest.mark.parametrize("options", [{}, PAPER], ids=["robust", "paper"])
def test_the_number_of_threads_does_not_matter(draw_world, options):
    world = draw_world(n=900, d=80)
    results = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            results.append(scores(world, options))
    np.testing.assert_allclose(results[0], results[1], atol=1e-6)


@pytest.mark.parametrize("options", [{}, PAPER], ids=["robust", "paper"])
def test_two_fits_are_equal(world, options):
    np.testing.assert_array_equal(scores(world, options), scores(world, options))
