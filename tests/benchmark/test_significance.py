"""Who is ahead: paired tests over seeds, corrected for their number."""

import numpy as np
import pytest
from scipy.stats import t as student

from sapwood.benchmark.significance import clear_winner, holm, is_ahead, paired_p


def scores(*values):
    return dict(enumerate(values))


def test_the_p_value_is_that_of_the_differences():
    a, b = [0.61, 0.65, 0.60, 0.70], [0.60, 0.61, 0.61, 0.62]
    difference = np.subtract(a, b)
    statistic = difference.mean() / (difference.std(ddof=1) / np.sqrt(4))
    expected = 2 * student.sf(abs(statistic), 3)
    assert paired_p(scores(*a), scores(*b)) == pytest.approx(expected)
    assert paired_p(scores(*b), scores(*a)) == pytest.approx(expected)


def test_only_seeds_that_both_have_count():
    a = {0: 0.5, 1: 0.6, 2: 0.7, 7: 0.0}
    b = {0: 0.4, 1: 0.4, 2: 0.4, 9: 1.0}
    assert paired_p(a, b) == paired_p({s: a[s] for s in (0, 1, 2)}, b)
    assert paired_p({0: 0.9}, {0: 0.1}) == 1.0
    assert paired_p({0: 0.9, 1: 0.8}, {2: 0.1, 3: 0.2}) == 1.0


def test_a_difference_that_is_always_the_same_says_nothing_of_chance():
    assert paired_p(scores(0.6, 0.7, 0.8), scores(0.6, 0.7, 0.8)) == 1.0
    assert paired_p(scores(0.6, 0.7, 0.8), scores(0.5, 0.6, 0.7)) == 1.0
    same_draw_five_times = {"a": scores(*[0.528] * 5), "b": scores(*[0.5] * 5)}
    assert clear_winner(same_draw_five_times) is None


def test_holm_steps_down():
    # Ordered: 0.01·4, then 0.02·3, then 0.03·2, which may not be below the one before, then 0.5.
    assert holm([0.03, 0.5, 0.01, 0.02]) == pytest.approx([0.06, 0.5, 0.04, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([]).shape == (0,)


def test_a_lead_that_holds_against_one_may_not_hold_against_many():
    lead = np.array([0.010, 0.012, 0.008, 0.016, 0.004])
    base = np.array([0.50, 0.52, 0.51, 0.49, 0.53])
    field = {"best": scores(*(base + lead)), "second": scores(*base)}
    p = paired_p(field["best"], field["second"])
    assert 0.05 / 20 < p < 0.05
    assert clear_winner(field) == "best"
    many = {**field, **{f"other {i}": scores(*(base + 1e-6 * i)) for i in range(20)}}
    assert clear_winner(many) is None


def test_no_winner_where_the_best_is_only_lucky():
    field = {"a": scores(0.70, 0.50, 0.60), "b": scores(0.55, 0.60, 0.60)}
    assert np.mean(list(field["a"].values())) > np.mean(list(field["b"].values()))
    assert clear_winner(field) is None
    assert clear_winner({"alone": scores(0.7, 0.8)}) is None
    assert clear_winner({}) is None


def test_one_seed_names_no_winner():
    assert clear_winner({"a": {0: 0.9}, "b": {0: 0.1}}) is None


def test_ahead_means_better_not_only_different():
    field = {"a": scores(0.80, 0.81, 0.83), "b": scores(0.60, 0.62, 0.63)}
    assert is_ahead("a", field, field)
    assert not is_ahead("b", field, field)
    assert not is_ahead("a", [], field)


def test_chance_alone_rarely_wins():
    rng = np.random.default_rng(0)
    won = 0
    for _ in range(200):
        field = {str(i): scores(*rng.normal(0.5, 0.01, 5)) for i in range(6)}
        won += clear_winner(field) is not None
    assert won <= 10
