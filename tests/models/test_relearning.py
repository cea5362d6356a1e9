import numpy as np
import pytest

from sapwood.features import FeatureMap
from sapwood.models.relearning import Relearner, Statistics
from sapwood.projection import Evidence

CODES = np.arange(24) % 4
X = np.random.default_rng(0).random((24, 3))


def relearner(calls, weight=None):
    def scorer(taught, asked, classes):
        calls.append((taught, asked, classes))
        return np.zeros((len(asked), len(classes)))

    evidence = Evidence(X, np.eye(4)[CODES], np.eye(4), np.ones(24))
    statistics = None if weight is None else Statistics(X, FeatureMap(), weight)
    return Relearner(evidence, scorer, statistics)


def test_images_stay_as_the_evidence_has_them_unless_statistics_are_given():
    calls = []
    found = relearner(calls).scores(np.array([0, 2]), np.array([1, 3]), np.array([3, 1, 0]))
    taught, asked, classes = calls[0]
    assert found.shape == (2, 3)
    np.testing.assert_array_equal(taught.X, X[np.isin(CODES, [0, 2])])
    np.testing.assert_array_equal(asked, X[[1, 3]])
    np.testing.assert_array_equal(classes, np.eye(4)[[3, 1, 0]])


@pytest.mark.parametrize("weight", [np.ones(24), np.linspace(0.1, 1, 24)])
def test_statistics_are_those_of_the_images_that_teach(weight):
    calls, kept, among = [], np.array([0, 2]), np.arange(24) < 16
    relearner(calls, weight).scores(kept, np.array([1, 3]), kept, among)
    rows = np.flatnonzero(among & np.isin(CODES, kept))
    own = FeatureMap().fit(X[rows], sample_weight=weight[rows])
    taught, asked, _ = calls[0]
    np.testing.assert_allclose(taught.X, own.transform(X[rows]))
    np.testing.assert_allclose(asked, own.transform(X[[1, 3]]))
