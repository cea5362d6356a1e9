"""The paper's preset against Algorithm 1 written down step by step."""

import numpy as np
import pytest
import scipy.linalg
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from sapwood.tags import TagRefiner

K_G, M, ROUNDS = 6, 10, 3
LAMBDAS = {"lambda1": 0.02, "lambda2": 3e-3, "lambda3": 1e-2, "lambda4": 0.01}


def literal_refinement(X, T):
    """Y* of Algorithm 1: dense graph, dense spectrum, Lasso for both L1 problems."""
    l1, l2, l3, l4 = LAMBDAS.values()
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    given = T / np.maximum(T.sum(axis=1, keepdims=True), 1e-300)
    d2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    near = np.argsort(d2 + np.diag(np.full(len(X), np.inf)), axis=1)[:, :K_G]
    A = np.zeros_like(d2)
    np.put_along_axis(A, near, np.exp(-np.take_along_axis(d2, near, axis=1) / 2), axis=1)
    A = np.maximum(A, A.T)
    degree = A.sum(axis=1)
    values, V = np.linalg.eigh(np.eye(len(X)) - A / np.sqrt(np.outer(degree, degree)))
    values, V = np.maximum(values[:M], 0), V[:, :M]

    def project(Y):
        return scipy.linalg.solve_sylvester(Y.T @ Y + l4 * np.eye(Y.shape[1]), X.T @ X, 2 * Y.T @ X)

    Y, W = given, project(given)
    for _ in range(ROUNDS):
        alpha = V.T @ Y
        limit = l1 * np.sqrt(values)[:, None] / 2
        smooth = V @ (np.sign(alpha) * np.maximum(abs(alpha) - limit, 0))
        Y = np.array([_sap2(s, g, x, W, l2, l3) for s, g, x in zip(smooth, given, X, strict=True)])
        W = project(Y)
    return Y


def _sap2(smooth, given, x, W, l2, l3):
    """Eq. 8 for one image as one Lasso: its three squares stacked as rows."""
    k, root = len(given), np.sqrt(l3)
    rows = np.vstack([np.eye(k), root * np.eye(k), root * W.T])
    target = np.concatenate([smooth - given, root * (W @ x - given), root * (x - W.T @ given)])
    lasso = Lasso(l2 / (2 * len(rows)), fit_intercept=False, tol=1e-12, max_iter=100_000)
    return lasso.fit(rows, target).coef_ + given


def paper(**options):
    return TagRefiner("paper", k_g=K_G, m=M, max_iter=ROUNDS, **LAMBDAS, **options)


def test_refined_tags_are_those_of_the_algorithm_written_down(draw_photos):
    photos = draw_photos(n=40, t=5)
    with pytest.warns(ConvergenceWarning):
        refined = paper(tol=0.0).fit_transform(photos.X, photos.tags)
    expected = literal_refinement(photos.X, photos.tags.astype(float))
    np.testing.assert_allclose(refined, expected, atol=1e-6)


def test_the_defaults_are_the_printed_values():
    from sapwood.tags.parameters import resolve

    settings = resolve(TagRefiner("paper").get_params(), 10_000)
    printed = {"k_g": 300, "m": 50, "lambda1": 0.01, "lambda2": 1e-4, "lambda3": 1e-6}
    assert {name: settings[name] for name in printed} == printed
    assert (settings["lambda4"], settings["sigma"], settings["features"]) == (0.01, 1.0, "unit")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("graph", ["knn", "landmark"])
@pytest.mark.parametrize("with_features", [True, False])
def test_new_images_are_refined_with_and_without_tags(photos, graph, with_features):
    X = photos.X if with_features else None
    refiner = paper(graph=graph, landmarks=60).fit(X, photos.tags)
    new = photos.X[:9] if with_features else None
    refined = refiner.transform(new, photos.tags[:9])
    assert refined.shape == (9, 8)
    assert np.isfinite(refined).all()
    if with_features:
        assert np.isfinite(refiner.transform(new)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_landmark_extension_of_a_fitted_image_is_its_own_smooth_row(photos):
    refiner = paper(graph="landmark", landmarks=60)
    refiner.fit(photos.X, photos.tags)
    found = refiner._refinement
    graph, basis = found.landmarks
    X = photos.X / np.linalg.norm(photos.X, axis=1, keepdims=True)
    rows = graph.factor(X) @ basis.mixing
    np.testing.assert_allclose(rows.T @ rows, np.eye(M), atol=1e-6)
    np.testing.assert_allclose(refiner.transform(photos.X), rows @ found.alpha, atol=1e-6)


def test_the_width_counts_with_landmarks_too(photos):
    options = {"preset": "paper", "graph": "landmark", "landmarks": 20, "m": 5, "tol": 1.0}
    usual, narrow, wide = (
        TagRefiner(**options, sigma=sigma).fit_transform(photos.X, photos.tags)
        for sigma in (None, 0.1, 10.0)
    )
    assert np.abs(narrow - wide).max() > 1e-6
    assert np.abs(usual - narrow).max() > 1e-6
