import numpy as np
import pytest
from scipy.optimize import minimize

from sapwood.baselines import SSE
from sapwood.baselines.max_margin import (
    Images,
    Likeness,
    both_signs,
    hinge,
    learn_embeddings,
    learn_weights,
    respond,
)
from sapwood.baselines.simplex import simplex_mixtures

TRIAL = {"source_ridge": 0.1, "target": "intersection", "cost": 1e-3, "rounds": 2}


def by_general_solver(z, Z, ridge):
    p = len(Z)

    def objective(a):
        rest = z - a @ Z
        return rest @ rest + ridge * a @ a, -2 * Z @ rest + 2 * ridge * a

    sums = {"type": "eq", "fun": lambda a: a.sum() - 1, "jac": lambda a: np.ones(p)}
    start, options = np.full(p, 1 / p), {"ftol": 1e-13, "maxiter": 500}
    found = minimize(
        objective, start, jac=True, method="SLSQP", bounds=[(0, 1)] * p, constraints=sums,
        options=options,
    )  # fmt: skip
    return found.x


@pytest.mark.parametrize("ridge", [1e-3, 0.1, 2.0, 50.0])
@pytest.mark.parametrize(("p", "k"), [(2, 3), (6, 3), (8, 12)])
def test_mixtures_are_those_of_a_general_solver(p, k, ridge):
    rng = np.random.default_rng(p)
    Z, Z_seen = rng.standard_normal((4, k)), rng.standard_normal((p, k))
    expected = [by_general_solver(z, Z_seen, ridge) for z in Z]
    found = simplex_mixtures(Z, Z_seen, ridge)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    assert (found >= 0).all()


def test_mixtures_at_both_ends():
    Z = np.random.default_rng(0).random((5, 7))
    np.testing.assert_allclose(simplex_mixtures(Z, Z, 1e-9), np.eye(5), atol=1e-6)
    np.testing.assert_allclose(simplex_mixtures(Z, Z, 1e9), np.full((5, 5), 0.2), atol=1e-6)
    np.testing.assert_allclose(simplex_mixtures(Z[:1], np.ones((3, 7)), 0.1), [[1 / 3] * 3])


@pytest.fixture
def likeness():
    rng = np.random.default_rng(1)
    V, w = rng.random((6, 9)), rng.standard_normal(9)
    return lambda target: Likeness(V, w if target == "intersection" else -w, target)


@pytest.fixture
def images():
    rng = np.random.default_rng(2)
    return rng.random((30, 9)), rng.integers(0, 6, 30)


def test_likeness_is_the_sum_in_the_paper(likeness, images):
    X, _ = images
    for target, psi in (("intersection", min), ("relu", lambda x, v: max(0.0, x - v))):
        found = likeness(target)
        for x, answers in zip(X[:3], found(X[:3]), strict=True):
            for v, answer in zip(found.V, answers, strict=True):
                parts = [psi(a, b) * c for a, b, c in zip(x, v, found.w, strict=True)]
                assert answer == pytest.approx(sum(parts))


def test_many_images_are_as_one_by_one(likeness):
    X = np.random.default_rng(3).random((300, 9))
    found = likeness("relu")
    np.testing.assert_allclose(found(X), np.concatenate([found(x[None]) for x in X]), atol=1e-12)


@pytest.mark.parametrize("target", ["intersection", "relu"])
def test_the_gradient_of_the_hinge_is_its_slope(likeness, images, target):
    found = likeness(target)
    loss, gradient = hinge(found, *images)
    assert loss > 0
    rng, step = np.random.default_rng(4), 1e-6
    for _ in range(20):
        along = rng.standard_normal(found.V.shape)
        ahead, _ = hinge(Likeness(found.V + step * along, found.w, target), *images)
        behind, _ = hinge(Likeness(found.V - step * along, found.w, target), *images)
        assert (ahead - behind) / (2 * step) == pytest.approx((gradient * along).sum(), rel=1e-4)


def test_the_hinge_is_a_literal_loop(likeness, images):
    X, own = images
    found = likeness("intersection")
    total = 0.0
    for answers, y in zip(found(X), own, strict=True):
        margins = sorted(answers[y] - answers[s] for s in range(6) if s != y)
        total += np.mean([max(0.0, 1 - margin) for margin in margins[:5]])
    assert hinge(found, X, own)[0] == pytest.approx(total / (30 / 6))


def blurred(seed=0, p=6, d=20, n=240):
    rng = np.random.default_rng(seed)
    means, own = rng.random((p, d)), np.arange(n) % p
    X = np.abs(means[own] + 0.35 * rng.standard_normal((n, d))).astype(np.float32)
    V = np.stack([X[own == y].mean(axis=0) for y in range(p)])
    return X, own, Likeness(V, np.ones(d, dtype=np.float32), "intersection")


def test_each_half_of_a_round_lowers_the_loss():
    X, own, found = blurred()
    size = np.sqrt(np.mean((found.lead(X, own, (own[:, None] + 1) % 6) @ found.w) ** 2))
    plain = Likeness(found.V, found.w / size, found.target)
    weighed = Likeness(found.V, learn_weights(plain, X, own, 1e-3), found.target)
    assert hinge(weighed, X, own)[0] < hinge(plain, X, own)[0]
    drawn = Images(X, own, np.full(len(X), 1 / len(X)))
    V = learn_embeddings(weighed, drawn, found.V, np.random.default_rng(0))
    moved = Likeness(V, weighed.w, found.target)
    assert hinge(moved, X, own)[0] < 0.9 * hinge(weighed, X, own)[0]


def test_both_targets_learn_the_same(evidence):
    X, Z = np.random.default_rng(5).standard_normal((50, 7)), evidence.Z
    scores = []
    for target in ("intersection", "relu"):
        trial = {**TRIAL, "target": target}
        (parts,) = SSE.solve(evidence, [trial])
        scores.append(SSE.compare(parts, trial, X, Z))
    gaps = [s[:, 1:] - s[:, :1] for s in scores]
    np.testing.assert_allclose(gaps[0], gaps[1], atol=1e-4 * np.abs(gaps[0]).max())


def test_negative_features_count_by_their_sign():
    X = np.array([[1.0, -2.0]])
    found = Likeness(np.array([[0.5, 3.0, 0.0, 1.5]]), np.ones(4), "intersection")
    np.testing.assert_array_equal(found(X), [[2.0]])
    np.testing.assert_array_equal(both_signs(X), [[1, 0, 0, 2]])
    np.testing.assert_array_equal(respond(X, np.zeros(2), "relu"), [[1, 0]])


def test_the_unit_of_features_does_not_matter(world):
    small = SSE(features="raw").fit(world.X, world.y, class_attributes=world.Z)
    large = SSE(features="raw").fit(1024 * world.X, world.y, class_attributes=world.Z)
    np.testing.assert_allclose(
        small.decision_function(world.X), large.decision_function(1024 * world.X), rtol=1e-5
    )


def test_a_class_without_weight_is_left_out(world):
    weight = np.where(world.y == 2, 0.0, 1.0)
    given = {"class_attributes": world.Z}
    model = SSE(features="raw").fit(world.X, world.y, **given, sample_weight=weight)
    assert model.embeddings_.shape == (5, world.X.shape[1])
    assert model.seen_attributes_.shape == (5, world.Z.shape[1])
    without = SSE(features="raw").fit(world.X, np.where(world.y == 2, -1, world.y), **given)
    np.testing.assert_allclose(
        model.decision_function(world.X), without.decision_function(world.X), atol=1e-3
    )


def test_images_are_drawn_as_often_as_they_weigh():
    X = np.arange(4.0)[:, None]
    images = Images(
        np.tile(X, (32, 1)), np.zeros(128, dtype=int), np.tile([0, 0.1, 0.2, 0.7], 32) / 32
    )
    rng = np.random.default_rng(0)
    drawn = np.concatenate([images.draw(rng)[0].ravel() for _ in range(100)])
    np.testing.assert_allclose(
        np.bincount(drawn.astype(int)) / 12800, [0, 0.1, 0.2, 0.7], atol=0.02
    )


def test_one_class_alone_teaches_its_mean(draw_evidence):
    evidence = draw_evidence(p=1, soft=False)
    (parts,) = SSE.solve(evidence, [TRIAL])
    found = SSE.compare(parts, TRIAL, evidence.X, evidence.Z)
    assert parts["embeddings"].shape == (1, 14)
    assert np.isfinite(found).all()


def test_between_two_classes_lies_a_third():
    rng = np.random.default_rng(0)
    corners = np.eye(3)[[0, 1, 2]] * 5
    X = np.abs(np.repeat(corners, 10, axis=0) + 0.1 * rng.standard_normal((30, 3)))
    Z = np.vstack([np.eye(3), [[0.5, 0.5, 0.0]]])
    model = SSE(features="raw", attribute_map="raw", source_ridge=1e-3)
    model.fit(X, np.repeat([0, 1, 2], 10), class_attributes=Z)
    unseen = Z[[3]]
    share = simplex_mixtures(unseen, model.seen_attributes_, 1e-3)
    np.testing.assert_allclose(share, [[0.5, 0.5, 0.0]], atol=1e-3)
    assert model.predict([[5.0, 5.0, 0.0]], classes=[2, 3])[0] == 3
