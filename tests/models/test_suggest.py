"""Which images to annotate next: the greedy choice, found lazily."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from sapwood import InputError, SparseAttributePropagation
from sapwood.baselines import RPL
from sapwood.features import FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.suggest import (
    _graph,
    _greedy,
    _reach,
    annotated_rows,
    rank_images,
    suggest_images,
)


@pytest.fixture
def model(world):
    return SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)


def plain_greedy(B, covered, candidates, n):
    """Every gain anew in every round."""
    left, chosen = list(candidates), []
    covered = covered.copy()
    for _ in range(n):
        gains = [np.maximum(B[:, j] - covered, 0).sum() for j in left]
        chosen.append(left.pop(int(np.argmax(gains))))
        covered = np.maximum(covered, B[:, chosen[-1]])
    return chosen


def reach(model, X):
    neighbors, squared = nearest_neighbors(model.feature_map_.transform(X), 10)
    S = normalised_affinity(affinity_matrix(neighbors, squared)).toarray()
    return np.eye(len(X)) + S / 2 + S @ S / 4


def test_an_annotation_reaches_two_steps_far(model, world):
    found = _reach(_graph(model.feature_map_.transform(world.X), 1.0, "max")).toarray()
    np.testing.assert_allclose(found, reach(model, world.X), atol=1e-12)


@pytest.mark.parametrize("with_y", [True, False])
def test_it_is_the_greedy_choice(model, world, with_y):
    B = reach(model, world.X)
    covered, candidates = np.zeros(len(B)), np.arange(len(B))
    if with_y:
        covered, candidates = B[:, world.y >= 0].max(axis=1), np.flatnonzero(world.y < 0)
    expected = plain_greedy(B, covered, candidates, 25)
    found = model.suggest(world.X, 25, world.y if with_y else None)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(model.suggest(world.X, 25, world.y if with_y else None), found)


@pytest.mark.parametrize("seed", range(5))
def test_gains_that_fall_in_any_way(seed):
    rng = np.random.default_rng(seed)
    # Few values, so that many gains are equal.
    B = rng.integers(0, 3, (40, 40)) * (rng.random((40, 40)) < 0.3)
    covered, candidates = rng.integers(0, 2, 40).astype(float), np.arange(0, 40, 2)
    columns = scipy.sparse.csc_array(B.astype(float))
    suggested = _greedy(columns, covered, candidates, 20)
    found, reached = suggested.rows, suggested.reached
    assert found.tolist() == plain_greedy(B, covered, candidates, 20)
    first = found[0]
    assert reached[0] == sum(B[i, first] > covered[i] for i in range(40) if i != first)


def test_of_equals_the_first_is_taken():
    found = _greedy(scipy.sparse.eye_array(6).tocsc(), np.zeros(6), np.array([1, 3, 4, 5]), 3)
    assert found.rows.tolist() == [1, 3, 4]
    assert found.reached.tolist() == [0, 0, 0]
    assert found.novelty.tolist() == [1, 1, 1]


def test_before_there_is_a_model(world):
    first = suggest_images(world.X, 12)
    covered = FeatureMap().fit_transform(world.X)
    neighbors, squared = nearest_neighbors(covered, 10)
    S = normalised_affinity(affinity_matrix(neighbors, squared)).toarray()
    B = np.eye(len(S)) + S / 2 + S @ S / 4
    n = len(B)
    np.testing.assert_array_equal(first, plain_greedy(B, np.zeros(n), np.arange(n), 12))
    more = suggest_images(world.X, 5, world.y)
    assert (world.y[more] == -1).all()
    with pytest.raises(InputError, match="n is 999"):
        suggest_images(world.X, 999)


def test_every_unannotated_image_may_be_asked_for(model, world):
    unknown = np.flatnonzero(world.y < 0)
    assert set(model.suggest(world.X, len(unknown), world.y)) == set(unknown)


def test_what_is_told_about_each(model, world):
    found = rank_images(model, world.X, 5, world.y)
    assert ((found.novelty >= 0) & (found.novelty <= 1)).all()
    assert found.reached.shape == (5,)
    assert found.reached[0] > 0


@pytest.mark.parametrize(
    "y",
    [
        [2, -1, 0, -1],
        [2.0, np.nan, 0.0, -1.0],
        ["owl", "", "jay", None],
        np.array(["owl", "", "jay", "-1"]),
        np.array([[1.0, 0], [np.nan, np.nan], [0, 1], [np.nan, np.nan]]),
        [[2], [-1], [0], [-1]],
        np.array([["owl"], [np.nan], ["jay"], [""]], dtype=object),
    ],
)
@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_annotations_are_read_as_in_fit(y):
    assert annotated_rows(y, 4).tolist() == [True, False, True, False]
    assert annotated_rows(None, 2).tolist() == [False, False]
    with pytest.raises(InputError, match=r"y has shape .* but X has 5 rows"):
        annotated_rows(y, 5)


@pytest.mark.parametrize("n", [0, -1, 1.5, "3", True])
def test_a_number_of_images_is_a_whole_one(model, world, n):
    with pytest.raises(InputError, match=r"^n is .*; expected a whole number of at least 1"):
        model.suggest(world.X, n)


def test_more_than_there_are(model, world):
    unknown = int((world.y < 0).sum())
    with pytest.raises(InputError, match=f"n is {unknown + 1}, but only {unknown} of the"):
        model.suggest(world.X, unknown + 1, world.y)
    with pytest.raises(InputError, match="at least 2"):
        model.suggest(world.X[:1], 1)


def test_few_images_have_few_neighbours(model, world):
    assert sorted(model.suggest(world.X[:3], 3)) == [0, 1, 2]


def test_rivals_suggest_too(world):
    model = RPL().fit(world.X, world.y, class_attributes=world.Z)
    assert not set(model.suggest(world.X, 9, world.y)) & set(np.flatnonzero(world.y >= 0))


def test_a_data_frame_is_taken(world):
    frame = pd.DataFrame(world.X, columns=[f"f{j}" for j in range(world.X.shape[1])])
    model = SparseAttributePropagation().fit(frame, world.y, class_attributes=world.Z)
    np.testing.assert_array_equal(
        model.suggest(frame, 4, pd.Series(world.y)),
        SparseAttributePropagation()
        .fit(world.X, world.y, class_attributes=world.Z)
        .suggest(world.X, 4, world.y),
    )


def test_a_model_that_is_not_fitted_suggests_nothing(world):
    with pytest.raises(Exception, match="not fitted"):
        SparseAttributePropagation().suggest(world.X, 3)


def test_features_that_cannot_be_used(model, world):
    with pytest.raises(InputError, match="X contains 1 NaN"):
        model.suggest(np.where(np.arange(world.X.size).reshape(world.X.shape), world.X, np.nan), 2)
    with pytest.raises(InputError, match="X cannot be used"):
        model.suggest(world.X[:, :5], 2)
