from dataclasses import replace

import numpy as np
import pytest

from sapwood.projection import Evidence
from sapwood.projection import evidence as module


@pytest.fixture
def parts():
    rng = np.random.default_rng(0)
    F = rng.dirichlet(np.ones(3), 8)
    F[2] = 0
    return rng.standard_normal((8, 4)), F, rng.random((3, 5)), np.r_[0.0, rng.random(7)]


@pytest.mark.parametrize("own", [False, True], ids=["mixtures", "attributes of their own"])
def test_gram_matrices_are_sums_over_images(parts, own):
    X, F, Z, weights = parts
    Y = np.random.default_rng(1).random((8, 5)) if own else F @ Z
    found = Evidence(X, F, Z, weights, Y if own else None)
    pairs = {"FtF": (F, F), "FtX": (F, X), "XtX": (X, X), "YtY": (Y, Y), "YtX": (Y, X)}
    for name, (left, right) in pairs.items():
        expected = sum(w * np.outer(a, b) for w, a, b in zip(weights, left, right, strict=True))
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(found.Y, Y)
    np.testing.assert_allclose(found.sum_x, sum(w * x for w, x in zip(weights, X, strict=True)))


@pytest.mark.parametrize("n", [3, 4, 8], ids=["n < d", "n = d", "n > d"])
def test_the_eigendecomposition_is_that_of_the_scatter(parts, n):
    X, F, Z, weights = parts
    found = Evidence(X[-n:], F[-n:], Z, weights[-n:])
    values, vectors = found.XtX_eigen.values, found.XtX_eigen.vectors
    assert vectors.shape == (4, min(n, 4))
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-12)
    np.testing.assert_allclose((vectors * values) @ vectors.T, found.XtX, atol=1e-12)


def test_directions_without_images_are_left_out(parts):
    X, F, Z, _ = parts
    found = Evidence(X[[0, 1, 1]], F[:3], Z, np.array([0.0, 2.0, 3.0])).XtX_eigen
    assert found.vectors.shape == (4, 1)
    np.testing.assert_allclose(found.values, 5 * X[1] @ X[1])


@pytest.mark.parametrize("k", [2, 3, 5], ids=["k < p", "k = p", "k > p"])
@pytest.mark.parametrize("own", [False, True], ids=["mixtures", "attributes of their own"])
def test_the_attributes_are_decomposed_in_no_more_directions_than_they_have(parts, own, k):
    X, F, Z, weights = parts
    Y = np.random.default_rng(1).random((8, k)) if own else None
    found = Evidence(X, F, Z[:, :k], weights, Y)
    values, vectors = found.YtY_eigen.values, found.YtY_eigen.vectors
    assert vectors.shape == (k, k if own else min(k, 3))
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-12)
    np.testing.assert_allclose((vectors * values) @ vectors.T, found.YtY, atol=1e-12)


def test_classes_without_attributes_have_no_directions(parts):
    X, F, Z, weights = parts
    assert Evidence(X, F, 0 * Z, weights).YtY_eigen.vectors.shape == (5, 0)


@pytest.mark.parametrize("own", [False, True], ids=["mixtures", "attributes of their own"])
def test_other_coordinates_of_the_same_images(parts, own):
    X, F, Z, weights = parts
    given = Evidence(X, F, Z, weights, np.random.default_rng(1).random((8, 5)) if own else None)
    turn = np.random.default_rng(2).standard_normal((5, 2))
    found = given.described(lambda rows: rows @ turn)
    np.testing.assert_array_equal(found.Z, Z @ turn)
    np.testing.assert_allclose(found.Y, given.Y @ turn)
    np.testing.assert_allclose(found.YtY, turn.T @ given.YtY @ turn)
    np.testing.assert_allclose(found.YtX, turn.T @ given.YtX)
    again = found.described(lambda rows: rows[:, :1])
    np.testing.assert_allclose(again.YtX, turn[:, :1].T @ given.YtX)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_what_does_not_depend_on_coordinates_is_computed_once(parts, first, monkeypatch):
    given = Evidence(*parts)
    family = [given, given.described(lambda Z: 2 * Z)]
    family.append(family[1].described(lambda Z: Z + 1))
    calls, real = [], module.symmetric_eigen
    monkeypatch.setattr(module, "symmetric_eigen", lambda *a: calls.append(1) or real(*a))
    for name in ("FtF", "FtX", "XtX", "XtX_eigen"):
        found = getattr(family[first], name)
        assert all(getattr(one, name) is found for one in family)
    assert calls == [1]
    assert family[0].YtY is not family[1].YtY


def test_once_calls_once_for_a_key_and_keeps_none(parts):
    given = Evidence(*parts)
    other = given.described(lambda Z: Z)
    calls = []
    for one in (given, other, given):
        assert one.once("a", lambda: calls.append(1)) is None
    assert given.once("b", lambda: 7) == other.once("b", lambda: 8) == 7
    assert calls == [1]


def test_a_copy_with_other_images_computes_anew(parts):
    X, F, Z, weights = parts
    given = Evidence(*parts)
    for name in ("FtX", "XtX", "XtX_eigen", "YtX", "sum_x"):
        assert getattr(given, name) is not None
    moved = replace(given, X=X[:, ::-1])
    np.testing.assert_array_equal(moved.FtX, Evidence(X[:, ::-1], F, Z, weights).FtX)
    np.testing.assert_array_equal(moved.YtX, Evidence(X[:, ::-1], F, Z, weights).YtX)
    np.testing.assert_allclose(moved.sum_x, given.sum_x[::-1])
    assert moved._memory is not given._memory
    assert moved.once("a", lambda: 1) != given.once("a", lambda: 2)


@pytest.mark.parametrize("name", ["X", "F", "weights"])
def test_gram_matrices_of_other_images_are_never_taken(parts, name):
    described = Evidence(*parts).described(lambda Z: Z)
    changed = {name: getattr(described, name).copy()}
    with pytest.raises(ValueError, match="source is of other images"):
        replace(described, **changed)
    assert replace(described, **changed, source=None).FtX is not described.FtX


def test_a_class_of_vanishing_mass_says_nothing_of_noise(parts):
    X, F, Z, weights = parts
    far = np.hstack([F, np.full((len(F), 1), 1e-170)])
    with_it = Evidence(X, far, np.vstack([Z, Z[:1]]), weights)
    assert with_it.noise == pytest.approx(Evidence(X, F, Z, weights).noise)
