import warnings

import numpy as np
import pytest
from scipy.stats import hmean
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from sapwood.metrics import generalized_accuracy, harmonic_mean


def test_harmonic_mean_equals_scipy():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 50))
    np.testing.assert_allclose(harmonic_mean(a, b), hmean([a, b], axis=0), rtol=1e-14)
    assert harmonic_mean(a[0], b[0]) == pytest.approx(hmean([a[0], b[0]]), rel=1e-14)


def test_harmonic_mean_is_zero_when_either_is():
    assert harmonic_mean(0.0, 0.0) == 0
    assert harmonic_mean(0.0, 0.9) == 0
    assert harmonic_mean(np.zeros(2), np.array([0.0, 1.0])).tolist() == [0, 0]


def test_harmonic_mean_of_small_integers_does_not_wrap_around():
    assert harmonic_mean(np.uint8(200), np.uint8(200)) == 200


@pytest.mark.parametrize("average", ["images", "classes"])
def test_parts_equal_sklearn_on_each_kind_of_image(average):
    rng = np.random.default_rng(1)
    # Class 9 has no image, and images of class 8 are never right.
    y_true = rng.integers(9, size=400)
    y_pred = np.where((rng.random(400) < 0.7) & (y_true != 8), y_true, rng.integers(8, size=400))
    reference = accuracy_score if average == "images" else balanced_accuracy_score
    unseen = [6, 7, 8, 9]
    is_unseen = np.isin(y_true, unseen)
    found = generalized_accuracy(y_true, y_pred, unseen, average=average)
    with warnings.catch_warnings():
        # Predictions that cross over name classes that the reference does not find in y_true.
        warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
        acc_u = reference(y_true[is_unseen], y_pred[is_unseen])
        acc_s = reference(y_true[~is_unseen], y_pred[~is_unseen])
    assert found.acc_u == pytest.approx(acc_u, abs=1e-15)
    assert found.acc_s == pytest.approx(acc_s, abs=1e-15)
    assert found.harmonic_mean == pytest.approx(hmean([acc_u, acc_s]), abs=1e-15)


def test_a_model_that_never_says_unseen_has_harmonic_mean_zero():
    found = generalized_accuracy(["a", "b", "u"], ["a", "b", "a"], ["u"])
    assert (found.acc_u, found.acc_s, found.harmonic_mean) == (0, 1, 0)
