"""Concepts that are called as tags are: one reading of scores and tags for all of them."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from sapwood.metrics import mean_average_precision
from sapwood.tags.annotator import SocialImageAnnotator
from sapwood.tags.named import LEAST, RIDGE, learn_weights, match_names

QUICK = {"C": 0.3, "tag_weight": 1.0}
NAMES = ["sea", "Sky", "dog", "cat", "tree"]


def named_after_tags(n=120, shown=0.3, kept=0.9):
    """Concepts that somebody wrote down for most images, and features that say nothing."""
    rng = np.random.default_rng(3)
    concepts = rng.random((n, 5)) < shown
    tags = (rng.random((n, 40)) < 0.3).astype(np.uint8)
    tags[:, 10:15] = concepts & (rng.random((n, 5)) < kept)
    tag_names = [f"word {j}" for j in range(40)]
    tag_names[10:15] = ["Sea", "sky", "dog", "cat", "#tree"]
    names = {"concept_names": NAMES, "tag_names": tag_names}
    return rng.standard_normal((n, 60)), tags, concepts, names


def quality(X, tags, concepts, taught, **names):
    annotator = SocialImageAnnotator(None, **QUICK)
    annotator.fit(X[:taught], tags[:taught], concepts[:taught], **names)
    scores = annotator.decision_function(X[taught:], tags[taught:])
    return mean_average_precision(concepts[taught:], scores), annotator


def test_the_tag_of_a_concept_s_own_name_speaks_for_it():
    *data, names = named_after_tags()
    plain, without = quality(*data, 60)
    better, annotator = quality(*data, 60, **names)
    assert better > plain + 0.1
    np.testing.assert_array_equal(annotator.named_.tags, np.arange(10, 15))
    assert not len(without.named_.tags)


def test_names_that_mislead_do_little_harm():
    *data, names = named_after_tags(400)
    wrong = {**names, "concept_names": NAMES[::-1]}
    misled = quality(*data, 200, **wrong)[0]
    assert misled > quality(*data, 200)[0] - 0.03


def test_a_concept_that_was_never_shown_is_known_by_its_name():
    X, tags, concepts, names = named_after_tags(300)
    known = concepts[:150].copy()
    known[:, 2] = False
    annotator = SocialImageAnnotator(None, **QUICK).fit(X[:150], tags[:150], known, **names)
    scores = annotator.decision_function(X[150:], tags[150:])[:, 2]
    assert mean_average_precision(concepts[150:, 2:3], scores[:, None]) > 0.8


def test_probabilities_are_those_of_the_scores_with_names():
    X, tags, concepts, names = named_after_tags(400)
    annotator = quality(X, tags, concepts, 300, **names)[1]
    proba = annotator.predict_proba(X[300:], tags[300:])
    assert proba.mean() == pytest.approx(concepts[300:].mean(), abs=0.05)
    likely = proba > 0.5
    assert concepts[300:][likely].mean() == pytest.approx(proba[likely].mean(), abs=0.15)


def shown(n=80):
    rng = np.random.default_rng(0)
    flags = rng.random((n, 4)) < [0.5, 0.3, 0.2, 0.1]
    Y = np.abs(flags * 0.5 + 0.3 * rng.standard_normal((n, 4)))
    named = match_names(list("abcd"), list("dcba"), flags)
    return flags, flags + rng.standard_normal((n, 4)), Y, named


def test_the_weights_minimise_the_log_loss_of_all_concepts():
    flags, scores, Y, named = shown()
    found = learn_weights(named, scores, Y, flags)
    s, y, r = scores.ravel(), Y[:, ::-1].ravel(), np.tile(named.rarity, 80)
    level = np.log(np.maximum(y, LEAST))
    terms = np.stack([s**0, y, level, r, r * y, r * level, s, s * y, s * level, s * r])
    spread = terms.std(axis=1)

    def loss(weights):
        odds = weights @ terms
        own = np.logaddexp(0, odds).sum() - odds[flags.ravel()].sum()
        return own + RIDGE * ((weights * spread) ** 2).sum()

    def gradient(weights):
        return terms @ (expit(weights @ terms) - flags.ravel()) + 2 * RIDGE * spread**2 * weights

    weights = np.append(found.offset, found.slope)
    best = minimize(loss, np.zeros(10), jac=gradient, method="BFGS", options={"gtol": 1e-8})
    assert loss(weights) == pytest.approx(best.fun, rel=1e-6)
    np.testing.assert_allclose(
        found.log_odds(scores, Y), (weights @ terms).reshape(80, 4), atol=1e-10
    )


def test_a_higher_score_never_counts_against_a_concept():
    flags, scores, Y, named = shown(300)
    # An SVM that was wrong about all of them.
    wrong = -3 * scores - 1.5
    found = learn_weights(named, wrong, Y, flags)
    assert (found.log_odds(wrong + 1, Y) > found.log_odds(wrong, Y)).all()
    # Tags still say how likely concepts are.
    assert expit(found.log_odds(wrong, Y)).mean() == pytest.approx(flags.mean(), abs=0.02)
    # Wrong about one of them only: scores count alike for all, and none counts against it.
    scores[:, 2] = wrong[:, 2]
    mixed = learn_weights(named, scores, Y, flags)
    assert (mixed.log_odds(scores + 1, Y) > mixed.log_odds(scores, Y)).all()
    assert mixed.slope[0] > 0
    assert not mixed.slope[1:].any()


def test_the_tag_is_the_one_that_is_called_so_or_else_the_first_that_is_meant():
    flags = np.ones((4, 4))
    named = match_names(["sea", "Sea", "SEA", "#"], ["Sea", "sea", "''"], flags)
    np.testing.assert_array_equal(named.concepts, [0, 1, 2])
    np.testing.assert_array_equal(named.tags, [1, 0, 0])


def test_rarity_counts_an_image_more_on_either_side():
    flags = np.array([[1, 0], [1, 0], [0, 0]], dtype=bool)
    np.testing.assert_allclose(np.exp(match_names("ab", "ab", flags).rarity), [3 / 5, 1 / 5])


def test_weights_are_learned_from_images_of_all_parts(monkeypatch):
    flags, scores, Y, found = shown(400)
    # Tags of the first half say nothing, as if another person had written them.
    Y[:200] = 0.5
    monkeypatch.setattr("sapwood.tags.named.MOST", 4 * 200)
    some = learn_weights(found, scores, Y, flags).log_odds(scores, Y)[200:]
    last = learn_weights(found, scores[:200], Y[:200], flags[:200]).log_odds(scores, Y)[200:]

    def loss(odds):
        return np.logaddexp(0, odds).mean() - (odds * flags[200:]).mean()

    assert loss(some) < loss(last) - 0.01


def test_a_tag_that_nobody_wrote_says_nothing():
    flags = np.random.default_rng(0).random((10_000, 1)) < 0.3
    named = match_names(["a"], ["a"], flags)
    found = learn_weights(named, flags - 0.5, np.zeros(flags.shape), flags)
    zero = np.zeros((1, 1))
    assert found.log_odds(zero, np.ones((1, 1))) == pytest.approx(found.log_odds(zero, zero))


@pytest.mark.parametrize("value", [False, True])
def test_nothing_is_learned_where_all_images_are_alike(value):
    flags = np.full((20, 2), value)
    named = match_names(["a", "b"], ["b", "a"], flags)
    found = learn_weights(named, np.zeros((20, 2)), np.ones((20, 2)), flags)
    assert found.log_odds(np.zeros((20, 2)), np.ones((20, 2))).shape == (20, 0)


def test_a_constant_tag_does_no_harm():
    X, tags, concepts, names = named_after_tags()
    tags[:, 10] = 1
    annotator = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts, **names)
    assert np.isfinite(annotator.decision_function(X, tags)).all()


def test_few_images_are_enough_to_learn_what_names_mean():
    X, tags, concepts, names = named_after_tags(600, shown=0.15, kept=0.7)
    alone = mean_average_precision(concepts[40:], tags[40:, 10:15])
    assert quality(X, tags, concepts, 40, **names)[0] > alone - 0.02
