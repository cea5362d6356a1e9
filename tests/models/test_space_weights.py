import numpy as np
import pytest

from sapwood import InputError
from sapwood.models.space_weights import weigh_spaces


def world(seed=0, classes=30, images=12, annotated=4):
    """Images that show two kinds of attributes, each kind told by one space."""
    rng = np.random.default_rng(seed)
    A, T = rng.random((classes, 6)), rng.standard_normal((classes, 6))
    labels = np.repeat(np.arange(classes), images)
    shown = np.hstack([A, 0.3 * T])[labels]
    X = shown @ rng.standard_normal((12, 20)) + 0.3 * rng.standard_normal((len(labels), 20))
    y = np.where(np.tile(np.arange(images) < annotated, classes), labels, -1)
    return X, y, A, T, rng.random((classes, 6))


def test_spaces_that_tell_different_things_are_both_used():
    X, y, A, T, _ = world()
    found = weigh_spaces(X, y, [A, T])
    assert 0.1 <= found.weights[0] <= 0.9
    assert sum(found.weights) == pytest.approx(1)
    assert len(found.log) == 11
    assert "did best on seen classes held out, ahead of space 1 alone" in found.summary


def test_a_space_that_tells_nothing_gets_nothing():
    X, y, A, T, noise = world()
    found = weigh_spaces(X, y, [np.hstack([A, T]), noise])
    assert found.weights == (1.0, 0.0)
    assert found.summary.startswith("space 1 alone: ")


def test_the_first_space_is_left_if_it_tells_nothing():
    X, y, A, _, noise = world()
    assert weigh_spaces(X, y, [noise, A]).weights[0] < 0.5


def test_classes_without_annotated_images_have_no_part():
    X, y, A, T, noise = world()
    few = np.where(y < 20, y, -1)
    found = weigh_spaces(X, few, [A, T])
    A, T = A.copy(), T.copy()
    A[20:], T[20:] = noise[20:], 5.0
    again = weigh_spaces(X, few, [A, T])
    assert [row["lead"] for row in again.log] == [row["lead"] for row in found.log]


def test_names_and_missing_values():
    X, y, A, T, _ = world()
    names = [f"class {c}" for c in range(30)]
    expected = weigh_spaces(X, y, [A, T])
    told = [names[c] if c >= 0 else "" for c in y]
    assert weigh_spaces(X, told, [A, T], class_names=names).weights == expected.weights
    A[3, 2] = np.nan
    assert len(weigh_spaces(X, y, [A, T]).weights) == 2


def test_too_few_classes_to_ask():
    X, y, A, T, _ = world()
    found = weigh_spaces(X, np.where(y < 3, y, -1), [A, T])
    assert found.weights == (1.0, 0.0)
    assert "four of them or more" in found.summary


def test_three_spaces():
    X, y, A, T, noise = world()
    found = weigh_spaces(X, y, [A, T, noise])
    assert found.weights[2] < 0.3
    assert len(found.log) == 66


def test_spaces_of_different_classes():
    X, y, A, T, _ = world()
    with pytest.raises(InputError, match="a row for the same classes"):
        weigh_spaces(X, y, [A, T[:29]])


def test_a_value_that_one_class_alone_has():
    X, labels, Z, *_ = world()
    lonely = Z.copy()
    lonely[1:, 0] = np.nan
    assert len(weigh_spaces(X, labels, [lonely, Z]).weights) == 2
    with pytest.raises(InputError, match="n_splits is 1"):
        weigh_spaces(X, labels, [Z, Z], n_splits=1)


@pytest.mark.parametrize(
    ("spoil", "names", "said"),
    [
        (
            lambda T: np.where(np.arange(len(T))[:, None] == 3, np.inf, T),
            None,
            r"spaces\[1\] has inf",
        ),
        (lambda T: np.full(T.shape, "red"), None, "entries that are not numbers"),
        (lambda T: T, ["attributes"], "names has 1 entries for 2 spaces"),
    ],
)
def test_spaces_are_checked_before_the_search(spoil, names, said):
    X, y, A, T, _ = world()
    with pytest.raises(InputError, match=said):
        weigh_spaces(X, y, [A, spoil(T)], names=names)
