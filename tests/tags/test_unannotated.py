"""Images whose concepts nobody knows."""

import numpy as np
import pytest

from sapwood.errors import InputError
from sapwood.metrics import mean_average_precision
from sapwood.tags.annotator import SocialImageAnnotator
from sapwood.tags.refiner import TagRefiner
from tests.tags.test_annotator import QUICK, Smoothing, photos


def half_known(concepts, known=150):
    given = concepts.astype(np.int8)
    given[known:] = -1
    return given


def test_images_without_concepts_help_to_refine_the_others():
    rng, known = np.random.default_rng(0), 40
    concepts = rng.random((400, 5)) < 0.3
    X = concepts @ rng.standard_normal((5, 30)) + 2 * rng.standard_normal((400, 30))
    tags = rng.random((400, 20)) < np.where(np.repeat(concepts, 4, axis=1), 0.3, 0.05)
    alone = SocialImageAnnotator(**QUICK).fit(X[:known], tags[:known], concepts[:known])
    joined = SocialImageAnnotator(**QUICK).fit(X, tags, half_known(concepts, known))
    assert alone.unannotated_scores_.shape == (0, 5)
    assert joined.unannotated_scores_.shape == (360, 5)
    scores = alone.decision_function(X[known:], tags[known:])
    better = mean_average_precision(concepts[known:], joined.unannotated_scores_)
    assert better > 0.02 + mean_average_precision(concepts[known:], scores)


def test_concepts_are_learned_from_annotated_images_alone():
    X, tags, concepts = photos()
    refined = TagRefiner().fit_transform(X, tags)
    given = half_known(concepts)
    rows = np.random.default_rng(0).permutation(len(X))
    annotator = SocialImageAnnotator(**QUICK).fit(X[rows], tags[rows], given[rows])
    known = rows[given[rows, 0] >= 0]
    # Tags refined before, of the annotated images and of no others.
    plain = SocialImageAnnotator(None, **QUICK)
    plain.fit(X[known], np.maximum(refined[known], 0), concepts[known])
    others = rows[given[rows, 0] < 0]
    expected = plain.decision_function(X[others], np.maximum(refined[others], 0))
    np.testing.assert_allclose(annotator.unannotated_scores_, expected, atol=2e-2)


@pytest.mark.parametrize("refiner", [None, Smoothing()])
def test_any_refiner_takes_images_without_concepts(refiner):
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(refiner, **QUICK).fit(X, tags, half_known(concepts))
    scores = annotator.decision_function(X[150:], tags[150:])
    # In units of the SVM.
    apart = (annotator.unannotated_scores_ - scores) / annotator.svm_.slope_
    assert np.abs(apart).max() < 0.7
    if refiner is None:
        np.testing.assert_array_equal(annotator.unannotated_scores_, scores)


def test_missing_concepts_are_unknown_too():
    X, tags, concepts = photos()
    given = half_known(concepts).astype(float)
    first = SocialImageAnnotator(None, **QUICK).fit(X, tags, given)
    second = SocialImageAnnotator(None, **QUICK).fit(X, tags, np.where(given < 0, np.nan, given))
    np.testing.assert_array_equal(first.unannotated_scores_, second.unannotated_scores_)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((3, 1, -1), r"1 rows of which a part is -1 or missing \(first: row 3\)"),
        ((slice(None), slice(None), -1), "concepts is known of 0 images"),
        ((3, slice(None), -2), "other values than 0 and 1"),
    ],
)
def test_concepts_are_known_or_not(change, message):
    X, tags, concepts = photos()
    given = concepts.astype(np.int8)
    given[change[:2]] = change[2]
    with pytest.raises(InputError, match=message):
        SocialImageAnnotator(None, **QUICK).fit(X, tags, given)


def test_too_few_annotated_images_are_told():
    X, tags, concepts = photos()
    with pytest.raises(InputError, match=r"known of 2 images .*; at least 3 are needed"):
        SocialImageAnnotator(None, **QUICK).fit(X, tags, half_known(concepts, 2))


@pytest.mark.parametrize("missing", [None, np.nan])
def test_truth_values_with_gaps_are_read(missing):
    X, tags, concepts = photos()
    given = concepts.astype(bool).astype(object)
    given[150:] = missing
    found = SocialImageAnnotator(None, **QUICK).fit(X, tags, given)
    expected = SocialImageAnnotator(None, **QUICK).fit(X, tags, half_known(concepts))
    np.testing.assert_array_equal(found.unannotated_scores_, expected.unannotated_scores_)


def test_concepts_as_words_are_refused_in_our_words():
    X, tags, _ = photos()
    with pytest.raises(InputError, match="rows of unequal length; expected a matrix"):
        SocialImageAnnotator(None, **QUICK).fit(X, tags, [["sea"], ["sky", "sea"]] * 150)


def test_words_of_annotated_images_come_first():
    X, _, concepts = photos(90)
    words = [["rare", "sea"]] * 10 + [["u1", "u2", "u3"]] * 80
    refiner = TagRefiner(n_tags=3)
    annotator = SocialImageAnnotator(refiner, **QUICK).fit(X, words, half_known(concepts, 10))
    assert annotator.tag_names_[:2] == ["rare", "sea"]
    assert len(annotator.tag_names_) == 3
