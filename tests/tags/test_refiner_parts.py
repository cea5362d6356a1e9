"""The parts of the refinement against plain computations."""

import numpy as np
import pytest
import scipy.sparse

from sapwood.graph import landmark_graph, nearest_neighbors
from sapwood.tags.calibration import fit_calibration
from sapwood.tags.companions import fit_companions
from sapwood.tags.kernel import fit_kernel, gaussian
from sapwood.tags.relations import LandmarkSimilarity, NeighborSimilarity, tag_relations


def kernel_ridge(X, T, X_new, ridge):
    """Predictions of exact kernel ridge regression of width 1 around the tags' means."""
    K = gaussian(X, X, 1.0)
    mean = T.mean(axis=0)
    return mean + gaussian(X_new, X, 1.0) @ np.linalg.solve(K + ridge * np.eye(len(X)), T - mean)


def test_with_all_images_as_landmarks_the_regression_is_exact(photos):
    X, T = photos.X[:80], photos.tags[:80].astype(float)
    model, _ = fit_kernel(X, scipy.sparse.csr_array(T), X, sigma=1.0, ridge=0.5)
    expected = kernel_ridge(X, T, photos.X[80:100], 0.5)
    np.testing.assert_allclose(model.scores(photos.X[80:100]), expected, atol=1e-3)


def test_predictions_left_out_are_those_of_a_fit_without_the_image(photos):
    X, T = photos.X[:60], photos.tags[:60].astype(float)
    _, left_out = fit_kernel(X, scipy.sparse.csr_array(T), X, sigma=1.0, ridge=0.5)
    K, mean = gaussian(X, X, 1.0), T.mean(axis=0)
    for i in (0, 17, 59):
        rest = np.delete(np.arange(60), i)
        A = K[np.ix_(rest, rest)] + 0.5 * np.eye(59)
        expected = mean + K[i, rest] @ np.linalg.solve(A, T[rest] - mean)
        np.testing.assert_allclose(left_out[i], expected, atol=2e-3)


def test_fewer_landmarks_give_nearly_the_same(photos):
    X, T = photos.X, photos.tags.astype(float)
    model, _ = fit_kernel(X, scipy.sparse.csr_array(T), X[::2], sigma=1.0, ridge=1.0)
    exact = kernel_ridge(X, T, X[:50], 1.0)
    assert np.corrcoef(model.scores(X[:50]).ravel(), exact.ravel())[0, 1] > 0.97


def test_small_blocks_add_up_to_the_same(photos, monkeypatch):
    X, T = photos.X, scipy.sparse.csr_array(photos.tags.astype(float))
    whole, whole_left_out = fit_kernel(X, T, X[:100], sigma=1.0, ridge=1.0)
    monkeypatch.setattr("sapwood.tags.kernel.rows_at_a_time", lambda width: 7)
    parts, parts_left_out = fit_kernel(X, T, X[:100], sigma=1.0, ridge=1.0)
    np.testing.assert_allclose(parts.scores(X), whole.scores(X), atol=1e-6)
    np.testing.assert_allclose(parts_left_out, whole_left_out, atol=1e-6)


def test_companions_are_the_regressions_on_the_other_columns(photos):
    T = photos.tags.astype(float)
    found, left_out = fit_companions(scipy.sparse.csr_array(T), 2.0)
    centred = T - T.mean(axis=0)
    for j in (0, 5):
        others = np.delete(np.arange(8), j)
        A, y = centred[:, others], centred[:, j]
        W = np.linalg.solve(A.T @ A + 2.0 * np.eye(7), A.T @ y)
        np.testing.assert_allclose(found.M[others, j], W, atol=1e-9)
        H = A @ np.linalg.solve(A.T @ A + 2.0 * np.eye(7), A.T)
        expected = T[:, j] - (y - H @ y) / (1 - np.diag(H))
        np.testing.assert_allclose(left_out[:, j], expected, atol=1e-5)


def test_calibration_keeps_the_order_of_images_and_meets_the_frequencies(photos):
    _, scores = fit_kernel(
        photos.X, scipy.sparse.csr_array(photos.tags * 1.0), photos.X, sigma=1.0, ridge=1.0
    )
    found = fit_calibration(scores, photos.tags, photos.tags.mean(axis=0))
    p = found(scores)
    assert (np.diff(np.take_along_axis(p, np.argsort(scores, axis=0), axis=0), axis=0) >= 0).all()
    assert p.mean() == pytest.approx(photos.tags.mean(), rel=0.01)
    assert ((p > 0) & (p < 1)).all()


@pytest.mark.parametrize("kind", ["neighbours", "landmarks"])
def test_similarities_are_what_dense_matrices_give(photos, kind):
    R = photos.tags - photos.tags.mean(axis=0)
    n = len(R)
    if kind == "neighbours":
        neighbors, _ = nearest_neighbors(photos.X, 5)
        A = np.zeros((n, n))
        np.put_along_axis(A, neighbors, 0.2, axis=1)
        S, similarity = (A + A.T) / 2, NeighborSimilarity(neighbors)
    else:
        _, Z_hat = landmark_graph(photos.X, 30, 3)
        S, similarity = (Z_hat @ Z_hat.T).toarray(), LandmarkSimilarity(Z_hat)
        np.fill_diagonal(S, 0)
        S *= n / S.sum()
    np.testing.assert_allclose(similarity.quadratic(R), R.T @ S @ R, atol=1e-4)
    assert similarity.squares() == pytest.approx((S**2).sum(), rel=1e-5)
    assert S.sum() == pytest.approx(n)


def test_tags_that_chance_brings_together_are_not_related(photos):
    rng = np.random.default_rng(0)
    R = rng.standard_normal((400, 30))
    similarity = NeighborSimilarity(nearest_neighbors(photos.X, 20)[0])
    M = tag_relations(R, similarity, strength=3.0, doubt=2.0)
    off_diagonal = M[~np.eye(30, dtype=bool)]
    assert (off_diagonal != 0).mean() < 0.08
