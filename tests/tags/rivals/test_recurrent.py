"""Networks that tell concepts one by one: in which order, and when they stop."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from sapwood.tags.rivals import CNNRNNAnnotator, RIAAnnotator, SRCNNRNNAnnotator
from sapwood.tags.rivals.recurrent import concept_order, lstm, new_lstm, sequences
from tests.rivals import needs_torch

pytestmark = needs_torch
ALL = (CNNRNNAnnotator, RIAAnnotator, SRCNNRNNAnnotator)
BY_HEART = {"embedding": 16, "units": 32, "dropout": 0.0, "rate": 1e-2, "epochs": 150}


def told(model, X, tags):
    """Return the likeliest sequence of each image, stops left out."""
    import torch

    from sapwood.tags.rivals.training import as_tensors

    given = model._pictures(*model._read(X, tags, fitted=True))
    (given,) = given.tensors(np.arange(len(X)), len(X))
    with torch.no_grad():
        found = model.emitted(as_tensors(model.net_), given)
    c = given.Y.shape[1]
    rows = found.told[:, 0].tolist()
    assert all(c in row for row in rows), "a sequence without a stop"
    return [row[: row.index(c)] for row in rows]


@pytest.mark.parametrize("method", ALL)
def test_concepts_are_told_in_order_and_then_it_stops(method, shots):
    X, tags, concepts = shots
    assert len(set(concepts.sum(axis=1))) > 3
    assert not concepts.all(axis=1).any() or not concepts.any(axis=1).all()
    model = method(**BY_HEART).fit(X, tags, concepts)
    order = {"frequent": -concepts.sum(axis=0), "rare": concepts.sum(axis=0)}[method.order]
    expected = [sorted(np.flatnonzero(row), key=lambda j: (order[j], j)) for row in concepts]
    found = told(model, X, tags)
    right = np.mean([a == [int(j) for j in b] for a, b in zip(found, expected, strict=True)])
    assert right > 0.9
    # Its own decision is what it tells, for each image as many concepts as it tells.
    given = model.decision_function(X, tags) > 0
    assert [set(np.flatnonzero(row)) for row in given] == [set(row) for row in found]


def test_the_orders_are_those_of_the_authors():
    assert [method.order for method in ALL] == ["frequent", "rare", "rare"]
    Y = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    np.testing.assert_array_equal(concept_order(Y, "frequent"), [0, 2, 1])
    np.testing.assert_array_equal(concept_order(Y, "rare"), [1, 2, 0])
    np.testing.assert_array_equal(
        sequences(Y > 0, np.array([1, 2, 0])), [[2, 0, 3, 3], [0, 3, 3, 3], [1, 2, 0, 3]]
    )


def test_an_image_without_concepts_is_given_none(shots):
    X, tags, concepts = shots
    concepts = concepts.copy()
    concepts[:10] = False
    model = RIAAnnotator(**BY_HEART).fit(X, tags, concepts)
    assert sum(map(len, told(model, X, tags)[:10])) <= 1


def test_the_lstm_is_torchs():
    import torch

    rng = np.random.default_rng(0)
    net = {n: torch.tensor(w) for n, w in new_lstm(3, 4, 5, rng).items()}
    given, output, cell = (torch.tensor(rng.standard_normal((2, k))) for k in (3, 4, 4))
    theirs = torch.nn.LSTMCell(3, 4, dtype=torch.float64)
    with torch.no_grad():
        theirs.weight_ih.copy_(net["from_input"].T)
        theirs.weight_hh.copy_(net["from_output"].T)
        theirs.bias_ih.copy_(net["gates_bias"])
        theirs.bias_hh.zero_()
        for mine, other in zip(
            lstm(net, given, (output, cell)), theirs(given, (output, cell)), strict=True
        ):
            torch.testing.assert_close(mine, other)


def chain(table):
    """Steps of a Markov chain: what comes next depends on what came before alone."""
    import torch

    log = torch.tensor(table).log()

    def step(before, state, beams):
        return log[before], state

    return step


def brute_force(table, c, longest):
    """Return all sequences by probability."""
    found = {}
    for length in range(longest + 1):
        for one in permutations(range(c), length):
            path = [c + 1, *one, c]
            found[one] = np.prod([table[a][b] for a, b in pairwise(path)])
    return sorted(found.items(), key=lambda item: -item[1])


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_finds_the_likeliest_sequences(seed):
    import torch

    from sapwood.tags.rivals.beam import search

    c, longest = 3, 3
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.full(c + 1, 0.7), c + 2)
    state = (torch.zeros((2, 1), dtype=torch.float64),) * 2
    found = search(chain(table), state, c, 40, longest)
    likeliest = brute_force(table, c, longest)
    for rank in range(4):
        sequence = [j for j in found.told[1, rank].tolist() if j != c]
        assert tuple(sequence) == likeliest[rank][0]
        assert float(found.log_probability[1, rank].exp()) == pytest.approx(likeliest[rank][1])
    used = set(np.flatnonzero(found.used[0, 0].numpy()))
    assert used == set(likeliest[0][0])
    scores = found.scores()[0].numpy()
    assert {j for j in range(c) if scores[j] > 0} == used


def test_a_beam_of_one_takes_the_likeliest_step_and_may_be_misled():
    import torch

    from sapwood.tags.rivals.beam import search

    # From the beginning (row 3) concept 0 is likelier, but from concept 1 the stop is certain.
    table = [[0.1, 0.5, 0.4], [0.01, 0.01, 0.98], [0.0, 0.0, 1.0], [0.55, 0.45, 0.0]]
    state = (torch.zeros((1, 1), dtype=torch.float64),) * 2
    greedy, wide = (search(chain(table), state, 2, beam, 2) for beam in (1, 4))
    assert greedy.told[0, 0].tolist() == [0, 1, 2]
    assert [j for j in wide.told[0, 0].tolist() if j != 2] == [1]


def test_the_lstm_of_sr_cnn_rnn_sees_predicted_concepts_and_no_features(shots):
    X, tags, concepts = shots
    model = SRCNNRNNAnnotator(**{**BY_HEART, "epochs": 30}).fit(X, tags, concepts)
    assert np.ptp(model.decision_function(X, tags), axis=0).max() > 0.5
    # With a head that says the same of all images, all images are the same to it.
    model.net_["out"] = np.zeros_like(model.net_["out"])
    assert np.ptp(model.decision_function(X, tags), axis=0).max() < 1e-6
