import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from sapwood.solvers import minimise_squared_hinge, second_moment


def problem(n=200, d=15, c=6, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * np.logspace(0, -1.5, d)
    X[:, -1] = 1.0
    scores = X @ rng.standard_normal((d, c)) + noise * rng.standard_normal((n, c))
    shares = np.linspace(0.02, 0.6, c)
    top = [np.quantile(column, 1 - share) for column, share in zip(scores.T, shares, strict=True)]
    return X, np.where(scores > top, 1, -1)


def objective(X, s, w, C):
    return w @ w / 2 + C * (np.maximum(0, 1 - s * (X @ w)) ** 2).sum()


def reference(X, s, C):
    """LinearSVC without an intercept of its own: the constant column of X makes one."""
    model = LinearSVC(C=C, dual=False, fit_intercept=False, tol=1e-9, max_iter=10_000)
    return model.fit(X, s).coef_.ravel()


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_objectives_are_those_of_linear_svc(C, dtype):
    X, signs = problem()
    found = minimise_squared_hinge(X.astype(dtype), signs, C)
    assert found.converged
    for s, w in zip(signs.T, found.solution, strict=True):
        best = objective(X, s, reference(X, s, C), C)
        assert objective(X, s, w, C) == pytest.approx(best, rel=1e-4)


def test_each_label_may_have_its_own_weight():
    X, signs = problem()
    C = np.logspace(-2, 2, signs.shape[1])
    together = minimise_squared_hinge(X, signs, C, tol=1e-10).solution
    for j, alone in enumerate(C):
        expected = reference(X, signs[:, j], alone)
        np.testing.assert_allclose(together[j], expected, rtol=1e-3, atol=1e-4)


def test_the_residual_bounds_the_excess_and_the_objective_falls():
    X, signs = problem()
    least = minimise_squared_hinge(X, signs, 10.0, tol=1e-12).objective[-1]
    for steps in (1, 2, 4):
        rough = minimise_squared_hinge(X, signs, 10.0, max_iter=steps, tol=1e-12)
        assert rough.n_iter == steps
        assert (np.diff(rough.objective) < 0).all()
        assert rough.objective[-1] / least - 1 <= rough.residual
    assert not rough.converged
    with pytest.warns(ConvergenceWarning, match="4 steps"):
        rough.warn_unless_converged("it", "x")


def test_blocks_and_a_memory_mapped_file_change_nothing(tmp_path, monkeypatch):
    X, signs = problem()
    whole = minimise_squared_hinge(X, signs, 1.0, tol=1e-10).solution
    np.save(tmp_path / "X.npy", X)
    monkeypatch.setattr("sapwood.solvers.squared_hinge.rows_at_a_time", lambda width: 7)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    np.testing.assert_allclose(
        minimise_squared_hinge(mapped, signs, 1.0, tol=1e-10).solution, whole, atol=1e-6
    )


def test_a_good_start_needs_fewer_steps_for_the_same_answer():
    X, signs = problem()
    cold = minimise_squared_hinge(X, signs, 1.0, tol=1e-10)
    warm = minimise_squared_hinge(X, signs, 1.0, start=cold.solution, tol=1e-8)
    assert warm.n_iter == 0
    np.testing.assert_array_equal(warm.solution, cold.solution)


def test_the_moment_does_not_change_the_answer():
    X, signs = problem(n=600)
    usual = minimise_squared_hinge(X, signs, 1.0, tol=1e-10).solution
    wrong = minimise_squared_hinge(
        X, signs, 1.0, tol=1e-10, moment=second_moment(np.eye(X.shape[1]))
    ).solution
    np.testing.assert_allclose(usual, wrong, atol=1e-4)


def test_a_label_that_everybody_has():
    X = problem()[0]
    found = minimise_squared_hinge(X, np.ones((len(X), 1), dtype=int), 1.0)
    assert found.converged
    assert (X @ found.solution[0] > 0).all()


def test_second_moment_is_exact_where_there_are_few_rows():
    X = problem(n=40)[0]
    found = second_moment(X)
    rebuilt = (found.vectors * found.values) @ found.vectors.T
    np.testing.assert_allclose(rebuilt, X.T @ X / 40, atol=1e-12)
