import numpy as np
import pytest

from sapwood.features import FeatureMap
from sapwood.models import usefulness as module
from sapwood.models.relearning import Relearner, Statistics
from sapwood.models.usefulness import MOST, usefulness
from sapwood.projection import Evidence


def problem(n=117, p=9, seed=0):
    rng = np.random.default_rng(seed)
    X, truth = rng.random((n, 5)), np.arange(n) % p
    codes = np.where(np.arange(n) < 3 * p, truth, -1)
    return X, codes, Evidence(X, np.eye(p)[truth], np.eye(p), np.ones(n))


def asked(X, codes, evidence, scores, burden=2.0):
    """Run the comparison with a scorer that records what it is given."""
    calls = []

    def scorer(taught, X, classes):
        calls.append((taught, X, classes))
        return scores(taught, X, classes)

    statistics = Statistics(X, FeatureMap(), np.ones(len(X)))
    return usefulness(Relearner(evidence, scorer, statistics), codes, 0, burden), calls


def by_number(taught, X, classes):
    """Scores that are surer of themselves the more images were learned from."""
    return len(taught.X) * np.eye(len(classes))[np.arange(len(X)) % len(classes)]


def test_held_out_classes_teach_nothing_and_are_asked_once():
    X, codes, evidence = problem()
    _, calls = asked(X, codes, evidence, by_number)
    assert calls
    held = [classes.argmax(axis=1) for _, _, classes in calls]
    assert sorted(np.concatenate(held[:6:2])) == list(range(9))
    for (taught, test, classes), (alone, same_test, _) in zip(calls[::2], calls[1::2], strict=True):
        assert len(test) == len(same_test) == 3 * len(classes)
        assert taught.Z.shape[0] == alone.Z.shape[0] == 9 - len(classes)
        assert len(alone.X) == 3 * (9 - len(classes)) < len(taught.X) == 78


def test_what_is_asked_has_no_part_in_the_statistics():
    X, codes, evidence = problem()
    _, calls = asked(X, codes, evidence, by_number)
    moved = X.copy()
    moved[(codes >= 0) & np.isin(codes, calls[0][2].argmax(axis=1))] += 7.0
    _, again = asked(moved, codes, evidence, by_number)
    np.testing.assert_array_equal(calls[0][0].X, again[0][0].X)
    assert np.abs(calls[0][1] - again[0][1]).max() > 0.1


@pytest.mark.parametrize("better", [True, False])
def test_its_sign_says_who_is_better(better):
    rng = np.random.default_rng(0)

    def scores(taught, X, classes):
        # Annotated images are asked in their order: one of each class, again and again.
        right = np.eye(len(classes))[np.arange(len(X)) % len(classes)]
        with_all = len(taught.X) == 78
        return 3 * right + (0.5 if with_all == better else 5.0) * rng.standard_normal(right.shape)

    found, _ = asked(*problem(), scores)
    assert found > 1 if better else found < -1


def test_of_many_unannotated_images_some_take_part():
    X, codes, evidence = problem(n=MOST + 500)
    _, calls = asked(X, codes, evidence, by_number)
    sizes = [len(taught.X) for taught, _, _ in calls[:6:2]]
    assert sum(sizes) == 2 * (MOST + 27)


def test_once_the_answer_is_plain_nobody_else_is_asked():
    def scores(taught, X, classes):
        right = np.eye(len(classes))[np.arange(len(X)) % len(classes)]
        noise = np.random.default_rng(len(X)).standard_normal(right.shape)
        return (3 * right if len(taught.X) == 78 else 0 * right) + 0.1 * noise

    found, calls = asked(*problem(), scores)
    assert found > 4
    assert len(calls) == 6


def test_images_of_one_class_that_err_together_are_one_witness():
    def in_standard_errors(K):
        rng, truth = np.random.default_rng(0), np.arange(90 + 9 * K) % 9
        X, codes = rng.random((len(truth), 5)), np.where(np.arange(len(truth)) < 9 * K, truth, -1)
        evidence = Evidence(X, np.eye(9)[truth], np.eye(9), np.ones(len(truth)))

        def scores(taught, X, classes):
            sure = 1 + 0.5 * np.sin(1 + 2 * classes.argmax(axis=1))
            right = np.eye(len(classes))[np.arange(len(X)) % len(classes)]
            wrong = np.roll(right, 1, axis=1)
            return right + (0.5 if len(taught.X) > 6 * K else 0.7) * sure * wrong

        return asked(X, codes, evidence, scores)[0]

    assert in_standard_errors(K=3) > 0.5
    assert in_standard_errors(K=12) == pytest.approx(in_standard_errors(K=3))


def unsure(taught, X, classes):
    """Scores that are sometimes better with unannotated images and sometimes without."""
    noise = np.random.default_rng(len(taught.X) + abs(int(1e6 * X.sum())))
    right = np.eye(len(classes))[np.arange(len(X)) % len(classes)]
    return right + noise.standard_normal(right.shape)


@pytest.mark.parametrize(("p", "divisions"), [(9, 9), (54, 5), (150, 3)])
def test_the_fewer_classes_the_more_divisions(p, divisions, monkeypatch):
    monkeypatch.setattr(module, "PLAIN", np.inf)
    _, calls = asked(*problem(n=4 * p, p=p), unsure)
    assert len(calls) == 6 * divisions


def test_an_answer_is_plain_that_is_far_from_the_burden():
    X, codes, evidence = problem(n=216, p=54)
    found, calls = asked(X, codes, evidence, unsure, burden=50.0)
    assert len(calls) == 6
    again, more = asked(X, codes, evidence, unsure, burden=found)
    assert len(more) > 6
    assert again != found
