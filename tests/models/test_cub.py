"""The core on real features: the paper's split of CUB."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.data import load_zero_shot, standard_setting
from sapwood.features import unit_rows
from sapwood.graph import affinity_matrix, laplacian, nearest_neighbors, spectral_basis
from sapwood.metrics import accuracy
from sapwood.models.printed import Printed
from sapwood.projection import proposition_bounds
from tests.models.test_printed import printed_objective


@pytest.fixture(scope="module")
def cub(shared_data):
    return load_zero_shot(shared_data / "cub.npz")


@pytest.fixture(scope="module")
def setting(cub):
    return standard_setting(cub, annotated=5, seed=0)


def unseen_accuracy(cub, setting, **options):
    X, y = setting.training(cub)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=cub.attributes)
    answers = model.predict(cub.features[setting.test_unseen], classes=setting.unseen)
    return 100 * accuracy(cub.labels[setting.test_unseen], answers)


@pytest.mark.parametrize(("annotated", "least"), [(1, 65.5), (5, 68.0)])
def test_the_robust_preset_with_few_annotations_a_class(cub, annotated, least):
    assert unseen_accuracy(cub, standard_setting(cub, annotated=annotated, seed=0)) >= least


@pytest.mark.parametrize(("norm", "most"), [("l1", 12), ("l2", 35)])
def test_the_printed_algorithm_collapses_and_says_it_has_not_converged(cub, setting, norm, most):
    with pytest.warns(ConvergenceWarning, match="stopped after 5 iterations"):
        assert unseen_accuracy(cub, setting, preset="paper", attribute_map=norm) < most


def test_the_printed_objective_never_increases_on_real_data(cub, setting):
    X, y = setting.training(cub)
    X, y = unit_rows(X[::6].astype(float)), y[::6]
    Z = unit_rows(cub.attributes.astype(float), norm=1)
    Y_given = np.where(y[:, None] >= 0, Z[y], 0.0)
    A = affinity_matrix(*nearest_neighbors(X, 300))
    problem = Printed(X, Y_given, spectral_basis(A, 50))
    states = list(problem.iterate(3))[1:]
    spectrum = np.linalg.eigh(laplacian(A).toarray())
    recomputed = [printed_objective(problem, state, spectrum) for state in states]
    np.testing.assert_allclose([state.objective for state in states], recomputed, rtol=1e-6)
    assert (np.diff(recomputed) <= 1e-9 * recomputed[0]).all()
    bounds = proposition_bounds(problem.attribute_bound(), np.linalg.norm(X), problem.lambda4)
    last = states[-1]
    assert np.linalg.norm(last.Y) <= bounds.C1
    assert np.linalg.norm(last.W) <= bounds.C2
    delta = 1e-3 * np.random.default_rng(0).standard_normal(last.Y.shape)
    moved = problem.project(last.Y + delta) - last.W
    assert np.linalg.norm(moved) <= bounds.change_of_projection(delta)
