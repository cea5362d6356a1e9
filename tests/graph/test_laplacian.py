import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import laplacian as scipy_laplacian

from sapwood.graph import affinity_matrix, laplacian, nearest_neighbors, spectral_basis
from sapwood.solvers.eigen import DENSE_SIZE


def blocks(rng, sizes, isolated=0):
    parts = []
    for size in sizes:
        X = rng.standard_normal((size, 3))
        parts.append(affinity_matrix(*nearest_neighbors(X, min(6, size - 1))))
    parts += [scipy.sparse.csr_array((1, 1))] * isolated
    return scipy.sparse.csr_array(scipy.sparse.block_diag(parts))


@pytest.mark.parametrize("isolated", [0, 2])
def test_laplacian_equals_scipy(isolated):
    A = blocks(np.random.default_rng(0), [20, 15], isolated)
    expected = scipy_laplacian(A, normed=True).toarray()
    np.testing.assert_allclose(laplacian(A).toarray(), expected, atol=1e-14)


@pytest.mark.parametrize("sizes", [[80], [DENSE_SIZE + 50], [DENSE_SIZE, 60, 40, 40, 40, 40]])
@pytest.mark.parametrize("isolated", [0, 3])
def test_basis_is_orthonormal_and_its_pairs_are_the_smallest(sizes, isolated):
    A = blocks(np.random.default_rng(1), sizes, isolated)
    basis = spectral_basis(A, 12)
    L = laplacian(A).toarray()
    np.testing.assert_allclose(basis.values, np.linalg.eigvalsh(L)[:12], atol=1e-9)
    np.testing.assert_allclose(basis.vectors.T @ basis.vectors, np.eye(12), atol=1e-9)
    np.testing.assert_allclose(L @ basis.vectors, basis.vectors * basis.values, atol=1e-8)


def test_eigenvalues_stay_within_their_range():
    basis = spectral_basis(blocks(np.random.default_rng(2), [30]), 30)
    assert basis.values.min() >= 0
    assert basis.values.max() <= 2


@pytest.mark.parametrize("size", [20, DENSE_SIZE])
def test_more_components_than_vectors_warns_and_stays_in_the_null_space(size):
    A = blocks(np.random.default_rng(3), [size] + [10] * 5)
    with pytest.warns(UserWarning, match="6 components and only m = 3"):
        basis = spectral_basis(A, 3)
    np.testing.assert_allclose(laplacian(A) @ basis.vectors, 0, atol=1e-9)
    np.testing.assert_allclose(basis.values, 0, atol=1e-12)


def test_the_same_seed_gives_the_same_basis():
    A = blocks(np.random.default_rng(4), [DENSE_SIZE + 100])
    first, second = (spectral_basis(A, 5, random_state=3).vectors for _ in range(2))
    np.testing.assert_array_equal(first, second)
