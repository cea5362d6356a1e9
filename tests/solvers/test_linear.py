import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

from sapwood.features import unit_rows
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.solvers import (
    Factored,
    largest_eigenpairs,
    solve_nonnegative,
    solve_sylvester,
    symmetric_eigen,
)
from sapwood.solvers.eigen import DENSE_SIZE


def random_affinity(rng, n, density=0.1):
    A = rng.random((n, n)) * (rng.random((n, n)) < density)
    A = A + A.T
    scale = 1 / np.sqrt(np.maximum(A.sum(axis=1), 1e-9))
    return scipy.sparse.csr_array(scale[:, None] * A * scale)


@pytest.mark.parametrize("seed", range(5))
def test_sylvester_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    k, d = rng.integers(2, 40, 2)
    A, B = (M @ M.T for M in (rng.standard_normal((k, 50)), rng.standard_normal((d, 50))))
    R = rng.standard_normal((k, d))
    expected = scipy.linalg.solve_sylvester(A, B, R)
    found = solve_sylvester(symmetric_eigen(A), symmetric_eigen(B), R)
    assert np.linalg.norm(found - expected) <= 1e-9 * np.linalg.norm(expected)


def test_sylvester_equals_the_kronecker_solve():
    rng = np.random.default_rng(0)
    A, B, R = np.diag([1.0, 2.0]), np.eye(3) + np.ones((3, 3)), rng.standard_normal((2, 3))
    system = np.kron(A, np.eye(3)) + np.kron(np.eye(2), B)
    found = solve_sylvester(symmetric_eigen(A), symmetric_eigen(B), R)
    np.testing.assert_allclose(found.ravel(), np.linalg.solve(system, R.ravel()), rtol=1e-12)


def test_singular_sylvester_has_the_solution_of_least_norm():
    A, B = np.diag([0.0, 1.0]), np.diag([0.0, 2.0])
    R = np.array([[0.0, 2.0], [3.0, 6.0]])
    found = solve_sylvester(symmetric_eigen(A), symmetric_eigen(B), R)
    np.testing.assert_allclose(found, [[0.0, 1.0], [3.0, 2.0]], atol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_nonnegative_system_equals_a_dense_solve(alpha):
    rng = np.random.default_rng(0)
    S = random_affinity(rng, 120)
    T = rng.random((120, 4)) * (rng.random((120, 1)) < 0.1)
    found = solve_nonnegative(S, alpha, T)
    expected = np.linalg.solve(np.eye(120) - alpha * S.toarray(), T)
    assert found.converged
    np.testing.assert_allclose(found.solution, expected, rtol=1e-6, atol=1e-14)


def test_what_little_reaches_a_far_row_is_accurate_too():
    n = 300
    path = scipy.sparse.diags([np.full(n - 1, 0.5)] * 2, [-1, 1])
    T = np.zeros((n, 1))
    T[0] = 1.0
    found = solve_nonnegative(scipy.sparse.csr_array(path), 0.5, T)
    # On an endless path each step keeps the same share r, with r = α/2 (1 + r²).
    r = 2 - np.sqrt(3)
    shares = found.solution[1 : n // 2, 0] / found.solution[: n // 2 - 1, 0]
    assert found.solution[n // 2, 0] < 1e-80
    np.testing.assert_allclose(shares[5:], r, rtol=1e-8)


def test_running_out_of_steps_is_told():
    S = random_affinity(np.random.default_rng(0), 60)
    found = solve_nonnegative(S, 0.999, np.ones((60, 1)), max_iter=3)
    assert not found.converged
    assert found.n_iter == 3


@pytest.mark.parametrize("n", [DENSE_SIZE // 4, 2 * DENSE_SIZE])
def test_largest_eigenpairs_equal_the_dense_ones(n):
    rng = np.random.default_rng(0)
    S = random_affinity(rng, n, density=20 / n)
    found = largest_eigenpairs(S, 6)
    values, vectors = np.linalg.eigh(S.toarray())
    np.testing.assert_allclose(found.values, values[::-1][:6], atol=1e-10)
    overlap = np.abs(np.sum(found.vectors * vectors[:, ::-1][:, :6], axis=0))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)
    peaks = found.vectors[np.abs(found.vectors).argmax(axis=0), np.arange(6)]
    assert (peaks > 0).all()


@pytest.mark.parametrize("seed", [580, 146])
def test_eigenvalues_that_copies_repeat_are_found(seed):
    rng = np.random.default_rng(seed)
    points = unit_rows(rng.standard_normal((int(rng.integers(3, 30)), 3)))
    X = points[rng.integers(0, len(points), 200)]
    S = normalised_affinity(affinity_matrix(*nearest_neighbors(X, 199)))
    expected = np.linalg.eigvalsh(S.toarray())[::-1][:50]
    np.testing.assert_allclose(largest_eigenpairs(S, 50).values, expected, atol=1e-10)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.95])
def test_a_factored_system_has_the_solution_of_the_whole(alpha):
    rng = np.random.default_rng(0)
    R = scipy.sparse.random_array((40, 6), density=0.4, rng=rng, format="csr")
    R = scipy.sparse.csr_array(R / np.sqrt(np.linalg.norm((R @ R.T).toarray(), 2)))
    T = rng.random((40, 3)) * (rng.random((40, 1)) < 0.3)
    found = solve_nonnegative(Factored(R), alpha, T, tol=1e-12)
    assert found.converged
    expected = np.linalg.solve(np.eye(40) - alpha * (R @ R.T).toarray(), T)
    np.testing.assert_allclose(found.solution, expected, atol=1e-10)
