import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from sapwood.data import ClassKFold
from sapwood.errors import InputError

Y = np.array([4, 4, 2, -1, 2, 7, 9, 9, -1, 0])


@pytest.mark.parametrize("shuffle", [False, True])
def test_whole_classes_are_held_out_and_unannotated_rows_always_trained_on(shuffle):
    held = []
    for train, test in ClassKFold(n_splits=2, shuffle=shuffle, random_state=0).split(Y[:, None], Y):
        assert sorted([*train, *test]) == list(range(len(Y)))
        assert not set(Y[train]) & set(Y[test])
        assert {3, 8} <= set(train)
        held += np.unique(Y[test]).tolist()
    assert sorted(held) == [0, 2, 4, 7, 9]


def test_the_seed_decides_the_folds():
    def folds(seed):
        cv = ClassKFold(n_splits=5, shuffle=True, random_state=seed)
        return [test.tolist() for _, test in cv.split(Y, Y)]

    assert folds(1) == folds(1)
    assert folds(1) != folds(2)
    assert sorted(folds(1)) == sorted(test.tolist() for _, test in ClassKFold(5).split(Y, Y))


def test_in_grid_search_and_cross_val_score():
    rng = np.random.default_rng(0)
    X = rng.random((len(Y), 3))
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 2]}, cv=ClassKFold(n_splits=3), refit=False
    )
    search = clone(search).fit(X, Y)
    # A classifier of seen classes cannot name an unseen one: that it scores 0 shows the folds.
    assert search.cv_results_["mean_test_score"].tolist() == [0, 0]
    assert search.n_splits_ == 3
    assert len(cross_val_score(KNeighborsClassifier(1), X, Y, cv=ClassKFold(2))) == 2


def test_names_as_labels():
    y = np.array(["owl", "jay", "owl"])
    assert [test.tolist() for _, test in ClassKFold(2).split(y, y)] == [[1], [0, 2]]


@pytest.mark.parametrize(
    ("cv", "y", "message"),
    [
        (ClassKFold(6), Y, r"^n_splits=6: more folds than annotated classes \(5\); give fewer"),
        (ClassKFold(1), Y, r"^n_splits=1: not a number of folds; give 2 or more"),
        (ClassKFold(2), None, r"^y: ClassKFold divides classes .*give the labels"),
        (ClassKFold(2), np.c_[Y, Y], r"^y: an array of shape \(10, 2\); give one label"),
    ],
)
def test_mistakes(cv, y, message):
    with pytest.raises(InputError, match=message):
        list(cv.split(Y, y))


@pytest.mark.parametrize("missing", [None, np.nan, "", -1])
def test_a_missing_label_is_none_of_a_class(missing):
    y = np.array(["owl", missing, "jay", missing, "emu"], dtype=object)
    folds = [test.tolist() for _, test in ClassKFold(3).split(y, y)]
    assert folds == [[4], [2], [0]]
