import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge

from sapwood.baselines import KernelRidge
from sapwood.features import unit_rows


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("ridge", "width"), [(0.01, 0.5), (2.0, 1.5)])
def test_it_is_scikit_learns_on_the_annotated_images(world, weighted, ridge, width):
    weight = np.linspace(0.2, 1.0, len(world.y)) if weighted else np.ones(len(world.y))
    model = KernelRidge(ridge=ridge, width=width, features="raw")
    model.fit(world.X, world.y, class_attributes=world.Z, sample_weight=weight)
    known, Z = world.y >= 0, unit_rows(world.Z)
    seen = Z[:6]
    pairs = np.linalg.norm(seen[:, None] - seen[None], axis=2) ** 2
    assert model.scale_ == pytest.approx(pairs.mean())
    expected = SklearnKernelRidge(
        alpha=ridge, kernel="rbf", gamma=1 / (2 * width**2 * pairs.mean())
    )
    expected.fit(Z[world.y[known]], world.X[known], weight[known] / weight[known].mean())
    distances = np.linalg.norm(world.X_unseen[:, None] - expected.predict(Z), axis=2)
    scores = model.decision_function(world.X_unseen)
    np.testing.assert_allclose(-scores, distances**2, atol=1e-7)


def test_soft_memberships_are_mixtures_in_the_kernels_space(evidence):
    trial = {"ridge": 0.5, "width": 1.0}
    (found,) = KernelRidge.solve(evidence, [trial])
    K = np.exp(
        -(np.linalg.norm(evidence.Z[:, None] - evidence.Z, axis=2) ** 2) / (2 * found["scale"])
    )

    def loss(A):
        rest = evidence.X - evidence.F @ K @ A
        return evidence.weights @ (rest**2).sum(axis=1) + 0.5 * np.trace(A.T @ K @ A)

    rng = np.random.default_rng(0)
    A = np.asarray(found["coefficients"])
    best = loss(A)
    for _ in range(20):
        assert loss(A + 1e-3 * rng.standard_normal((5, 7))) > best


def test_classes_with_the_same_attributes_are_no_division_by_zero(world):
    Z = np.ones_like(world.Z)
    model = KernelRidge().fit(world.X, world.y, class_attributes=Z)
    assert np.isfinite(model.decision_function(world.X)).all()
