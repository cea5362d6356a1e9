from dataclasses import fields, replace

import numpy as np
import pytest

from sapwood.baselines import ZSKL
from sapwood.baselines.kernel_pairs import descend, loss_and_gradient, pairs_of
from sapwood.features import unit_rows
from sapwood.projection import Evidence

TRIAL = {"width": 0.8, "negatives": 1.0, "steps": 30}


def doubled(pairs):
    """The same in double precision, which finite differences need."""
    given = {f.name: getattr(pairs, f.name) for f in fields(pairs)}
    return replace(pairs, **{n: a.astype(float) for n, a in given.items() if a.dtype == np.float32})


@pytest.fixture(params=["classes", "mixtures", "attributes"])
def pairs(request, draw_evidence):
    """What images are to be like: their class, a mixture, or vectors that are no mixture."""
    given = draw_evidence(soft=request.param != "classes")
    if request.param == "attributes":
        vectors = np.random.default_rng(9).random((40, 4))
        given = Evidence(given.X, given.F, given.Z, given.weights, vectors)
    return doubled(pairs_of(given, given.X.mean(axis=0), given.Z.mean(axis=0)))


@pytest.mark.parametrize(("width", "negatives"), [(0.8, 1.0), (0.4, 3.0), (2.0, 0.0)])
def test_the_gradient_is_the_slope_of_the_loss(pairs, width, negatives):
    rng, step = np.random.default_rng(0), 1e-5
    W = 0.3 * rng.standard_normal((pairs.Z.shape[1], pairs.X.shape[1]))
    _, gradient = loss_and_gradient(W, pairs, width, negatives)
    assert np.abs(gradient).max() > 1e-3
    for place in np.ndindex(W.shape):
        nudge = np.zeros_like(W)
        nudge[place] = step
        ahead, behind = (
            loss_and_gradient(W + sign * nudge, pairs, width, negatives)[0] for sign in (1, -1)
        )
        assert (ahead - behind) / (2 * step) == pytest.approx(gradient[place], abs=1e-8)


def test_the_loss_is_the_one_in_the_paper(draw_evidence):
    """In the features' own coordinates, image by image and class by class."""
    given = draw_evidence(soft=False)
    pairs = doubled(pairs_of(given, given.X.mean(axis=0), given.Z.mean(axis=0)))
    X = unit_rows(given.X - given.X.mean(axis=0))
    Z = unit_rows(given.Z - given.Z.mean(axis=0))
    core = 0.4 * np.random.default_rng(0).standard_normal((pairs.Z.shape[1], pairs.X.shape[1]))
    W = pairs.attribute_axes @ core @ pairs.feature_axes

    def kernel(u, v):
        return np.exp(-((u - v) @ (u - v)) / (2 * 0.7**2))

    total, heard = 0.0, given.weights > 0
    for x, y in zip(X[heard], given.F[heard].argmax(axis=1), strict=True):
        total += (kernel(W @ x, Z[y]) - 1) ** 2 + (kernel(Z[y] @ W, x) - 1) ** 2
        for c in range(5):
            if c != y:
                total += 2.0 / 4 * (kernel(W @ x, Z[c]) ** 2 + kernel(Z[c] @ W, x) ** 2)
    # The coordinates of images and classes were rounded to single precision.
    assert loss_and_gradient(core, pairs, 0.7, 2.0)[0] == pytest.approx(total / 39, rel=1e-5)


def test_the_score_is_what_an_image_of_the_class_would_not_lose(draw_evidence):
    given = draw_evidence(soft=False)
    (parts,) = ZSKL.solve(given, [TRIAL])
    W = np.asarray(parts["projection"])
    scores = ZSKL.compare(parts, TRIAL, given.X[:4], given.Z)
    X = unit_rows(given.X - parts["feature_mean"])
    Z = unit_rows(given.Z - parts["attribute_mean"])
    for x, answers in zip(X, scores, strict=False):
        for z, answer in zip(Z, answers, strict=True):
            distances = np.linalg.norm(W @ x - z), np.linalg.norm(z @ W - x)
            lost = [(np.exp(-(r**2) / (2 * 0.8**2)) - 1) ** 2 for r in distances]
            assert answer == pytest.approx(2 - sum(lost))


@pytest.mark.parametrize("width", [trial["width"] for trial in ZSKL.grid[::7]])
def test_training_lowers_the_loss(world, width):
    n, Z = len(world.X), world.Z[:6]
    given = Evidence(world.X, np.eye(6)[world.labels], Z, np.ones(n))
    pairs = pairs_of(given, world.X.mean(axis=0), Z.mean(axis=0))
    start = np.zeros((pairs.Z.shape[1], pairs.X.shape[1]))
    losses = [loss_and_gradient(start, pairs, width, 1.0)[0]]
    losses += [
        loss_and_gradient(W, pairs, width, 1.0)[0] for _, W in descend(pairs, width, 1.0, [5, 60])
    ]
    assert losses[2] < losses[1] < losses[0]
    assert losses[2] < 0.8 * losses[0]


def test_stops_lie_on_one_way(pairs):
    together = dict(descend(pairs, 0.8, 1.0, [3, 10]))
    (alone,) = [W for _, W in descend(pairs, 0.8, 1.0, [3])]
    np.testing.assert_array_equal(together[3], alone)
    assert not np.allclose(together[3], together[10])


def test_an_image_without_weight_is_never_drawn(draw_evidence):
    one, other = draw_evidence(), draw_evidence()
    other.F[3] = np.eye(5)[2]
    # Row 3 has no weight; and its features count for no mean.
    found = [np.asarray(next(ZSKL.solve(e, [TRIAL]))["projection"]) for e in (one, other)]
    np.testing.assert_array_equal(found[0], found[1])


def test_given_attributes_are_learnt_from(draw_evidence):
    given = draw_evidence()
    vectors = np.random.default_rng(9).random((40, 4))
    other = Evidence(given.X, given.F, given.Z, given.weights, vectors)
    found = [np.asarray(next(ZSKL.solve(e, [TRIAL]))["projection"]) for e in (given, other)]
    assert not np.allclose(found[0], found[1])


def test_the_unit_of_features_and_attributes_does_not_matter(world):
    plain = {"features": "raw", "attribute_map": "raw"}
    small = ZSKL(**plain).fit(world.X, world.y, class_attributes=world.Z)
    large = ZSKL(**plain).fit(1024 * world.X, world.y, class_attributes=64 * world.Z)
    np.testing.assert_allclose(
        small.decision_function(world.X), large.decision_function(1024 * world.X), rtol=1e-4
    )


def test_unseen_classes_are_told_apart(draw_world):
    easy = draw_world(noise=0.05, annotated=10)
    model = ZSKL().fit(easy.X, easy.y, class_attributes=easy.Z)
    answers = model.predict(easy.X_unseen, classes=[6, 7])
    assert np.mean(answers == easy.labels_unseen) > 0.8


def test_more_negatives_keep_other_classes_farther(world):
    def mean_score_of_wrong(negatives):
        model = ZSKL(negatives=negatives, steps=100)
        model.fit(world.X, world.labels, class_attributes=world.Z)
        scores = model.decision_function(world.X, classes="seen")
        return scores[np.arange(6) != world.labels[:, None]].mean()

    assert mean_score_of_wrong(2.0) < mean_score_of_wrong(0.2)


def test_one_class_alone_is_no_division_by_zero(draw_evidence):
    given = draw_evidence(p=1, soft=False)
    (parts,) = ZSKL.solve(given, [TRIAL])
    assert np.isfinite(ZSKL.compare(parts, TRIAL, given.X, given.Z)).all()
