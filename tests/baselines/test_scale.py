import numpy as np
import pytest

from sapwood.baselines.scale import mean_squared_distance


def test_weights_count_rows_as_often():
    X = np.random.default_rng(0).random((5, 3))
    counts = np.array([1, 2, 0, 3, 1])
    repeated = np.repeat(X, counts, axis=0)
    pairs = np.linalg.norm(repeated[:, None] - repeated[None], axis=2) ** 2
    assert mean_squared_distance(X, counts) == pytest.approx(pairs.mean())


def test_equal_rows_have_a_scale_all_the_same():
    assert mean_squared_distance(np.ones((4, 2))) == 1.0
