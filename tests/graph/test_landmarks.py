import numpy as np
import pytest
import scipy.linalg
from sklearn.cluster import KMeans

from sapwood.errors import InputError
from sapwood.graph import choose_landmarks, landmark_graph
from sapwood.graph.landmarks import landmark_weights


def images(n=300, d=6, clusters=5, seed=0):
    rng = np.random.default_rng(seed)
    centres = 3 * rng.standard_normal((clusters, d))
    return centres[rng.integers(0, clusters, n)] + rng.standard_normal((n, d))


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few rows, so that sums over blocks are what is tested."""
    for module in ("kmeans", "landmarks"):
        monkeypatch.setattr(f"sapwood.graph.{module}.rows_at_a_time", lambda width: 7)


def literal_factor(X, U, r, sigma=None):
    """Ẑ as Chen & Cai's program has it, with every pair of distances at hand."""
    D = ((X[:, None, :] - U[None, :, :]) ** 2).sum(axis=2)
    sigma = D.mean() if sigma is None else sigma
    Z = np.where(np.sort(D, axis=1)[:, [r - 1]] >= D, np.exp(-D / (2 * sigma**2)), 0.0)
    Z /= Z.sum(axis=1, keepdims=True)
    return Z / np.sqrt(Z.sum(axis=0))


@pytest.mark.parametrize("how", ["kmeans", "random"])
@pytest.mark.parametrize("sigma", [None, 0.7])
def test_factor_equals_the_literal_one(how, sigma, small_blocks):
    X = images()
    graph, Z_hat = landmark_graph(X, p=40, r=3, sigma=sigma or "mean", how=how)
    expected = literal_factor(X, graph.landmarks, 3, sigma)
    np.testing.assert_allclose(Z_hat.toarray(), expected, atol=1e-10)
    np.testing.assert_allclose(graph.gram, expected.T @ expected, atol=1e-10)


def test_basis_is_that_of_the_dense_laplacian(small_blocks):
    X, m = images(), 12
    graph, Z_hat = landmark_graph(X, p=40, r=3)
    basis = graph.basis(m)
    V = Z_hat @ basis.mixing
    L = np.eye(len(X)) - (Z_hat @ Z_hat.T).toarray()
    values, vectors = np.linalg.eigh(L)
    np.testing.assert_allclose(L.sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(basis.values, values[:m], atol=1e-12)
    np.testing.assert_allclose(V.T @ V, np.eye(m), atol=1e-10)
    np.testing.assert_allclose(L @ V, V * basis.values, atol=1e-10)
    assert scipy.linalg.subspace_angles(V, vectors[:, :m]).max() < 1e-7


def test_the_first_vector_is_kept_and_constant():
    X = images()
    graph, Z_hat = landmark_graph(X, p=30)
    basis = graph.basis(4)
    assert basis.values[0] == 0.0
    np.testing.assert_allclose(Z_hat @ basis.mixing[:, 0], len(X) ** -0.5, atol=1e-12)


def test_each_part_of_the_graph_has_its_exact_zero():
    X = np.vstack([images(60, clusters=1), images(50, clusters=1) + 1e3])
    graph, _ = landmark_graph(X, p=20, r=2)
    values = graph.basis(4).values
    assert (values[:2] == 0.0).all()
    assert (values[2:] > 0.0).all()


def test_rows_of_new_images_do_not_depend_on_the_other_images(small_blocks):
    X, new = images(), images(25, seed=1)
    graph, Z_hat = landmark_graph(X, p=40, r=3)
    np.testing.assert_allclose(graph.factor(X).toarray(), Z_hat.toarray(), atol=1e-12)
    np.testing.assert_allclose(
        graph.factor(new).toarray()[4:9], graph.factor(new[4:9]).toarray(), atol=1e-12
    )
    # A copy of a training image gets that image's row of the basis.
    mixing = graph.basis(5).mixing
    np.testing.assert_allclose(graph.factor(X[3:4]) @ mixing, (Z_hat @ mixing)[3:4], atol=1e-12)


def test_a_new_image_lands_among_its_own_kind():
    X = images(400, clusters=4)
    graph, Z_hat = landmark_graph(X[:300], p=50)
    mixing = graph.basis(4).mixing
    known, new = Z_hat @ mixing, graph.factor(X[300:]) @ mixing
    nearest_there = ((new[:, None] - known[None]) ** 2).sum(axis=2).argmin(axis=1)
    labels = KMeans(4, n_init=3, random_state=0).fit(X).labels_
    assert (labels[:300][nearest_there] == labels[300:]).mean() > 0.95


def test_kmeans_takes_the_steps_of_lloyd(small_blocks):
    X, rng = images(), np.random.default_rng(0)
    start = X[np.sort(rng.choice(len(X), 8, replace=False))]
    expected = KMeans(8, init=start, n_init=1, max_iter=5, algorithm="lloyd", tol=0).fit(X)
    np.testing.assert_allclose(choose_landmarks(X, 8), expected.cluster_centers_, atol=1e-10)


def test_a_centre_that_loses_its_images_is_moved():
    X = np.repeat([[0.0], [1.0], [50.0]], [40, 40, 1], axis=0)
    U = choose_landmarks(X, 3)
    np.testing.assert_allclose(np.unique(U.round(6)), [0, 1, 50])


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_no_scale_makes_weights_vanish(scale):
    Z = landmark_weights(scale * images(), scale * images(20, seed=2), 1e-9, 3)
    np.testing.assert_allclose(np.asarray(Z.sum(axis=1)).ravel(), 1.0)


def test_a_memory_mapped_float32_file_gives_the_same_graph(tmp_path, small_blocks):
    X = images().astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    graph, Z_hat = landmark_graph(mapped, p=40, r=3)
    assert graph.landmarks.dtype == np.float32
    exact, exact_hat = landmark_graph(X.astype(np.float64), p=40, r=3)
    np.testing.assert_allclose(graph.basis(6).values, exact.basis(6).values, atol=1e-4)
    np.testing.assert_allclose(Z_hat.toarray(), exact_hat.toarray(), atol=1e-4)


def test_equal_images_share_one_row_of_the_basis():
    X = np.repeat(images(30), 10, axis=0)
    graph, Z_hat = landmark_graph(X, p=60, r=4)
    V = (Z_hat @ graph.basis(3).mixing).reshape(30, 10, 3)
    np.testing.assert_allclose(V, np.repeat(V[:, :1], 10, axis=1), atol=1e-9)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda X: choose_landmarks(X, 301), "301 landmarks were asked for; expected 1 to 300"),
        (lambda X: choose_landmarks(X, 5, "kmean"), "'kmean'; expected one of 'kmeans', 'random'"),
        (lambda X: landmark_graph(X, p=10)[0].basis(11), "m is 11 but 10 landmarks"),
        (lambda X: landmark_graph(np.ones((9, 2)), p=4)[0].basis(2), "rank 1"),
    ],
)
def test_refusals(act, message):
    with pytest.raises(InputError, match=message):
        act(images())
