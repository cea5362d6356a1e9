"""Every case of the accuracy benchmark can be drawn."""

import numpy as np
import pytest


@pytest.fixture
def cases(load_benchmark, shared_data):
    """The benchmark's own module, imported as its command does."""
    return load_benchmark("accuracy", "cases")[0].CASES


def test_every_case_annotates_seen_classes_and_asks_for_unseen_ones(cases):
    assert len(cases) >= 7
    for case in cases.values():
        K = case.annotated[0]
        problem = case.draw(K, 0)
        known = problem.y[problem.y >= 0]
        assert set(np.bincount(known)) <= {0, K}
        assert len(np.unique(known)) == len(problem.Z) - len(problem.unseen)
        assert set(problem.truth) == set(problem.unseen)
        assert not set(known) & set(problem.unseen)
        assert len(problem.X) == len(problem.y)
        assert problem.X.shape[1] == problem.X_test.shape[1]
