import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap


@pytest.fixture
def Z():
    return np.random.default_rng(0).random((7, 5)) + 0.05


@pytest.fixture(params=ATTRIBUTE_MAPS)
def name(request):
    return request.param


def named(name):
    return AttributeMap(**ATTRIBUTE_MAPS[name])


def powered(Z, others):
    """Power, length, centring by the mean of Z and length again, with no shared code."""

    def scaled(rows):
        return rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))

    return scaled(scaled(others**0.6) - scaled(Z**0.6).mean(axis=0))


def gaussian(Z, others):
    """The kernel between `others` and Z, pair by pair."""
    A, B = powered(Z, Z), powered(Z, others)
    p = len(A)
    pairs = [((A[i] - A[j]) ** 2).sum() for i in range(p) for j in range(p) if i != j]
    scale = 1.2**2 * np.mean(pairs)
    return np.array([[np.exp(-((b - a) ** 2).sum() / (2 * scale)) for a in A] for b in B])


def test_the_plain_maps_follow_their_formulas(Z):
    np.testing.assert_array_equal(named("raw").fit(Z).transform(Z), Z)
    l1 = Z / np.abs(Z).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(named("l1").fit(Z).transform(Z), l1)
    l2 = Z / np.sqrt((Z**2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(named("l2").fit(Z).transform(Z), l2)


def test_the_power_and_the_mean_are_those_of_the_seen_classes(Z):
    found = named("powered").fit(Z[:5])
    np.testing.assert_allclose(found.transform(Z), powered(Z[:5], Z))


def test_products_of_coordinates_are_the_kernel(Z):
    found = named("kernel").fit(Z[:5])
    seen, new = found.transform(Z[:5]), found.transform(Z[5:])
    np.testing.assert_allclose(seen @ seen.T, gaussian(Z[:5], Z[:5]), atol=1e-10)
    np.testing.assert_allclose(new @ seen.T, gaussian(Z[:5], Z[5:]), atol=1e-10)


@pytest.mark.parametrize("name", ["powered", "kernel"])
def test_the_length_of_a_row_does_not_matter(Z, name):
    factors = np.geomspace(1e-3, 1e3, 7)[:, None]
    expected = named(name).fit(Z[:5]).transform(Z)
    found = named(name).fit((factors * Z)[:5]).transform(factors[::-1] * Z)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_no_power_where_a_seen_class_has_a_negative_attribute(Z):
    signed = Z - 0.5
    found = named("powered").fit(signed)
    assert found.power_ == 1
    unit = signed / np.linalg.norm(signed, axis=1, keepdims=True)
    expected = unit - unit.mean(axis=0)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found.transform(signed), expected)
    assert named("powered").fit(Z).power_ == 0.6


def test_a_new_class_keeps_signs_that_no_seen_class_had():
    found = AttributeMap(norm="none", power=0.5).fit(np.ones((2, 2)))
    np.testing.assert_allclose(found.transform(np.array([[4.0, -9.0]])), [[2.0, -3.0]])


def test_classes_described_alike_do_not_blow_up(Z):
    twice = np.vstack([Z[:4], Z[:2], Z[:1] * (1 + 1e-12)])
    found = named("kernel").fit(twice)
    new = found.transform(Z)
    # No class is farther from the origin than the kernel of a class with itself, 1.
    assert np.linalg.norm(new, axis=1).max() <= 1 + 1e-8
    np.testing.assert_allclose(new @ found.transform(twice).T, gaussian(twice, Z), atol=1e-6)


def test_where_all_classes_are_alike_so_are_their_coordinates(name):
    alike = np.tile([0.1, 0.2, 0.3], (3, 1))
    found = named(name).fit(alike).transform(alike)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, found[[0, 0, 0]], atol=1e-12)


@pytest.mark.parametrize("norm", ["none", "l1"])
def test_a_class_equal_to_the_mean_has_no_direction(norm):
    Z = np.array([[0.1, 0.9], [0.7, 0.3], [0.4, 0.6]])
    found = AttributeMap(norm=norm, center=True).fit(Z).transform(Z)
    np.testing.assert_allclose(found[2], 0, atol=1e-15)
    assert np.abs(found[:2]).min() > 0.1


def test_one_hot_classes_are_equally_far_apart():
    found = named("kernel").fit(np.eye(6))
    kernel = np.full((6, 6), np.exp(-1 / (2 * 1.2**2)))
    np.fill_diagonal(kernel, 1)
    coordinates = found.transform(np.eye(6))
    np.testing.assert_allclose(coordinates @ coordinates.T, kernel)


def test_gradients_equal_finite_differences(Z, name):
    found = named(name).fit(Z)
    rng = np.random.default_rng(1)
    at, G = rng.standard_normal((3, 5)), rng.standard_normal((3, found.dimension))
    expected, h = np.empty_like(at), 1e-6
    for i, j in np.ndindex(*at.shape):
        step = np.zeros_like(at)
        step[i, j] = h
        expected[i, j] = ((found.place(at + step) - found.place(at - step)) * G).sum() / (2 * h)
    np.testing.assert_allclose(found.pull_back(at, G), expected, atol=1e-7)


def test_the_number_of_coordinates(Z, name):
    found = named(name).fit(Z)
    expected = 7 if "width" in ATTRIBUTE_MAPS[name] else 5
    assert found.dimension == found.transform(Z[:2]).shape[1] == expected


def test_a_clone_has_the_parameters_and_nothing_learned(Z, name):
    copy = clone(named(name).fit(Z))
    assert copy.get_params() == named(name).get_params()
    with pytest.raises(NotFittedError):
        copy.transform(Z)


def test_the_input_is_never_changed(Z, name):
    given = Z.copy()
    given.flags.writeable = False
    named(name).fit(given).transform(given)
    np.testing.assert_array_equal(given, Z)
