"""The heads: their losses by hand, WARP's draws, neighbours and messages."""

import numpy as np
import pytest
import scipy.sparse

from sapwood.tags.rivals import SINNAnnotator, TagNeighbourAnnotator, WARPAnnotator
from sapwood.tags.rivals.neighbours import jaccard_neighbours
from sapwood.tags.rivals.softmax import even_cross_entropy
from sapwood.tags.rivals.training import Pictures, as_tensors
from sapwood.tags.rivals.warp import draw_violators
from sapwood.tags.threshold import best_threshold
from tests.rivals import needs_torch


def harmonic(r):
    return sum(1 / j for j in range(1, r + 1))


@needs_torch
def test_softmax_spreads_its_target_over_the_concepts_of_an_image():
    import torch

    scores, Y = np.array([[1.0, 2.0, 0.0], [3.0, 1.0, 1.0]]), np.array([[1.0, 1, 0], [0, 0, 0]])
    p = np.exp(scores[0]) / np.exp(scores[0]).sum()
    # The second image has no concept and no loss.
    expected = -(np.log(p[0]) / 2 + np.log(p[1]) / 2) / 2
    found = even_cross_entropy(torch.tensor(scores), torch.tensor(Y))
    assert float(found) == pytest.approx(expected)


def test_warp_weighs_a_violation_by_the_rank_that_the_draws_tell_of():
    rng = np.random.default_rng(0)
    c = 21
    truth = np.zeros((4000, c), dtype=bool)
    truth[:, 0] = True
    scores = np.full((4000, c), -5.0)
    scores[:, 0] = 0.0
    # Four of the twenty others violate the margin: a draw hits one with probability 1/5.
    scores[:, 7:11] = -0.5
    images, own, other, weights = draw_violators(scores, truth, rng)
    assert set(own) == {0}
    assert set(other) == {7, 8, 9, 10}
    draws = np.arange(1, c)
    chances = 0.2 * 0.8 ** (draws - 1)
    assert len(images) == pytest.approx(4000 * chances.sum(), rel=0.01)
    expected = sum(p * harmonic(20 // n) for p, n in zip(chances, draws, strict=True))
    assert weights.sum() / 4000 == pytest.approx(expected, rel=0.05)


def test_warp_draws_no_concept_of_the_image_and_nothing_beyond_the_margin():
    rng = np.random.default_rng(1)
    truth = rng.random((200, 9)) < 0.4
    truth[0], truth[1] = True, False
    scores = 3 * rng.standard_normal((200, 9))
    images, own, other, weights = draw_violators(scores, truth, rng)
    assert truth[images, own].all()
    assert not truth[images, other].any()
    assert (scores[images, other] > scores[images, own] - 1).all()
    assert {0, 1}.isdisjoint(images)
    assert (weights >= 1).all()


@needs_torch
def test_warps_loss_is_the_sum_of_weighted_margins():
    model = WARPAnnotator(units=0, dropout=0.0)
    rng = np.random.default_rng(2)
    D, Y = rng.standard_normal((5, 4)).astype(np.float32), rng.random((5, 6)) < 0.4
    net = {"out": rng.standard_normal((4, 6)), "out_bias": rng.standard_normal(6)}
    found = model.loss(as_tensors(net), _tensors(D, Y), np.random.default_rng(3))
    scores = D @ net["out"].astype(np.float32) + net["out_bias"].astype(np.float32)
    images, own, other, weights = draw_violators(scores, Y, np.random.default_rng(3))
    expected = sum(
        w * (1 - scores[i, a] + scores[i, b])
        for i, a, b, w in zip(images, own, other, weights, strict=True)
    )
    assert float(found) == pytest.approx(expected / 5, rel=1e-5)


def test_neighbours_are_the_most_alike_by_jaccard_and_not_the_image_itself():
    rng = np.random.default_rng(0)
    T = rng.random((40, 12)) < 0.3
    pool = rng.random((30, 12)) < 0.3
    pool[4] = False

    def alike(a, b):
        return (a & b).sum() / max((a | b).sum(), 1)

    near = jaccard_neighbours(scipy.sparse.csr_array(T), scipy.sparse.csr_array(pool), 5)
    for row, found in zip(T, near, strict=True):
        values = np.array([alike(row, other) for other in pool])
        np.testing.assert_allclose(values[found], np.sort(values)[::-1][:5])
    same = scipy.sparse.csr_array(pool)
    own = jaccard_neighbours(same, same, 40, leave_out_own=True)
    assert own.shape == (30, 29)
    assert not (own == np.arange(30)[:, None]).any()


@needs_torch
def test_neighbours_are_drawn_from_the_nearest_and_pooled_by_their_maximum(shots):
    X, tags, concepts = shots
    model = TagNeighbourAnnotator(units=8, nearest=6, neighbours=3, epochs=2, dropout=0.0)
    model.fit(X, tags, concepts)
    given = model.prepare(model._pictures(*model._read(X, tags)), fitting=False)
    (given,) = given.tensors(np.arange(50), 50)
    drawn = model._drawn(given, np.random.default_rng(0)).numpy()
    again = model._drawn(given, np.random.default_rng(1)).numpy()
    assert drawn.shape == (50, 3)
    assert all(set(some) <= set(all_) for some, all_ in zip(drawn, given.near.numpy(), strict=True))
    assert (np.sort(drawn) != np.sort(again)).any()
    before = model.decision_function(X[:1], tags[:1])
    model.pool_ = 3 * model.pool_
    assert np.abs(model.decision_function(X[:1], tags[:1]) - before).max() > 1e-6


@needs_torch
def test_tags_and_concepts_tell_each_other():
    rng = np.random.default_rng(0)
    D, Y, T = rng.random((6, 4)), rng.random((6, 3)) < 0.5, rng.random((6, 5)) < 0.5
    model = SINNAnnotator(dropout=0.0)
    given = _tensors(D.astype(np.float32), Y, T)
    net = as_tensors(model.new_net(_arrays(D, Y, T), rng), grad=True)
    concepts, tags = model.layers(net, given, None)
    concepts.sum().backward(retain_graph=True)
    assert net["tags_to_concepts"].grad.abs().min() > 0
    assert net["written"].grad is not None
    assert net["concepts_to_tags"].grad is None
    seen = net["seen_concepts"].grad.clone()
    tags.sum().backward()
    assert net["concepts_to_tags"].grad.abs().max() > 0
    assert (net["seen_concepts"].grad - seen).abs().max() > 0
    # What was written is told to the concepts only.
    assert net["written"].grad.shape == (5,)
    blank = _tensors(D.astype(np.float32), Y, np.zeros_like(T))
    others = model.layers(net, blank, None)
    assert (others[0] - concepts).abs().max() > 0
    assert (others[1] - tags).abs().max() == 0


def test_the_threshold_is_the_one_with_the_highest_f1():
    rng = np.random.default_rng(0)
    truth = rng.random((300, 5)) < 0.2
    scores = truth + 0.02 * rng.standard_normal(truth.shape)
    assert 0.05 < best_threshold(truth, scores + 7) - 7 < 0.95


def _arrays(D, Y, T=None):
    T = np.zeros((len(D), 0)) if T is None else T
    near = np.zeros((len(D), 0), dtype=np.int64)
    return Pictures(D, T.astype(np.float32), Y.astype(np.float32), near, D[:0])


def _tensors(D, Y, T=None):
    (given,) = _arrays(D, Y, T).tensors(np.arange(len(D)), len(D))
    return given
