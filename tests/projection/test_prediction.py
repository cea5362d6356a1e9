import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sapwood.projection import fit_temperature, prototype_scores, softmax


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_scores_equal_scipys_distances(metric):
    rng = np.random.default_rng(0)
    X, P = rng.standard_normal((6, 4)), rng.standard_normal((3, 4))
    expected = -cdist(X, P, "sqeuclidean") if metric == "euclidean" else 1 - cdist(X, P, "cosine")
    np.testing.assert_allclose(prototype_scores(X, P, metric), expected, atol=1e-12)


def test_softmax_survives_large_scores():
    np.testing.assert_allclose(softmax(np.array([[1e6, 0.0, 1e6]]), 1.0), [[0.5, 0.0, 0.5]])


@pytest.mark.parametrize("temperature", [0.05, 1.0, 7.0])
def test_the_temperature_that_made_the_labels_is_found(temperature):
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((20_000, 4))
    truth = np.array([rng.choice(4, p=p) for p in softmax(scores, temperature)])
    assert fit_temperature(scores, truth) == pytest.approx(temperature, rel=0.15)
