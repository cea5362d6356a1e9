"""Which concepts an annotator gives, and how probable it says they are."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from sapwood.errors import InputError
from sapwood.metrics import tag_precision_recall
from sapwood.tags.annotator import SocialImageAnnotator
from tests.tags.test_annotator import QUICK, photos


def test_decisions_and_probabilities():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts)
    scores, proba = annotator.decision_function(X, tags), annotator.predict_proba(X, tags)
    np.testing.assert_array_equal(annotator.predict(X, tags), scores > 0)
    assert (annotator.predict(X, tags, top=3).sum(axis=1) == 3).all()
    assert ((proba > 0) & (proba < 1)).all()
    np.testing.assert_array_equal(np.argsort(proba, axis=1), np.argsort(scores, axis=1))
    np.testing.assert_array_equal(annotator.predict(X, tags, threshold=0.7), proba > 0.7)
    with pytest.raises(InputError, match="threshold is 7; expected"):
        annotator.predict(X, tags, threshold=7)


def test_the_threshold_is_the_best_one_of_images_held_out():
    X, tags, concepts = photos(600)
    annotator = SocialImageAnnotator(None, **QUICK).fit(X[:300], tags[:300], concepts[:300])
    scores, truth = annotator.decision_function(X[300:], tags[300:]), concepts[300:]
    found = [tag_precision_recall(truth, scores > move).f1 for move in np.linspace(-3, 3, 61)]
    assert tag_precision_recall(truth, scores > 0).f1 > max(found) - 0.03
    # A concept in three is shown: asking for even odds would leave many out.
    assert annotator.threshold_ < 0


@pytest.mark.parametrize("share", [0.6, 0.9])
def test_concepts_that_most_images_show_are_given_to_most(share):
    rng = np.random.default_rng(0)
    concepts = rng.random((600, 3)) < share
    X = concepts @ rng.standard_normal((3, 8)) + 0.5 * rng.standard_normal((600, 8))
    annotator = SocialImageAnnotator(None, inputs="features", C=1.0)
    annotator.fit(X[:300], None, concepts[:300])
    given = annotator.predict(X[300:])
    assert given.mean() == pytest.approx(share, abs=0.1)
    even = tag_precision_recall(concepts[300:], annotator.predict(X[300:], threshold=0.5))
    assert tag_precision_recall(concepts[300:], given).f1 > even.f1 - 0.02


def test_the_best_ones_are_those_with_the_highest_scores():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts)
    # Probabilities of all three are 1 but for rounding.
    scores = np.array([[40.0, 45.0, 50.0, -1.0, -2.0]])
    assert annotator.decide(scores, top=1).tolist() == [[0, 0, 1, 0, 0]]


def test_one_rule_decides():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts)
    with pytest.raises(InputError, match=r"top takes the best .* give one of them"):
        annotator.predict(X, tags, top=1, threshold=0.5)
    with pytest.raises(InputError, match="threshold is 0; expected a probability above 0"):
        annotator.predict(X, tags, threshold=0)


@pytest.mark.parametrize("decide", [{"top": 1}, {"threshold": 0.5}])
def test_nothing_is_decided_before_fit(decide):
    with pytest.raises(NotFittedError):
        SocialImageAnnotator().decide(np.zeros((1, 2)), **decide)


def test_photos_that_show_nothing_of_their_concepts_are_not_given_all():
    rng = np.random.default_rng(0)
    X, concepts = rng.standard_normal((400, 10)), rng.random((400, 20)) < 0.1
    annotator = SocialImageAnnotator(None, inputs="features", C=1.0)
    annotator.fit(X[:200], None, concepts[:200])
    assert annotator.predict(X[200:]).sum() < 3 * concepts[200:].sum()


def test_without_names_images_have_the_order_of_the_svm():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts)
    # As if its scores had misled on images held out.
    annotator.svm_.slope_[2] = 0.0
    scores = annotator.decision_function(X, tags)
    plain = annotator.svm_.decision_function(annotator.design_.rows(tags, X))
    np.testing.assert_array_equal(np.argsort(scores, axis=0), np.argsort(plain, axis=0))
