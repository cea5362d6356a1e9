import numpy as np
import pytest

from sapwood.errors import InputError
from sapwood.tags.threshold import best_threshold


def noise(share, n=400, c=5):
    rng = np.random.default_rng(0)
    return rng.random((n, c)) < share, rng.standard_normal((n, c))


def test_scores_that_tell_nothing_ask_for_everything():
    truth, scores = noise(0.2)
    assert (scores > best_threshold(truth, scores)).all()


@pytest.mark.parametrize("most", [1.0, 2.0])
def test_no_more_than_so_many_times_as_many_are_above_it(most):
    truth, scores = noise(0.2)
    above = scores > best_threshold(truth, scores, most)
    assert 0.8 * most < above.sum() / truth.sum() < 1.02 * most


def test_where_most_are_true_all_may_be():
    truth, scores = noise(0.9)
    assert (scores > best_threshold(truth, scores, 2.0)).all()


def test_scores_that_tell_all_divide_what_is_true_from_what_is_not():
    truth = noise(0.2)[0]
    assert ((truth - 0.5 > best_threshold(truth, truth - 0.5, 2.0)) == truth).all()


@pytest.mark.parametrize("most", [np.inf, 2.0])
def test_where_nothing_is_true_there_is_none(most):
    with pytest.raises(InputError, match="marks no concept in any image"):
        best_threshold(np.zeros((9, 2), dtype=bool), np.arange(18.0).reshape(9, 2), most)
