import numpy as np
import pytest
from sklearn.linear_model import Ridge

from sapwood.baselines import RPL
from sapwood.features import unit_rows


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ridge", [0.01, 3.0])
def test_it_is_scikit_learns_ridge_regression(world, weighted, ridge):
    weight = np.linspace(0.2, 1.0, len(world.y)) if weighted else np.ones(len(world.y))
    model = RPL(ridge=ridge, features="raw")
    model.fit(world.X, world.y, class_attributes=world.Z, sample_weight=weight)
    known = world.y >= 0
    expected = Ridge(alpha=ridge, fit_intercept=False)
    expected.fit(
        unit_rows(world.Z)[world.y[known]], world.X[known], weight[known] / weight[known].mean()
    )
    np.testing.assert_allclose(model.projection_, expected.coef_.T, atol=1e-8)
    prototypes = expected.predict(unit_rows(world.Z))
    distances = np.linalg.norm(world.X_unseen[:, None] - prototypes, axis=2)
    np.testing.assert_array_equal(model.predict(world.X_unseen), distances.argmin(axis=1))
