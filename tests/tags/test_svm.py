import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.svm import LinearSVC

from sapwood.errors import InputError
from sapwood.metrics import mean_average_precision
from sapwood.tags.settings import climb
from sapwood.tags.svm import OneVsAllSVM


def labelled(n=240, d=10, c=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    scores = X @ rng.standard_normal((d, c)) + rng.standard_normal((n, c))
    return X, scores > np.quantile(scores, 0.8, axis=0)


def test_classifiers_are_those_of_linear_svc():
    X, Y = labelled()
    model = OneVsAllSVM(C=0.5, tol=1e-9).fit(X, Y)
    for j in range(Y.shape[1]):
        other = LinearSVC(C=0.5, dual=False, tol=1e-9).fit(X, Y[:, j])
        np.testing.assert_allclose(model.coef_[j], other.coef_.ravel(), atol=1e-3)
        np.testing.assert_allclose(model.intercept_[j], other.intercept_[0], atol=1e-3)
        np.testing.assert_allclose(
            model.decision_function(X)[:, j], other.decision_function(X), atol=5e-3
        )


def test_C_is_the_best_of_those_tried_on_images_held_out():
    X, Y = labelled(n=150, d=80)
    model = OneVsAllSVM().fit(X, Y)
    best = max(model.tried_, key=lambda row: row["mean_average_precision"])
    assert best["C"] == model.C_
    assert len({row["C"] for row in model.tried_}) >= 3


def test_a_useful_scale_is_preferred():
    X, Y = labelled(n=200, d=6)
    noisy = np.hstack([X, 3 * np.random.default_rng(1).standard_normal((200, 60))])
    quiet = np.r_[np.ones(6), np.full(60, 0.1)]
    model = OneVsAllSVM(C=0.1).fit(noisy, Y, scales=[1 / quiet, np.ones(66), quiet])
    np.testing.assert_array_equal(model.scale_, quiet)
    plain = OneVsAllSVM(C=0.1).fit(noisy[:100], Y[:100])
    scaled = OneVsAllSVM(C=0.1).fit(noisy[:100], Y[:100], scales=[quiet])
    better = mean_average_precision(Y[100:], scaled.decision_function(noisy[100:]))
    assert better > mean_average_precision(Y[100:], plain.decision_function(noisy[100:]))


def test_probabilities_are_calibrated_and_rank_as_scores_do():
    X, Y = labelled(n=3000, c=3)
    model = OneVsAllSVM(C=0.1).fit(X[:1500], Y[:1500])
    proba, scores = model.predict_proba(X[1500:]), model.decision_function(X[1500:])
    for j in range(3):
        np.testing.assert_array_equal(np.argsort(proba[:, j]), np.argsort(scores[:, j]))
    for low in (0.0, 0.25, 0.5, 0.75):
        among = (proba >= low) & (proba < low + 0.25)
        assert Y[1500:][among].mean() == pytest.approx(proba[among].mean(), abs=0.1)


def test_decisions():
    X, Y = labelled()
    model = OneVsAllSVM(C=1.0).fit(X, Y)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), scores > 0)
    np.testing.assert_array_equal(model.predict(X, threshold=-0.5), scores > -0.5)
    assert (model.predict(X, top=2).sum(axis=1) == 2).all()


def test_sparse_and_single_precision_rows_give_the_same_classifiers():
    X, Y = labelled()
    X[np.abs(X) < 0.7] = 0
    whole = OneVsAllSVM(C=1.0, tol=1e-8).fit(X, Y)
    sparse = OneVsAllSVM(C=1.0, tol=1e-8).fit(scipy.sparse.csr_array(X), scipy.sparse.csr_array(Y))
    single = OneVsAllSVM(C=1.0).fit(X.astype(np.float32), Y)
    np.testing.assert_allclose(sparse.coef_, whole.coef_, atol=1e-9)
    np.testing.assert_allclose(single.coef_, whole.coef_, atol=1e-2)


def test_a_label_nobody_has_is_never_given():
    X, Y = labelled()
    model = OneVsAllSVM(C=1.0).fit(X, np.c_[Y, np.zeros(len(Y), bool)])
    assert not model.predict(X)[:, -1].any()
    assert (model.predict_proba(X)[:, -1] < 0.05).all()


def test_it_is_a_scikit_learn_estimator():
    model = OneVsAllSVM(C=3.0, cv=4)
    assert clone(model).get_params() == model.get_params()


def test_climbing_asks_each_place_once():
    asked = []

    def quality(place):
        asked.append(place)
        return -abs(place[0] - 1) - abs(place[1] - 6)

    assert climb(quality, (3, 9), (1, 4)) == (1, 6)
    assert len(asked) == len(set(asked)) < 27


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda X, Y: OneVsAllSVM().fit(X, Y[:-1]), "Y has 239 rows; expected 240"),
        (lambda X, Y: OneVsAllSVM().fit(X, 2 * Y.astype(int)), "other values than 0 and 1"),
        (lambda X, Y: OneVsAllSVM().fit(X, np.zeros_like(Y)), "marks nothing"),
        (lambda X, Y: OneVsAllSVM().fit(X, Y[:, 0]), "shape"),
        (lambda X, Y: OneVsAllSVM(cv=1).fit(X, Y), "cv is 1; expected a whole number from 2"),
        (lambda X, Y: OneVsAllSVM().fit(np.where(X > 2, np.nan, X), Y), r"NaN or inf in \d+ rows"),
        (lambda X, Y: OneVsAllSVM().fit(X.astype(str), Y), "not numbers"),
        (lambda X, Y: OneVsAllSVM(C=1.0).fit(X, Y).predict(X[:, 1:]), "9 columns; expected 10"),
    ],
)
def test_refusals(act, message):
    with pytest.raises(InputError, match=message):
        act(*labelled())
