import numpy as np
import pytest
import scipy.linalg

from sapwood.projection import (
    Evidence,
    learn_forward,
    learn_projection,
    learn_scaled,
    proposition_bounds,
    prototypes_along,
    ridge_for,
)
from sapwood.solvers import symmetric_eigen


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.standard_normal((50, 12)), rng.standard_normal((50, 7))


def project(X, Y, ridge, forward=1.0):
    return learn_projection(Y.T @ Y, Y.T @ X, symmetric_eigen(X.T @ X), ridge, forward)


def close(found, expected, tolerance=1e-9):
    return np.linalg.norm(found - expected) <= tolerance * np.linalg.norm(expected)


@pytest.mark.parametrize("ridge", [0.01, 1.0, 100.0])
def test_equals_scipys_sylvester_solver(data, ridge):
    X, Y = data
    expected = scipy.linalg.solve_sylvester(Y.T @ Y + ridge * np.eye(7), X.T @ X, 2 * Y.T @ X)
    assert close(project(X, Y, ridge), expected)


def test_equals_the_kronecker_solve_of_the_gradient():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((9, 3)), rng.standard_normal((9, 2))
    system = np.kron(Y.T @ Y + 0.5 * np.eye(2), np.eye(3)) + np.kron(np.eye(2), X.T @ X)
    expected = np.linalg.solve(system, (2 * Y.T @ X).ravel()).reshape(2, 3)
    assert close(project(X, Y, 0.5), expected, 1e-12)


def test_without_ridge_it_is_the_semantic_autoencoder(data):
    X, Y = data
    lam, S, columns = 1.0, Y.T, X.T
    A, B, C = S @ S.T, lam * columns @ columns.T, (1 + lam) * S @ columns.T
    assert close(project(X, Y, 0.0), scipy.linalg.solve_sylvester(A, B, C))


def test_without_the_forward_term_it_is_ridge_regression(data):
    X, Y = data
    expected = np.linalg.solve(Y.T @ Y + 0.3 * np.eye(7), Y.T @ X)
    assert close(project(X, Y, 0.3, forward=0.0), expected)


@pytest.mark.parametrize("forward", [0.003, 1.0, 20.0])
def test_minimises_its_objective(data, forward):
    X, Y = data
    W = project(X, Y, 0.1, forward)
    gradient = forward * (W @ X.T - Y.T) @ X + Y.T @ (Y @ W - X) + 0.1 * W
    np.testing.assert_allclose(gradient, 0, atol=1e-9)


def evidence(X, Y):
    return Evidence(X, np.eye(len(X)), Y, np.ones(len(X)))


@pytest.mark.parametrize("forward", [0.0, 0.01])
@pytest.mark.parametrize(("a", "b"), [(1.0, 10.0), (100.0, 1.0), (1e-3, 1e4)])
def test_scaled_projection_does_not_depend_on_units(data, a, b, forward):
    X, Y = data
    one = learn_scaled(evidence(X, Y), 1.0, forward)
    other = learn_scaled(evidence(a * X, b * Y), 1.0, forward)
    np.testing.assert_allclose(other.W, one.W, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(other.scale, one.scale * a / b)


def test_scaled_projection_without_a_forward_term_is_its_limit(data):
    given = evidence(*data)
    np.testing.assert_allclose(
        learn_scaled(given, 1.0, 0.0).W, learn_scaled(given, 1.0, 1e-12).W, atol=1e-9
    )


@pytest.mark.parametrize("seed", range(20))
def test_propositions_hold_for_the_scale_free_problem(seed):
    rng = np.random.default_rng(seed)
    k, d, beta, ridge = 5, 8, 10 ** rng.uniform(-3, 0), 10 ** rng.uniform(-2, 1)
    X, Y = rng.standard_normal((30, d)), rng.standard_normal((30, k))
    X *= np.sqrt(d) / np.linalg.norm(X)
    Y *= np.sqrt(k) / np.linalg.norm(Y)
    bounds = proposition_bounds(np.sqrt(k), np.sqrt(d), ridge, beta)
    W = project(X, Y, ridge, beta)
    assert np.linalg.norm(W) <= bounds.C2
    delta = 10 ** rng.uniform(-3, 0) * rng.standard_normal(Y.shape)
    moved = project(X, Y + delta, ridge, beta)
    assert np.linalg.norm(moved - W) <= bounds.change_of_projection(delta)


def drawn(images, noise, weight=1.0, p=400, d=30, seed=0):
    """Images of p classes whose variance within a class is `noise` times that between them."""
    rng = np.random.default_rng(seed)
    F = np.repeat(np.eye(p), images, axis=0)
    X = F @ rng.standard_normal((p, d)) + np.sqrt(noise) * rng.standard_normal((len(F), d))
    return Evidence(X, F, np.eye(p), np.full(len(F), weight))


@pytest.mark.parametrize("weight", [1.0, 0.1])
@pytest.mark.parametrize(("images", "noise"), [(2, 1.0), (5, 4.0), (3, 20.0), (20, 0.3)])
def test_noise_is_measured_and_does_not_depend_on_the_unit_of_weights(images, noise, weight):
    given = drawn(images, noise, weight)
    np.testing.assert_allclose(given.noise, noise, rtol=0.12)
    np.testing.assert_allclose(given.noise, drawn(images, noise).noise)


def test_soft_memberships_and_classes_nobody_belongs_to_are_no_obstacle():
    given, rng = drawn(20, 2.0, p=40), np.random.default_rng(1)
    F = np.hstack([0.9 * given.F, np.zeros((len(given.F), 1))])
    F[np.arange(len(F)), rng.integers(0, 40, len(F))] += 0.1
    soft = Evidence(given.X, F, np.eye(41), given.weights)
    assert 2.0 < soft.noise < 4.0


def test_without_two_images_a_class_there_is_no_noise_to_measure():
    assert drawn(1, 4.0).noise is None
    alike = Evidence(np.ones((6, 2)), np.repeat(np.eye(3), 2, axis=0), np.eye(3), np.ones(6))
    assert alike.noise == 0


def test_classes_that_cannot_be_told_apart_have_the_largest_noise():
    rng = np.random.default_rng(0)
    F = np.repeat(np.eye(20), 3, axis=0)
    lost = Evidence(rng.standard_normal((60, 400)), F, np.eye(20), np.ones(60))
    assert 20 < lost.noise <= 50


def test_the_ridge_grows_as_the_noise_of_a_class_does():
    given = drawn(5, 4.0)
    assert ridge_for(0.5, given) == pytest.approx(0.5 * 2 * given.noise / 5)
    assert ridge_for(0.5, drawn(20, 4.0)) == 0.5
    assert ridge_for(0.5, drawn(1, 4.0)) == 0.5 * 2 * 4
    assert ridge_for(0.5, drawn(1, 4.0, weight=0.25)) == 0.5 * 2 * 4 * 4


def test_prototypes_along_ridges_are_those_of_a_projection_each():
    given = drawn(2, 1.0, p=12)
    rng = np.random.default_rng(2)
    Z, classes = rng.standard_normal((12, 4)), rng.standard_normal((3, 4))
    there = Evidence(given.X, given.F, Z, given.weights)
    ridges = (0.01, 0.3, 7.0)
    for ridge, found in zip(ridges, prototypes_along(there, classes, ridges), strict=True):
        one = learn_scaled(there, ridge, 0.0)
        np.testing.assert_allclose(found, classes @ one.W * one.scale, atol=1e-10)


def test_images_that_are_all_the_same_say_nothing_of_attributes():
    np.testing.assert_array_equal(learn_forward(np.zeros((3, 4)), np.zeros((4, 4)), 0.1), 0)
