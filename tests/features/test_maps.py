import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from sapwood.features import FEATURE_MAPS, FeatureMap, unit_rows


@pytest.fixture
def X():
    return np.random.default_rng(0).random((200, 12)) * np.linspace(0.1, 3, 12)


def reference(X_train, X, exponent):
    """The recipe, step by step, with no shared code."""

    def scaled(rows):
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    train, rows = scaled(np.sqrt(X_train)), scaled(np.sqrt(X))
    mean = train.mean(axis=0)
    train, rows = scaled(train - mean), scaled(rows - mean)
    values, vectors = np.linalg.eigh(train.T @ train / len(train))
    power = vectors @ np.diag((values + values.mean() / 2) ** -exponent) @ vectors.T
    return scaled(rows @ power)


def test_whitening_follows_its_definition(X):
    mapped = FeatureMap().fit(X[:150])
    np.testing.assert_allclose(mapped.transform(X[150:]), reference(X[:150], X[150:], 0.3))


def test_fewer_rows_than_features_are_whitened_less():
    X = np.random.default_rng(0).random((40, 20))
    few = FeatureMap().fit(X[:10])
    alike = FeatureMap(shrinkage=1.0).fit(np.repeat(X[:10], 2, axis=0))
    np.testing.assert_allclose(few.whitening_matrix_, alike.whitening_matrix_)


def test_rows_without_weight_have_no_part_in_the_statistics(X):
    weight = np.r_[np.ones(150), np.zeros(50)]
    weighted = FeatureMap().fit(X, sample_weight=weight)
    np.testing.assert_allclose(weighted.transform(X), FeatureMap().fit(X[:150]).transform(X))


def test_fit_transform_is_fit_then_transform(X):
    for options in FEATURE_MAPS.values():
        both = FeatureMap(**options).fit_transform(X)
        np.testing.assert_allclose(both, FeatureMap(**options).fit(X).transform(X), atol=1e-12)


def test_full_whitening_without_shrinkage_gives_the_identity(X):
    options = {"root": False, "unit": False, "shrinkage": 0.0, "whitening": 0.5}
    white = FeatureMap(**options).fit_transform(X)
    np.testing.assert_allclose(white.T @ white / len(X), np.eye(12), atol=1e-9)


def test_the_root_is_taken_only_where_nothing_is_negative(X):
    assert FeatureMap().fit(X).root_
    signed = FeatureMap().fit(X - 1)
    assert not signed.root_
    forced = FeatureMap(root=True, unit=False, center=False, whitening=0.0)
    np.testing.assert_allclose(forced.fit_transform([[4.0, -9.0]]), [[2.0, -3.0]])


def test_raw_is_the_identity(X):
    np.testing.assert_array_equal(FeatureMap(**FEATURE_MAPS["raw"]).fit_transform(X), X)


def test_zero_rows_stay_zero():
    rows = np.array([[0.0, 0.0], [0.0, 2.0]])
    np.testing.assert_array_equal(unit_rows(rows), [[0, 0], [0, 1]])
    np.testing.assert_array_equal(unit_rows(rows, norm=1), [[0, 0], [0, 1]])
    assert np.isfinite(FeatureMap().fit_transform(rows)).all()


def test_rounding_errors_are_not_blown_up():
    X = np.outer(np.arange(1, 30) / 7, np.random.default_rng(0).random(9))
    assert not FeatureMap().fit_transform(X).any()


@parametrize_with_checks([FeatureMap()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
