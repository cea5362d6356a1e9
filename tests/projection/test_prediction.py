import numpy as np
import pytest
import sklearn.metrics
from scipy.spatial.distance import cdist

from sapwood.projection import (
    common_temperature,
    fit_temperature,
    log_loss,
    prototype_scores,
    softmax,
)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_scores_equal_scipys_distances(metric):
    rng = np.random.default_rng(0)
    X, P = rng.standard_normal((6, 4)), rng.standard_normal((3, 4))
    expected = -cdist(X, P, "sqeuclidean") if metric == "euclidean" else 1 - cdist(X, P, "cosine")
    np.testing.assert_allclose(prototype_scores(X, P, metric), expected, atol=1e-12)


def test_softmax_survives_large_scores():
    np.testing.assert_allclose(softmax(np.array([[1e6, 0.0, 1e6]]), 1.0), [[0.5, 0.0, 0.5]])


def test_rows_of_softmax_sum_to_one_at_any_temperature():
    scores = -1.0 + 1e-16 * np.random.default_rng(0).standard_normal((50, 7))
    for temperature in (1e-14, 1e-3, 1e3):
        np.testing.assert_allclose(softmax(scores, temperature).sum(axis=1), 1, rtol=1e-12)


def test_rounding_is_no_evidence_of_a_temperature():
    rng = np.random.default_rng(0)
    scores = -1.0 + 1e-16 * rng.standard_normal((50, 7))
    truth = rng.integers(0, 7, 50)
    np.testing.assert_allclose(softmax(scores, fit_temperature(scores, truth)), 1 / 7)
    assert common_temperature([(scores, truth, np.ones(50))]) is None


@pytest.mark.parametrize("temperature", [0.05, 1.0, 7.0])
def test_the_temperature_that_made_the_labels_is_found(temperature):
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((20_000, 4))
    truth = np.array([rng.choice(4, p=p) for p in softmax(scores, temperature)])
    assert fit_temperature(scores, truth) == pytest.approx(temperature, rel=0.15)


@pytest.fixture
def answers():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((60, 4))
    truth = np.array([rng.choice(4, p=p) for p in softmax(scores, 0.8)])
    return scores, truth, rng.random(60)


def test_the_loss_is_scikit_learns(answers):
    scores, truth, weights = answers
    P = softmax(scores, 0.7)
    expected = sklearn.metrics.log_loss(truth, P, labels=range(4))
    assert log_loss(scores, truth, 0.7) == pytest.approx(expected, rel=1e-12)
    weighted = sklearn.metrics.log_loss(truth, P, labels=range(4), sample_weight=weights)
    assert log_loss(scores, truth, 0.7, weights) == pytest.approx(weighted, rel=1e-12)


def test_the_loss_of_soft_truth_is_the_cross_entropy(answers):
    scores, _, weights = answers
    soft = np.random.default_rng(1).dirichlet(np.ones(4), 60)
    entropy = -(soft * np.log(softmax(scores, 0.7))).sum(axis=1)
    expected = (weights * entropy).sum() / weights.sum()
    assert log_loss(scores, soft, 0.7, weights) == pytest.approx(expected, rel=1e-12)


def test_a_truth_that_is_sure_of_a_class_is_that_class(answers):
    scores, truth, weights = answers
    found = fit_temperature(scores, np.eye(4)[truth], weights)
    assert found == pytest.approx(fit_temperature(scores, truth, weights), rel=1e-9)


def test_a_weight_of_zero_leaves_a_row_out(answers):
    scores, truth, weights = answers
    kept = weights > 0.5
    expected = fit_temperature(scores[kept], truth[kept])
    assert fit_temperature(scores, truth, kept.astype(float)) == pytest.approx(expected, rel=1e-3)
    assert fit_temperature(scores, truth) != pytest.approx(expected, rel=1e-2)
