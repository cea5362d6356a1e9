import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    recall_score,
    top_k_accuracy_score,
)

from sapwood.metrics import accuracy, class_recalls, top_k_accuracy


@pytest.fixture
def predictions():
    rng = np.random.default_rng(0)
    y_true = rng.choice(6, size=300, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05])
    return y_true, np.where(rng.random(300) < 0.6, y_true, rng.integers(6, size=300))


def test_accuracy_equals_sklearn(predictions):
    assert accuracy(*predictions) == pytest.approx(accuracy_score(*predictions), abs=1e-15)


def test_accuracy_over_classes_equals_sklearn(predictions):
    found = accuracy(*predictions, average="classes")
    assert found == pytest.approx(balanced_accuracy_score(*predictions), abs=1e-15)
    assert found != pytest.approx(accuracy(*predictions), abs=1e-3)


def test_class_recalls_equal_sklearn(predictions):
    classes, recalls = class_recalls(*predictions)
    assert classes.tolist() == list(range(6))
    np.testing.assert_allclose(recalls, recall_score(*predictions, average=None), rtol=1e-15)


def test_text_labels_give_what_integers_give(predictions):
    y_true, y_pred = (np.array(list("abcdef"))[labels] for labels in predictions)
    for average in ("images", "classes"):
        assert accuracy(y_true, y_pred, average=average) == accuracy(*predictions, average=average)
    as_objects = y_true.astype(object), y_pred.astype(object)
    assert accuracy(*as_objects) == accuracy(*predictions)


def test_a_class_that_is_only_predicted_has_no_part_in_the_mean():
    classes, recalls = class_recalls([4, 4, 9], [4, 5, 9])
    assert classes.tolist() == [4, 9]
    assert accuracy([4, 4, 9], [4, 5, 9], average="classes") == recalls.mean() == 0.75


@pytest.mark.parametrize("n", [3, 7, 10, 49])
def test_all_right_is_exactly_one_and_all_wrong_exactly_zero(n):
    labels = np.arange(n) % 3
    for average in ("images", "classes"):
        assert accuracy(labels, labels, average=average) == 1
        assert accuracy(labels, labels + 1, average=average) == 0


@pytest.mark.parametrize("k", [1, 2, 5])
def test_top_k_equals_sklearn_where_scores_differ(k):
    rng = np.random.default_rng(k)
    y_true, scores = rng.integers(6, size=200), rng.normal(size=(200, 6))
    expected = top_k_accuracy_score(y_true, scores, k=k, labels=range(6))
    assert top_k_accuracy(y_true, scores, k) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_of_tied_scores_equals_a_stable_sort(k):
    rng = np.random.default_rng(k)
    y_true, scores = rng.integers(5, size=200), rng.integers(3, size=(200, 5))
    order = [sorted(range(5), key=lambda c, row=row: (-row[c], c)) for row in scores]
    hits = np.array([label in ranking[:k] for label, ranking in zip(y_true, order, strict=True)])
    assert top_k_accuracy(y_true, scores, k) == pytest.approx(hits.mean(), abs=1e-15)
    over_classes = np.mean([hits[y_true == c].mean() for c in range(5)])
    assert top_k_accuracy(y_true, scores, k, average="classes") == pytest.approx(over_classes)


def test_top_1_is_the_accuracy_of_argmax_with_ties():
    rng = np.random.default_rng(3)
    y_true, scores = rng.integers(4, size=100), rng.integers(2, size=(100, 4))
    for average in ("images", "classes"):
        expected = accuracy(y_true, scores.argmax(axis=1), average=average)
        assert top_k_accuracy(y_true, scores, 1, average=average) == expected


def test_as_many_as_there_are_classes_always_contain_the_true_one():
    assert top_k_accuracy([0, 1], [[-np.inf, 0], [-np.inf, -np.inf]], k=2) == 1


def test_columns_may_be_named_in_any_order():
    rng = np.random.default_rng(4)
    y_true, scores = rng.integers(4, size=50), rng.normal(size=(50, 4))
    order = [2, 0, 3, 1]
    names = np.array(["wren", "crow", "jay", "tit"])
    named = top_k_accuracy(names[y_true], scores[:, order], 2, classes=names[order])
    assert named == top_k_accuracy(y_true, scores, 2)


def test_classes_without_images_are_allowed():
    assert top_k_accuracy([1, 1], [[0, 1, 2], [0, 2, 1]], k=1, average="classes") == 0.5


@pytest.mark.parametrize("kind", [np.str_, np.int64, str, int])
def test_labels_may_be_objects_of_numpy_too(kind):
    labels = np.array([kind(1), kind(2)], dtype=object)
    assert accuracy(labels, [kind(1), kind(1)]) == 0.5
