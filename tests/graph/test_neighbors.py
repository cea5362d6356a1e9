import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors

from sapwood.graph import nearest_neighbors


@pytest.mark.parametrize("k", [1, 7, 59])
@pytest.mark.parametrize("block_bytes", [1, 8 * 60 * 7, 2**26])
def test_equals_scikit_learn_in_any_blocks(k, block_bytes):
    X = np.random.default_rng(0).standard_normal((60, 5))
    neighbors, squared = nearest_neighbors(X, k, block_bytes=block_bytes)
    distances, expected = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_allclose(np.sqrt(squared), distances, rtol=1e-9)


def test_duplicates_are_neighbours_at_distance_zero_but_never_themselves():
    X = np.repeat(np.random.default_rng(0).standard_normal((4, 3)), 3, axis=0)
    neighbors, squared = nearest_neighbors(X, 2)
    assert (neighbors != np.arange(12)[:, None]).all()
    assert (neighbors // 3 == np.arange(12)[:, None] // 3).all()
    assert not squared.any()


def test_ties_go_to_the_lower_index():
    angles = np.arange(8) * np.pi / 4
    X = np.vstack([[0.0, 0.0], np.column_stack([np.cos(angles), np.sin(angles)])])
    neighbors, _ = nearest_neighbors(X, 3)
    np.testing.assert_array_equal(neighbors[0], [1, 2, 3])


def test_many_copies_of_one_image_give_a_stable_answer():
    X = np.vstack([np.full((30, 6), 1 / 3), np.eye(6)])
    neighbors, squared = nearest_neighbors(X, 4)
    np.testing.assert_array_equal(neighbors[0], [1, 2, 3, 4])
    np.testing.assert_array_equal(neighbors[10], [0, 1, 2, 3])
    assert not squared[:30].any()


def test_an_offset_does_not_blur_distances():
    X = np.random.default_rng(0).standard_normal((200, 5))
    expected, _ = nearest_neighbors(X, 3)
    assert np.mean(nearest_neighbors(X + 1e7, 3)[0] == expected) > 0.99


def test_an_outlier_does_not_blur_the_others():
    X = np.random.default_rng(0).standard_normal((200, 5))
    expected, _ = nearest_neighbors(X[1:], 3)
    X[0] = 1e7
    assert np.mean(nearest_neighbors(X, 3)[0][1:] == expected + 1) > 0.99
