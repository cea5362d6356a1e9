import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from sapwood.propagation import propagate_to_images
from sapwood.solvers import minimise_l1_quadratic


def with_spectral_norm(rng, shape, norm):
    W = rng.standard_normal(shape)
    return W * norm / np.linalg.norm(W, 2)


def lasso_rows(A, B, weight):
    """Minimise ‖A d - b‖² + weight ‖d‖₁ for each row b of B."""
    model = Lasso(alpha=weight / (2 * len(A)), fit_intercept=False, tol=1e-15, max_iter=200_000)
    return np.array([model.fit(A, b).coef_ for b in B])


def stacked_design(Y_smooth, Y_given, W, X, lambda3):
    """Eq. 8 as one least-squares problem for each image."""
    k, root = len(W), np.sqrt(lambda3)
    A = np.vstack([np.eye(k), root * np.eye(k), root * W.T])
    B = np.hstack([Y_smooth - Y_given, root * (X @ W.T - Y_given), root * (X - Y_given @ W)])
    return A, B


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("norm", [0.1, 10.0, 100.0])
@pytest.mark.parametrize("lambda3", [1e-6, 1e-2, 1.0])
@pytest.mark.parametrize("lambda2", [1e-4, 0.3])
def test_sap2_equals_lasso_on_the_stacked_design(norm, lambda3, lambda2):
    rng = np.random.default_rng(0)
    n, k, d = 6, 5, 8
    X, W = rng.standard_normal((n, d)), with_spectral_norm(rng, (k, d), norm)
    Y_given = rng.standard_normal((n, k)) * (rng.random((n, 1)) < 0.5)
    Y_smooth = Y_given + 0.5 * rng.standard_normal((n, k))
    found = propagate_to_images(
        Y_smooth, Y_given, W, X @ W.T, lambda2=lambda2, lambda3=lambda3, start=Y_given
    )
    A, B = stacked_design(Y_smooth, Y_given, W, X, lambda3)
    expected = Y_given + lasso_rows(A, B, lambda2)
    assert found.converged
    np.testing.assert_allclose(found.solution, expected, atol=1e-6, rtol=0)


def test_too_hard_a_problem_says_so_with_its_residual():
    rng = np.random.default_rng(0)
    H = np.diag([1e-9, 1.0, 1e6])
    found = minimise_l1_quadratic(
        H, rng.standard_normal((4, 3)), 0.01, np.zeros((4, 3)), max_iter=50
    )
    assert not found.converged
    with pytest.warns(ConvergenceWarning, match=r"it stopped after 50 steps .* of \d\.\de.*; x"):
        found.warn_unless_converged("it", "x")


@pytest.mark.parametrize("seed", range(20))
def test_objective_never_rises_and_the_residual_bounds_the_error(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 8))
    M = rng.standard_normal((k, k)) * 10 ** rng.uniform(-2, 1.5)
    H, C = np.eye(k) + M @ M.T, rng.standard_normal((9, k))
    start = rng.standard_normal((9, k))
    exact = minimise_l1_quadratic(H, C, 0.2, start, tol=1e-13, max_iter=100_000).solution
    for max_iter in (3, 10, 40):
        rough = minimise_l1_quadratic(H, C, 0.2, start, max_iter=max_iter, tol=1e-11)
        drops = np.diff(rough.objective)
        assert (drops <= 1e-12 * np.abs(rough.objective[:-1])).all()
        error = np.linalg.norm(rough.solution - exact) / np.linalg.norm(rough.solution)
        assert error <= rough.residual + 1e-9


def test_a_weight_beyond_the_largest_gives_zero():
    C = np.random.default_rng(0).standard_normal((5, 3))
    found = minimise_l1_quadratic(2 * np.eye(3), C, 2 * np.abs(C).max(), np.ones((5, 3)))
    assert found.converged
    assert not found.solution.any()
