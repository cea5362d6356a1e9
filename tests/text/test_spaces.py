import json

import numpy as np
import pytest

from sapwood import InputError
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.text import ClassSpaces


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    return [rng.random((9, 5)), rng.standard_normal((9, 7))]


def squared_distances(Z):
    return ((Z[:, None] - Z[None]) ** 2).sum(axis=2)


def test_distances_are_the_weighted_mean_of_each_space(pair):
    found = ClassSpaces([3, 1]).fit(pair).transform(pair)
    alone = [AttributeMap(**ATTRIBUTE_MAPS["powered"]).fit(Z).transform(Z) for Z in pair]
    expected = 0.75 * squared_distances(alone[0]) + 0.25 * squared_distances(alone[1])
    np.testing.assert_allclose(squared_distances(found), expected)


def test_the_unit_of_a_space_does_not_matter(pair):
    found = ClassSpaces([1, 1]).fit(pair).transform(pair)
    scaled = [100 * pair[0], 0.01 * pair[1]]
    np.testing.assert_allclose(ClassSpaces([1, 1]).fit(scaled).transform(scaled), found)


def test_a_space_with_all_the_weight_is_passed_on_as_given(pair):
    assert ClassSpaces([0, 2]).fit(pair).transform(pair) is not pair[1]
    np.testing.assert_array_equal(ClassSpaces([0, 2]).fit(pair).transform(pair), pair[1])
    np.testing.assert_array_equal(ClassSpaces([1.0, 0.0]).fit(pair).transform(pair), pair[0])


def test_statistics_are_those_of_the_classes_fitted_to(pair):
    fitted = ClassSpaces([1, 1]).fit([Z[:6] for Z in pair])
    whole = fitted.transform(pair)
    np.testing.assert_allclose(fitted.transform([Z[6:] for Z in pair]), whole[6:])
    assert np.abs(whole - ClassSpaces([1, 1]).fit(pair).transform(pair)).max() > 1e-3


def test_through_json_and_back(pair):
    fitted = ClassSpaces([2, 1]).fit(pair)
    again = ClassSpaces.from_dict(json.loads(json.dumps(fitted.to_dict())))
    np.testing.assert_array_equal(again.transform(pair), fitted.transform(pair))


def test_missing_values_are_the_mean(pair):
    fitted = ClassSpaces([1, 1]).fit(pair)
    holes, means = pair[0].copy(), pair[0].copy()
    holes[2, 3], means[2, 3] = np.nan, pair[0][:, 3].mean()
    np.testing.assert_allclose(
        fitted.transform([holes, pair[1]]), fitted.transform([means, pair[1]])
    )
    holes[:, 3] = np.nan
    with pytest.raises(InputError, match=r"1 column without any value .*column 3"):
        ClassSpaces([1, 1]).fit([holes, pair[1]])


@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [1, 1, 1]])
def test_weights_that_cannot_be(pair, weights):
    with pytest.raises(InputError, match="give one for each"):
        ClassSpaces(weights).fit(pair)


def test_other_columns_than_in_fit(pair):
    with pytest.raises(InputError, match=r"\[5, 6\] columns; expected \[5, 7\]"):
        ClassSpaces([1, 1]).fit(pair).transform([pair[0], pair[1][:, :6]])
