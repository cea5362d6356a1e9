import numpy as np
import pytest
from scipy.stats import hmean
from sklearn.metrics import precision_recall_fscore_support

from sapwood.metrics import decide_threshold, decide_top_k, tag_precision_recall

SKLEARN_AVERAGE = {"concepts": "macro", "images": "samples", "overall": "micro"}


def random_tags(seed, *, with_empty):
    rng = np.random.default_rng(seed)
    y_true, y_pred = rng.random((2, 60, 9)) < 0.35
    if with_empty:
        # Image 0: neither; 1: nothing true; 2: nothing given. The same for concepts.
        for flags, rows in ((y_true, [0, 1]), (y_pred, [0, 2])):
            flags[rows] = False
            flags[:, rows] = False
    else:
        y_true[:, 0] = y_pred[:, 0] = True
        y_true[0] = y_pred[0] = True
    return y_true, y_pred


@pytest.mark.parametrize("average", ["concepts", "images", "overall"])
@pytest.mark.parametrize(("empty", "zero_division"), [("zero", 0.0), ("skip", np.nan)])
@pytest.mark.parametrize("with_empty", [False, True])
def test_precision_and_recall_equal_sklearn(average, empty, zero_division, with_empty):
    y_true, y_pred = random_tags(0, with_empty=with_empty)
    precision, recall, _, _ = precision_recall_fscore_support(
        y_true, y_pred, average=SKLEARN_AVERAGE[average], zero_division=zero_division
    )
    found = tag_precision_recall(y_true, y_pred, average=average, empty=empty)
    assert found.precision == pytest.approx(precision, abs=1e-14)
    assert found.recall == pytest.approx(recall, abs=1e-14)
    assert found.f1 == pytest.approx(hmean([precision, recall]), abs=1e-14)


@pytest.mark.parametrize("average", ["concepts", "images"])
def test_the_two_rules_differ_only_where_something_is_empty(average):
    full, holed = random_tags(1, with_empty=False), random_tags(1, with_empty=True)
    zero, skip = (tag_precision_recall(*full, average=average, empty=e) for e in ("zero", "skip"))
    assert zero == skip
    zero, skip = (tag_precision_recall(*holed, average=average, empty=e) for e in ("zero", "skip"))
    assert zero.precision < skip.precision
    assert zero.recall < skip.recall


def test_the_rules_by_hand():
    y_true = np.array([[1, 0], [0, 0], [1, 1], [0, 1]])
    y_pred = np.array([[1, 1], [1, 0], [0, 0], [0, 1]])
    zero = tag_precision_recall(y_true, y_pred, average="images", empty="zero")
    assert (zero.precision, zero.recall) == (1.5 / 4, 2 / 4)
    skip = tag_precision_recall(y_true, y_pred, average="images", empty="skip")
    assert (skip.precision, skip.recall) == (1.5 / 3, 2 / 3)
    assert zero == tag_precision_recall(y_true, y_pred, average="images")


def test_f1_is_of_the_averages_and_not_the_average_of_f1():
    y_true, y_pred = random_tags(2, with_empty=False)
    _, _, averaged, _ = precision_recall_fscore_support(y_true, y_pred, average="macro")
    found = tag_precision_recall(y_true, y_pred).f1
    assert found != pytest.approx(averaged, abs=1e-6)


def test_nothing_given_at_all():
    y_true, nothing = np.eye(3), np.zeros((3, 3))
    for average in SKLEARN_AVERAGE:
        zero = tag_precision_recall(y_true, nothing, average=average, empty="zero")
        assert (zero.precision, zero.recall, zero.f1) == (0, 0, 0)
        skip = tag_precision_recall(y_true, nothing, average=average, empty="skip")
        assert np.isnan([skip.precision, skip.f1]).all()
        assert skip.recall == 0


def test_with_a_fixed_number_given_precision_over_images_is_the_overall_one():
    rng = np.random.default_rng(3)
    y_true = rng.random((40, 8)) < 0.3
    y_pred = decide_top_k(rng.normal(size=(40, 8)), 3)
    images, overall = (
        tag_precision_recall(y_true, y_pred, average=average) for average in ("images", "overall")
    )
    assert images.precision == pytest.approx(overall.precision, abs=1e-15)
    assert images.recall != pytest.approx(overall.recall, abs=1e-3)


@pytest.mark.parametrize("kind", ["distinct", "tied", "infinite"])
@pytest.mark.parametrize("k", [1, 3, 6])
def test_top_k_equals_a_stable_sort(kind, k):
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(50, 6)) if kind == "distinct" else rng.integers(3, size=(50, 6)) + 0.0
    if kind == "infinite":
        scores[scores == 0] = -np.inf
    expected = np.zeros((50, 6), dtype=bool)
    for row, chosen in zip(scores, expected, strict=True):
        chosen[sorted(range(6), key=lambda c, row=row: (-row[c], c))[:k]] = True
    decided = decide_top_k(scores, k)
    assert decided.dtype == bool
    np.testing.assert_array_equal(decided, expected)


def test_top_k_of_small_unsigned_integers_does_not_wrap_around():
    assert decide_top_k(np.array([[0, 200, 1]], dtype=np.uint8), 1).tolist() == [[0, 1, 0]]


def test_threshold_takes_what_is_strictly_above():
    scores = [[0.0, 0.5, 1.0], [np.inf, -np.inf, 0.5]]
    assert decide_threshold(scores).tolist() == [[0, 1, 1], [1, 0, 1]]
    assert decide_threshold(scores, 0.5).tolist() == [[0, 0, 1], [1, 0, 0]]
