"""Images on which an SVM's settings are chosen, and the way to the best of them."""

import numpy as np
import pytest

from sapwood.tags import settings
from sapwood.tags.annotator import SocialImageAnnotator
from sapwood.tags.settings import SHOWN, climb, tuning_rows
from sapwood.tags.svm import OneVsAllSVM


@pytest.fixture
def few(monkeypatch):
    """Settings are chosen on 100 images."""
    monkeypatch.setattr(settings, "TUNING_ROWS", 100)
    return 100


def drawn(n, few, seed=0):
    return np.random.default_rng(seed).permutation(n)[:few]


def test_all_images_are_looked_at_where_there_are_no_more():
    flags = np.zeros((50, 2), dtype=bool)
    np.testing.assert_array_equal(tuning_rows(flags, np.random.default_rng(0)), np.arange(50))


@pytest.mark.parametrize("shown", [3, 40])
def test_some_images_show_each_concept(few, shown):
    flags = np.zeros((1000, 2), dtype=bool)
    flags[:, 0] = np.arange(1000) % 3 == 0
    flags[np.setdiff1d(np.arange(1000), drawn(1000, few))[:shown], 1] = True
    rows = tuning_rows(flags, np.random.default_rng(0))
    assert set(drawn(1000, few)) <= set(rows)
    assert flags[rows, 1].sum() == min(shown, SHOWN)
    assert len(rows) == few + min(shown, SHOWN)
    np.testing.assert_array_equal(rows, np.unique(rows))


def test_a_concept_that_few_images_show_is_found(few):
    rng = np.random.default_rng(1)
    X, concepts = rng.standard_normal((2000, 3)), np.zeros((2000, 2), dtype=int)
    concepts[:, 0] = X[:, 0] > 0.5
    concepts[np.setdiff1d(np.arange(2000), drawn(2000, few))[:30], 1] = 1
    X[concepts[:, 1] == 1, 1] += 12
    annotator = SocialImageAnnotator(None, inputs="features", features="raw", C=1.0)
    given = annotator.fit(X, None, concepts).predict(X)[:, 1]
    assert given[concepts[:, 1] == 1].mean() > 0.9
    assert given[concepts[:, 1] == 0].mean() < 0.01


def test_probabilities_are_those_of_all_images(few):
    rng = np.random.default_rng(2)
    flags = np.zeros((4000, 1), dtype=bool)
    flags[np.setdiff1d(np.arange(4000), drawn(4000, few))[:40]] = True
    svm = OneVsAllSVM(C=1.0).fit(rng.standard_normal((4000, 2)), flags)
    # Ten of 110 images that were looked at show it, and one in a hundred does.
    assert svm.predict_proba(rng.standard_normal((500, 2))).mean() == pytest.approx(0.01, abs=0.005)


def test_where_nothing_can_be_told_the_first_place_is_taken():
    assert climb(lambda place: np.nan, (3, 3), (1, 1)) == (1, 1)
    assert climb(lambda place: np.nan if place[1] else 1.0, (1, 3), (0, 0)) == (0, 0)
