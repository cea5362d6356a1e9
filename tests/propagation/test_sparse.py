import numpy as np
import pytest
from sklearn.linear_model import Lasso
from sklearn.semi_supervised import LabelSpreading

from sapwood.graph import affinity_matrix, nearest_neighbors, spectral_basis
from sapwood.propagation import propagate_to_images, smooth_coefficients, smoothness


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((60, 4))


@pytest.fixture
def A(X):
    return affinity_matrix(*nearest_neighbors(X, 5))


@pytest.mark.parametrize("lambda1", [1e-3, 0.1, 1.0, 10.0])
def test_sap1_equals_lasso_column_by_column(A, lambda1):
    basis = spectral_basis(A, 10)
    Y = np.random.default_rng(1).standard_normal((60, 3))
    alpha = smooth_coefficients(Y, basis, lambda1, "double-l1")
    # The first eigenvalue is zero, its coefficient free; Lasso sees the penalised ones, rescaled.
    free, root = basis.values <= 1e-12, np.sqrt(basis.values)
    design = basis.vectors[:, ~free] / root[~free]
    for j in range(3):
        model = Lasso(alpha=lambda1 / 120, fit_intercept=False, tol=1e-14, max_iter=100_000)
        rescaled = model.fit(design, Y[:, j]).coef_
        np.testing.assert_allclose(alpha[~free, j], rescaled / root[~free], atol=1e-8)
    np.testing.assert_allclose(alpha[free], basis.vectors[:, free].T @ Y, atol=1e-12)


@pytest.mark.parametrize("penalty", ["double-l1", "single-l1"])
def test_sap1_minimises_its_objective(A, penalty):
    rng = np.random.default_rng(2)
    basis, Y = spectral_basis(A, 8), rng.standard_normal((60, 2))

    def objective(alpha):
        fit = np.linalg.norm(basis.vectors @ alpha - Y) ** 2
        return fit + 0.7 * smoothness(alpha, basis, penalty)

    best = smooth_coefficients(Y, basis, 0.7, penalty)
    for _ in range(200):
        step = 10 ** rng.uniform(-6, 0) * rng.standard_normal(best.shape)
        assert objective(best) <= objective(best + step)


def test_without_a_penalty_sap1_projects_onto_the_basis(A):
    basis, Y = spectral_basis(A, 60), np.random.default_rng(3).standard_normal((60, 2))
    for penalty in ("double-l1", "no-l1"):
        alpha = smooth_coefficients(Y, basis, 0.0, penalty)
        np.testing.assert_allclose(basis.vectors @ alpha, Y, atol=1e-10)


@pytest.mark.parametrize("lambda1", [0.25, 1.0, 9.0])
def test_one_no_l1_pass_over_the_whole_spectrum_is_label_spreading(X, A, lambda1):
    labels = np.full(60, -1)
    labels[:9] = np.arange(9) % 3
    T = np.eye(3)[labels[:9]]
    Y_given = np.vstack([T, np.zeros((51, 3))])
    basis = spectral_basis(A, 60)
    Y = basis.vectors @ smooth_coefficients(Y_given, basis, lambda1, "no-l1")
    spreading = LabelSpreading(
        kernel=lambda U, V: A.toarray(), alpha=lambda1 / (1 + lambda1), max_iter=10_000, tol=1e-12
    ).fit(X, labels)
    expected = spreading.label_distributions_
    np.testing.assert_allclose(Y / Y.sum(axis=1, keepdims=True), expected, atol=1e-8)


def test_without_lambda2_sap2_solves_its_normal_equations():
    rng = np.random.default_rng(4)
    X, W = rng.standard_normal((7, 5)), rng.standard_normal((3, 5))
    Y_smooth, Y_given = rng.standard_normal((2, 7, 3))
    Y = propagate_to_images(
        Y_smooth, Y_given, W, X @ W.T, lambda2=0.0, lambda3=0.3, start=Y_given
    ).solution
    gradient = (Y - Y_smooth) + 0.3 * (Y - X @ W.T) + 0.3 * (Y @ W - X) @ W.T
    np.testing.assert_allclose(gradient, 0, atol=1e-12)


def test_a_large_lambda2_returns_the_given_attributes():
    rng = np.random.default_rng(5)
    W, Y_given = rng.standard_normal((3, 5)), rng.standard_normal((7, 3))
    Y_smooth, nothing = rng.standard_normal((7, 3)), np.zeros((7, 3))
    found = propagate_to_images(
        Y_smooth, Y_given, W, nothing, lambda2=1e4, lambda3=0.1, start=nothing
    )
    np.testing.assert_allclose(found.solution, Y_given, atol=1e-12)
