import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from sapwood.metrics import average_precisions, mean_average_precision, ranking


def tag_problem(seed, kind, n=70, c=11):
    rng = np.random.default_rng(seed)
    y_true = rng.random((n, c)) < 0.3
    y_true[:5] = False
    y_true[:, [2, 6]] = False
    scores = rng.normal(size=(n, c)) + y_true
    return y_true, {"distinct": scores, "tied": scores.round(), "binary": scores > 0.5}[kind]


def sklearn_rows(y_true, scores):
    return np.array(
        [
            average_precision_score(truth, row.astype(float)) if truth.any() else np.nan
            for truth, row in zip(y_true, scores, strict=True)
        ]
    )


@pytest.mark.parametrize("kind", ["distinct", "tied", "binary"])
@pytest.mark.parametrize("average", ["concepts", "images"])
@pytest.mark.parametrize("block", [1, 100, 1 << 20])
def test_each_equals_sklearn(kind, average, block, monkeypatch):
    monkeypatch.setattr(ranking, "BLOCK_ENTRIES", block)
    y_true, scores = tag_problem(0, kind)
    expected = (
        sklearn_rows(y_true.T, scores.T) if average == "concepts" else sklearn_rows(y_true, scores)
    )
    found = average_precisions(y_true, scores, average=average)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert np.isnan(found).sum() == (2 if average == "concepts" else np.isnan(expected).sum()) > 0


@pytest.mark.parametrize("kind", ["distinct", "tied"])
@pytest.mark.parametrize("average", ["concepts", "images"])
def test_means_equal_sklearn_under_both_rules(kind, average):
    y_true, scores = tag_problem(1, kind)
    each = (
        sklearn_rows(y_true.T, scores.T) if average == "concepts" else sklearn_rows(y_true, scores)
    )
    skip = mean_average_precision(y_true, scores, average=average, empty="skip")
    zero = mean_average_precision(y_true, scores, average=average, empty="zero")
    assert skip == pytest.approx(each[~np.isnan(each)].mean(), rel=1e-13)
    assert zero == pytest.approx(np.where(np.isnan(each), 0, each).mean(), rel=1e-13)
    assert mean_average_precision(y_true, scores, average=average) == skip > zero


def test_order_of_rows_and_columns_does_not_matter_with_ties():
    y_true, scores = tag_problem(2, "tied")
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(70), rng.permutation(11)
    found = average_precisions(y_true[rows][:, columns], scores[rows][:, columns])
    np.testing.assert_allclose(found, average_precisions(y_true, scores)[columns], rtol=1e-13)


def test_one_score_for_all_gives_the_share_of_the_true():
    y_true = np.array([[1, 1], [0, 1], [0, 1], [0, 0]])
    assert average_precisions(y_true, np.zeros((4, 2))).tolist() == [0.25, 0.75]


def test_a_perfect_ranking_is_one_and_infinities_are_scores():
    y_true = np.array([[1, 0], [0, 1], [1, 0]])
    scores = np.where(y_true == 1, np.inf, -np.inf)
    assert mean_average_precision(y_true, scores) == 1
    assert mean_average_precision(y_true, scores, average="images") == 1


def test_a_single_image_and_a_single_concept():
    assert mean_average_precision([[1]], [[0.3]]) == 1
    assert mean_average_precision([[1, 0]], [[0.3, 0.4]], average="images") == 0.5
