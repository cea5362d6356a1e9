import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from sapwood.data.filters import discard_unseen
from sapwood.errors import InputError


class Says:
    def __init__(self, answers):
        self.answers = np.asarray(answers)

    def predict(self, X):
        return self.answers


def test_images_called_unseen_are_thrown_out_and_no_others():
    rng = np.random.default_rng(0)
    centres = 10 * np.eye(4)
    labels = np.repeat(np.arange(4), 20)
    classifier = NearestCentroid().fit(centres[labels] + rng.random((80, 4)), labels)
    web = np.array([2, 0, 1, 3, 3, 0])
    keep = discard_unseen(centres[web] + rng.random((6, 4)), classifier, unseen=[3, 0])
    assert keep.tolist() == [True, False, True, False, False, False]
    assert keep.dtype == bool


def test_classes_may_have_names():
    keep = discard_unseen(np.eye(3), Says(["wren", "crow", "wren"]), unseen=["crow"])
    assert keep.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("X", "answers", "unseen", "message"),
    [
        (np.eye(2), [0, 1], [], "names no class"),
        (np.eye(2), [0, 1], 1, "names no class"),
        (np.ones(2), [0, 1], [1], "1 dimensions"),
        (np.eye(3), [0, 1], [1], r"shape \(2,\) for 3 images"),
        (np.eye(2), np.eye(2), [1], r"shape \(2, 2\) for 2 images"),
        (np.eye(2), ["wren", "crow"], [1], "as the classifier names"),
        (np.eye(2), [0, 1], ["crow"], "as the classifier names"),
    ],
)
def test_what_does_not_fit_is_refused(X, answers, unseen, message):
    with pytest.raises(InputError, match=message):
        discard_unseen(X, Says(answers), unseen)
