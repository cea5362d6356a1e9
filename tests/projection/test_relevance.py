"""Weights of attributes, against regressions that leave each class out for real."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.kernel_ridge import KernelRidge

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.projection import attribute_weights
from sapwood.projection.relevance import MOST, LeftOut

P, K = 15, 4


@pytest.fixture
def Z():
    return np.random.default_rng(0).random((P, K)) + 0.05


@pytest.fixture
def means(Z):
    """The last attribute shows nowhere."""
    return Z[:, :-1] @ np.random.default_rng(1).standard_normal((K - 1, 6))


def kernel_of(Z, weights, width, linear):
    """Pair by pair; Z after power, length and centring."""
    A = Z * np.sqrt(weights)
    squared = np.array([[((a - b) ** 2).sum() for b in A] for a in A])
    scale = width**2 * squared.sum() / (P * (P - 1))
    length = np.mean([(a**2).sum() for a in A])
    return (1 - linear) * np.exp(-squared / (2 * scale)) + linear * A @ A.T / length


@pytest.mark.parametrize("linear", [0.0, 0.25])
def test_the_error_is_that_of_regressions_which_never_saw_the_class(Z, means, linear):
    weights, M = np.array([0.5, 1.0, 3.0, 0.1]), means - means.mean(axis=0)
    K_ = kernel_of(Z, weights, 1.2, linear)
    squares = 0.0
    for c in range(P):
        others = np.delete(np.arange(P), c)
        model = KernelRidge(alpha=0.3, kernel="precomputed")
        model.fit(K_[np.ix_(others, others)], M[others])
        squares += ((model.predict(K_[[c]][:, others]) - M[c]) ** 2).sum()
    error, _ = LeftOut(Z, M @ M.T, 0.3, 1.2, linear).error(weights)
    np.testing.assert_allclose(error, squares / (M**2).sum())


@pytest.mark.parametrize("linear", [0.0, 0.25, 1.0])
def test_its_gradient_is_that_of_differences(Z, means, linear):
    M = means - means.mean(axis=0)
    problem = LeftOut(Z, M @ M.T, 0.3, 1.2, linear)
    weights = np.array([0.5, 1.0, 3.0, 0.1])
    expected = approx_fprime(weights, lambda v: problem.error(v)[0], 1e-7)
    np.testing.assert_allclose(problem.error(weights)[1], expected, rtol=1e-4, atol=1e-7)


def test_only_ratios_of_weights_count(Z, means):
    problem = LeftOut(Z, means @ means.T, 0.3, 1.2, 0.25)
    weights = np.array([0.5, 1.0, 3.0, 0.1])
    np.testing.assert_allclose(problem.error(weights)[0], problem.error(7 * weights)[0])


@pytest.mark.parametrize("name", ["kernel", "plain-mixed"])
def test_weights_are_where_the_penalised_error_is_least(Z, means, name):
    classes, freedom = AttributeMap(**ATTRIBUTE_MAPS[name]), 5.0
    found = attribute_weights(classes, Z, means, 0.3, freedom)
    A, M = AttributeMap(**ATTRIBUTE_MAPS[name]).fit(Z).scale(Z), means - means.mean(axis=0)
    problem = LeftOut(A, M @ M.T, 0.3, 1.2, classes.linear)

    def loss(logs):
        return problem.error(np.exp(logs))[0] + logs @ logs / (P * freedom**2)

    slow = minimize(loss, np.zeros(K), method="Nelder-Mead", options={"maxiter": 4000})
    assert loss(np.log(found)) <= slow.fun + 1e-5
    assert found.argmin() == K - 1


def test_more_freedom_is_weights_further_apart(Z, means):
    classes = AttributeMap(**ATTRIBUTE_MAPS["kernel"])
    spreads = [np.ptp(attribute_weights(classes, Z, means, 0.3, f)) for f in (0.0, 0.5, 2.0, 8.0)]
    assert spreads[0] == 0
    assert spreads == sorted(spreads)
    assert spreads[-1] > 2 * spreads[1] > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda Z, means: ("kernel", Z[:2], means[:2]),
        lambda Z, means: ("powered", Z, means),
        lambda Z, means: ("kernel", np.ones_like(Z), means),
        lambda Z, means: ("kernel", Z, np.ones_like(means)),
    ],
    ids=["few classes", "no kernel", "classes alike", "images alike"],
)
def test_where_nothing_can_be_told_all_attributes_count_alike(Z, means, change):
    name, Z, means = change(Z, means)
    found = attribute_weights(AttributeMap(**ATTRIBUTE_MAPS[name]), Z, means, 0.3, 5.0)
    np.testing.assert_array_equal(found, 1)


def test_neither_the_unit_of_features_nor_that_of_attributes_matters(Z, means):
    classes = AttributeMap(**ATTRIBUTE_MAPS["kernel"])
    plain = attribute_weights(classes, Z, means, 0.3, 5.0)
    scaled = attribute_weights(classes, 100 * Z, 0.01 * means + 3, 0.3, 5.0)
    np.testing.assert_allclose(scaled, plain, rtol=1e-3)


def test_of_many_classes_some_are_asked(monkeypatch):
    rng = np.random.default_rng(0)
    Z = rng.random((40, K))
    means = Z[:, :2] @ rng.standard_normal((2, 6))
    classes = AttributeMap(**ATTRIBUTE_MAPS["kernel"])
    monkeypatch.setattr("sapwood.projection.relevance.MOST_CLASSES", 14)
    some = [round(i * 39 / 13 - 0.4999) for i in range(14)]
    found = attribute_weights(classes, Z, means, 0.3, 5.0)
    np.testing.assert_array_equal(found, attribute_weights(classes, Z[some], means[some], 0.3, 5.0))
    assert np.ptp(found) > 0


def test_steps_that_are_too_long_do_no_harm(Z):
    """With all the freedom there is, weights run to their limits."""
    means = Z[:, :1] @ np.ones((1, 3))
    found = attribute_weights(AttributeMap(**ATTRIBUTE_MAPS["kernel"]), Z, means, 1e-3, 1e6)
    assert np.isfinite(found).all()
    assert np.abs(np.log(found)).max() <= MOST
