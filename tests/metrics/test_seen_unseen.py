import numpy as np
import pytest
from sklearn.metrics import auc

from sapwood.metrics import ausuc, generalized_accuracy, harmonic_mean, seen_unseen_curve

UNSEEN = [1, 4, 5]


def problem(seed, *, tied, n=60, c=7):
    """Images of all classes; scores lean to the truth and to seen classes, on a grid if tied."""
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([[0, 1], rng.integers(c, size=n - 2)])
    scores = rng.normal(size=(n, c)) + 1.5 * np.eye(c)[y_true]
    scores[:, np.setdiff1d(np.arange(c), UNSEEN)] += 0.5
    return y_true, np.round(2 * scores) if tied else scores


def biased_predictions(scores, bias):
    seen = ~np.isin(np.arange(scores.shape[1]), UNSEEN)
    return (scores - bias * seen).argmax(axis=1)


def brute_force_points(y_true, scores, average):
    """Score every interval between two biases at which any seen and unseen score are equal."""
    unseen = np.isin(np.arange(scores.shape[1]), UNSEEN)
    equal_at = scores[:, ~unseen, None] - scores[:, None, unseen]
    edges = np.unique(equal_at)
    biases = np.concatenate([[edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]])
    return [
        generalized_accuracy(y_true, biased_predictions(scores, bias), UNSEEN, average=average)
        for bias in biases
    ]


@pytest.mark.parametrize("average", ["images", "classes"])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_area_equals_brute_force_over_all_biases(seed, tied, average):
    y_true, scores = problem(seed, tied=tied)
    points = brute_force_points(y_true, scores, average)
    expected = auc([p.acc_u for p in points], [p.acc_s for p in points])
    assert 0 < expected < 1
    found = ausuc(y_true, scores, UNSEEN, average=average)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("tied", [False, True])
def test_area_equals_the_count_of_pairs_in_the_right_order(tied):
    y_true, scores = problem(5, tied=tied)
    is_unseen = np.isin(np.arange(7), UNSEEN)
    area = 0.0
    unseen_rows = np.flatnonzero(is_unseen[y_true])
    seen_rows = np.flatnonzero(~is_unseen[y_true])
    margin = scores[:, ~is_unseen].max(axis=1) - scores[:, is_unseen].max(axis=1)
    on_own_side = np.where(is_unseen[y_true][:, None] == is_unseen, scores, -np.inf)
    right = on_own_side.argmax(axis=1) == y_true
    for u in unseen_rows:
        for s in seen_rows:
            if right[u] and right[s]:
                area += 1.0 if margin[u] < margin[s] else 0.5 * (margin[u] == margin[s])
    area /= len(unseen_rows) * len(seen_rows)
    assert ausuc(y_true, scores, UNSEEN) == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("average", ["images", "classes"])
@pytest.mark.parametrize("tied", [False, True])
def test_each_bias_gives_the_accuracies_of_its_point(tied, average):
    y_true, scores = problem(7, tied=tied)
    curve = seen_unseen_curve(y_true, scores, UNSEEN, average=average)
    for bias, acc_u, acc_s in zip(curve.biases, curve.acc_u, curve.acc_s, strict=True):
        guess = biased_predictions(scores, bias)
        found = generalized_accuracy(y_true, guess, UNSEEN, average=average)
        assert (found.acc_u, found.acc_s) == pytest.approx((acc_u, acc_s), abs=1e-14)


def test_no_bias_at_all_is_a_point_of_the_curve():
    y_true, scores = problem(8, tied=False)
    curve = seen_unseen_curve(y_true, scores, UNSEEN)
    plain = generalized_accuracy(y_true, scores.argmax(axis=1), UNSEEN)
    points = set(zip(curve.acc_u.tolist(), curve.acc_s.tolist(), strict=True))
    assert (plain.acc_u, plain.acc_s) in points
    assert harmonic_mean(curve.acc_u, curve.acc_s).max() >= plain.harmonic_mean


def test_the_curve_runs_from_no_unseen_to_no_seen_image_right():
    y_true, scores = problem(9, tied=True)
    for average in ("images", "classes"):
        curve = seen_unseen_curve(y_true, scores, UNSEEN, average=average)
        assert curve.acc_u[0] == 0
        assert curve.acc_s[-1] == 0
        assert (np.diff(curve.biases) > 0).all()
        assert (np.diff(curve.acc_u) >= 0).all()
        assert (np.diff(curve.acc_s) <= 0).all()


def test_perfect_scores_have_area_one_and_one_score_for_all_half_of_chance():
    y_true = np.arange(7).repeat(3)
    for average in ("images", "classes"):
        assert ausuc(y_true, 2 * np.eye(7)[y_true], UNSEEN, average=average) == 1
    # All differences are 0: one slanted step from (0, 1/4) to (1/3, 0).
    assert ausuc(y_true, np.zeros((21, 7)), UNSEEN) == pytest.approx(1 / 24)


def test_biases_keep_apart_when_scores_are_huge():
    curve = seen_unseen_curve([0, 1], [[4e20, 0.0], [3e20, 0.0]], [1])
    below, between, above = curve.biases
    assert below < 3e20 < between < 4e20 < above
    assert curve.acc_u.tolist() == [0, 1, 1]


def test_named_columns_and_row_order_do_not_matter():
    y_true, scores = problem(10, tied=True)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(y_true)), rng.permutation(7)
    names = np.array(list("abcdefg"))
    # Ties between columns go by column, so only untied scores may be permuted.
    scores = scores + 0.01 * rng.random(scores.shape)
    found = ausuc(
        names[y_true][rows], scores[rows][:, columns], names[UNSEEN], classes=names[columns]
    )
    assert found == ausuc(y_true, scores, UNSEEN)


def test_single_precision_scores_give_the_area_of_the_same_numbers():
    y_true, scores = problem(11, tied=False)
    single = scores.astype(np.float32)
    assert ausuc(y_true, single, UNSEEN) == ausuc(y_true, single.astype(float), UNSEEN)
