import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import log_loss

from sapwood.metrics import (
    expected_calibration_error,
    negative_log_likelihood,
    reliability_curve,
    top_label,
)


@pytest.fixture
def probabilities():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.full(5, 0.5), size=400)
    y_true = np.array([rng.choice(5, p=row) for row in proba**2 / (proba**2).sum(1, keepdims=True)])
    return y_true, proba


def equal_width_error(correct, confidence, n_bins):
    edges = np.linspace(0, 1, n_bins + 1)
    error = 0.0
    for i in range(n_bins):
        inside = [
            j
            for j, p in enumerate(confidence)
            if (edges[i] < p or (i == 0 and p == 0)) and p <= edges[i + 1]
        ]
        if inside:
            error += abs(sum(confidence[inside]) - sum(correct[inside])) / len(confidence)
    return error


@pytest.mark.parametrize("n_bins", [1, 2, 10, 15, 1000])
def test_equal_width_error_equals_a_loop(probabilities, n_bins):
    correct, confidence = top_label(*probabilities)
    expected = equal_width_error(correct, confidence, n_bins)
    found = expected_calibration_error(correct, confidence, n_bins=n_bins)
    assert found == pytest.approx(expected, abs=1e-13)


def test_confidences_on_the_edges_belong_to_the_bin_below():
    confidence = np.array([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0])
    correct = np.array([0, 0, 1, 1, 0, 1, 1])
    assert reliability_curve(correct, confidence, n_bins=4).count.tolist() == [3, 2, 1, 1]
    found = expected_calibration_error(correct, confidence, n_bins=4)
    assert found == pytest.approx(equal_width_error(correct, confidence, 4))


@pytest.mark.parametrize(("bins", "strategy"), [("width", "uniform"), ("mass", "quantile")])
def test_curve_equals_sklearn(probabilities, bins, strategy):
    correct, confidence = top_label(*probabilities)
    accuracy, mean = calibration_curve(correct, confidence, n_bins=7, strategy=strategy)
    curve = reliability_curve(correct, confidence, n_bins=7, bins=bins)
    np.testing.assert_allclose(curve.accuracy, accuracy, rtol=1e-13)
    np.testing.assert_allclose(curve.confidence, mean, rtol=1e-13)
    assert curve.count.sum() == len(correct)


def test_equal_mass_bins_of_distinct_values_equal_split_sorted_rows(probabilities):
    correct, confidence = (values[:399] for values in top_label(*probabilities))
    parts = np.array_split(np.argsort(confidence), 7)
    gaps = [len(part) * abs(confidence[part].mean() - correct[part].mean()) for part in parts]
    found = expected_calibration_error(correct, confidence, n_bins=7, bins="mass")
    assert found == pytest.approx(sum(gaps) / 399, abs=1e-13)


def test_equal_mass_bins_keep_equal_values_together_in_any_row_order():
    rng = np.random.default_rng(1)
    confidence, correct = rng.choice([0.3, 0.6, 0.9], 50), rng.integers(2, size=50)
    order = rng.permutation(50)
    for bins in ("width", "mass"):
        found = expected_calibration_error(correct, confidence, n_bins=9, bins=bins)
        shuffled = expected_calibration_error(
            correct[order], confidence[order], n_bins=9, bins=bins
        )
        by_value = [abs(p - correct[confidence == p].mean()) for p in (0.3, 0.6, 0.9)]
        share = [(confidence == p).mean() for p in (0.3, 0.6, 0.9)]
        assert found == pytest.approx(shuffled, abs=1e-15)
        assert found == pytest.approx(np.dot(by_value, share), abs=1e-13)


def test_a_calibrated_forecast_has_no_error_and_a_boastful_one_its_excess():
    correct = np.array([1, 1, 1, 0] * 5)
    assert expected_calibration_error(correct, np.full(20, 0.75)) == pytest.approx(0, abs=1e-15)
    assert expected_calibration_error(correct, np.ones(20)) == pytest.approx(0.25)


def test_top_label_takes_the_lower_of_tied_columns_and_named_classes():
    correct, confidence = top_label(["b", "a"], [[0.5, 0.5], [0.5, 0.5]], classes=["a", "b"])
    assert correct.tolist() == [False, True]
    assert confidence.tolist() == [0.5, 0.5]


def test_likelihood_equals_sklearn(probabilities):
    y_true, proba = probabilities
    expected = log_loss(y_true, proba, labels=range(5))
    assert negative_log_likelihood(y_true, proba) == pytest.approx(expected, rel=1e-13)
    names = np.array(list("abcde"))
    order = [4, 2, 0, 1, 3]
    named = negative_log_likelihood(names[y_true], proba[:, order], classes=names[order])
    assert named == pytest.approx(expected, rel=1e-13)


def test_a_certain_mistake_is_limited_as_in_sklearn_unless_the_floor_is_zero():
    y_true, proba = [0, 1], [[0.0, 1.0], [0.0, 1.0]]
    assert negative_log_likelihood(y_true, proba) == pytest.approx(log_loss(y_true, proba))
    assert negative_log_likelihood(y_true, proba, floor=0) == np.inf
    assert str(negative_log_likelihood([1, 1], proba, floor=0)) == "0.0"


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_rounded_probabilities_are_accepted(probabilities, dtype):
    y_true, proba = probabilities
    found = negative_log_likelihood(y_true, proba.astype(dtype), floor=1e-3)
    expected = negative_log_likelihood(y_true, proba, floor=1e-3)
    assert found == pytest.approx(expected, rel=1e-2)
