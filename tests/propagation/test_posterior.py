import numpy as np
import pytest
import scipy.sparse

from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.propagation import Posterior, class_votes, graph_posterior, sharpen


@pytest.fixture
def S():
    X = np.random.default_rng(0).standard_normal((40, 3))
    return normalised_affinity(affinity_matrix(*nearest_neighbors(X, 5)))


def test_posterior_is_kernel_regression_with_the_graphs_kernel(S):
    codes = np.r_[np.arange(6) % 3, np.full(34, -1)]
    weight = np.linspace(0.5, 2.0, 40)
    found = graph_posterior(S, class_votes(codes, 3, weight), 1.7)
    K = np.linalg.inv(np.eye(40) + 1.7 * (np.eye(40) - S.toarray()))
    votes = K[:, :6] * weight[:6]
    expected = np.column_stack([votes[:, codes[:6] == c].sum(axis=1) for c in range(3)])
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.F[6:], expected[6:], atol=1e-8)
    np.testing.assert_array_equal(found.F[:6], np.eye(3)[codes[:6]])
    np.testing.assert_allclose(found.confidence, found.F.max(axis=1))


def test_no_vote_arriving_means_no_attributes_and_no_confidence():
    S = scipy.sparse.csr_array(np.array([[0, 1.0, 0], [1.0, 0, 0], [0, 0, 1.0]]))
    found = graph_posterior(S, np.array([[1.0, 0], [0, 0], [0, 0]]), 1.0)
    np.testing.assert_allclose(found.F, [[1, 0], [1, 0], [0, 0]])
    np.testing.assert_allclose(found.confidence, [1, 1, 0])


def test_sharpening_minimises_its_objective():
    rng = np.random.default_rng(0)
    F = rng.dirichlet(np.ones(4), 5)
    best = sharpen(Posterior(F, F.max(axis=1)), 2.0).F

    def objective(f):
        return (f * np.log(f) - 2.0 * f * np.log(F)).sum()

    for _ in range(200):
        other = 0.9 * best + 0.1 * rng.dirichlet(np.ones(4), 5)
        assert objective(best) <= objective(other)


def test_sharpening_by_one_changes_nothing():
    F = np.random.default_rng(1).dirichlet(np.ones(4), 5)
    np.testing.assert_allclose(sharpen(Posterior(F, F.max(axis=1)), 1.0).F, F)
