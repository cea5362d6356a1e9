import numpy as np
import pytest


@pytest.fixture
def errors(load_benchmark):
    return load_benchmark(".", "class_chance")[0].errors


def test_errors_over_draws_and_classes_are_those_of_means(errors):
    rng = np.random.default_rng(0)
    gains, images = rng.integers(-9, 10, (6, 20)), np.full(20, 40)
    lead, draws, classes = errors(gains, images)
    points = 100 * gains / 40
    assert lead == pytest.approx(points.mean())
    assert draws == pytest.approx(points.mean(axis=1).std(ddof=1) / np.sqrt(6))
    assert classes == pytest.approx(points.mean(axis=0).std(ddof=1) / np.sqrt(20))


def test_a_lead_that_one_class_makes_is_unsure_over_classes_alone(errors):
    gains = np.zeros((5, 10), dtype=int)
    gains[:, 3] = 30
    lead, draws, classes = errors(gains, np.full(10, 30))
    assert (lead, draws) == (10.0, 0.0)
    assert classes == pytest.approx(10.0)


def test_large_classes_count_more(errors):
    gains, images = np.array([[10, 0], [10, 0]]), np.array([90, 10])
    assert errors(gains, images)[0] == pytest.approx(10.0)
