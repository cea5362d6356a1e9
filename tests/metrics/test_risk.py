from itertools import permutations

import numpy as np
import pytest

from sapwood.metrics import aurc, risk_coverage_curve


def loop_risks(wrong_in_order):
    return [np.mean(wrong_in_order[:k]) for k in range(1, len(wrong_in_order) + 1)]


def test_curve_and_area_equal_a_loop_over_coverages():
    rng = np.random.default_rng(0)
    correct, confidence = rng.integers(2, size=80), rng.normal(size=80)
    expected = loop_risks(1 - correct[np.argsort(-confidence)])
    curve = risk_coverage_curve(correct, confidence)
    np.testing.assert_allclose(curve.risk, expected, atol=1e-14)
    np.testing.assert_allclose(curve.coverage, np.arange(1, 81) / 80)
    assert aurc(correct, confidence) == pytest.approx(np.mean(expected), abs=1e-14)


def test_ties_give_the_mean_over_all_orders_of_the_tied():
    correct = np.array([1, 0, 0, 1, 1, 0])
    confidence = np.array([0.9, 0.5, 0.5, 0.5, 0.2, 0.2])
    all_risks = [
        loop_risks(1 - correct[list(order)])
        for order in permutations(range(6))
        if (np.diff(confidence[list(order)]) <= 0).all()
    ]
    assert len(all_risks) == 12
    found = risk_coverage_curve(correct, confidence).risk
    np.testing.assert_allclose(found, np.mean(all_risks, axis=0), atol=1e-14)


def test_confidence_without_information_has_the_error_rate_everywhere():
    curve = risk_coverage_curve([1, 0, 0, 1, 0], np.zeros(5))
    np.testing.assert_allclose(curve.risk, 0.6)


def test_full_coverage_is_the_error_rate_and_only_the_order_of_confidence_matters():
    rng = np.random.default_rng(1)
    correct, confidence = rng.integers(2, size=30), rng.random(30)
    assert risk_coverage_curve(correct, confidence).risk[-1] == pytest.approx(1 - correct.mean())
    assert aurc(correct, confidence) == aurc(correct, np.exp(5 * confidence) - 9)
    assert aurc(correct, correct) <= aurc(correct, confidence) <= aurc(correct, -correct)


def test_all_right_and_all_wrong():
    assert aurc(np.ones(7), np.arange(7)) == 0
    assert aurc(np.zeros(7), np.arange(7) % 3) == 1
