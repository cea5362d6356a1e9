import numpy as np
import pytest

from sapwood import InputError
from sapwood.graph import affinity_matrix, nearest_neighbors


def graph(X, k=3, **options):
    return affinity_matrix(*nearest_neighbors(X, k), **options).toarray()


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((25, 4))


@pytest.mark.parametrize("sigma", [0.5, 2.0, "mean", "local"])
@pytest.mark.parametrize("symmetrize", ["max", "mean", "mutual"])
def test_symmetric_without_self_loops_and_equal_to_the_definition(X, sigma, symmetrize):
    A = graph(X, sigma=sigma, symmetrize=symmetrize)
    neighbors, squared = nearest_neighbors(X, 3)
    if sigma == "mean":
        scale = np.full((25, 25), squared.mean())
    elif sigma == "local":
        own = np.sqrt(squared[:, 2])
        scale = np.outer(own, own)
    else:
        scale = np.full((25, 25), sigma**2)
    directed = np.zeros((25, 25))
    for i in range(25):
        for j, d2 in zip(neighbors[i], squared[i], strict=True):
            directed[i, j] = np.exp(-d2 / (2 * scale[i, j]))
    both = {"max": np.maximum, "mutual": np.minimum, "mean": lambda a, b: (a + b) / 2}
    np.testing.assert_allclose(A, both[symmetrize](directed, directed.T), atol=1e-12)
    assert not A.diagonal().any()


def test_features_too_far_apart_for_sigma_are_refused_with_advice(X):
    with pytest.raises(InputError, match=r"25 of 25 images have no neighbour.*sigma='mean'"):
        graph(1000 * X)


def test_a_graph_that_mostly_fell_apart_warns():
    rng = np.random.default_rng(0)
    X = np.vstack([0.01 * rng.standard_normal((8, 3)), 1000 * rng.standard_normal((12, 3))])
    with pytest.warns(UserWarning, match="12 of 20 images have no neighbour"):
        graph(X)


def test_local_scaling_survives_duplicates():
    X = np.vstack([np.zeros((12, 2)), np.random.default_rng(0).standard_normal((12, 2))])
    A = graph(X, k=8, sigma="local")
    assert np.isfinite(A).all()
    assert A[0, 1] == 1.0
