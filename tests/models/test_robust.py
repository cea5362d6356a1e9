import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import cdist, pdist

from sapwood import SparseAttributePropagation
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.robust import INFORMED, Robust


def problem_of(world, attribute_map="kernel", **options):
    X = FeatureMap().fit_transform(world.X)
    S = normalised_affinity(affinity_matrix(*nearest_neighbors(X, 10)))
    Z = AttributeMap(**ATTRIBUTE_MAPS[attribute_map]).fit(world.Z[:6]).transform(world.Z[:6])
    weight = np.random.default_rng(1).uniform(0.5, 1.0, len(X))
    return Robust(X, S, world.y, Z, weight, **options)


@pytest.fixture
def problem(draw_world):
    return problem_of(draw_world(n=80, noise=0.4))


@pytest.fixture
def noise(draw_world):
    world = draw_world()
    features = np.random.default_rng(0).random(world.X.shape)
    return dataclasses.replace(world, X=features)


def literal_votes(problem):
    votes = np.zeros((len(problem.X), len(problem.Z)))
    for i, code in enumerate(problem.codes):
        if code >= 0:
            votes[i, code] = problem.sample_weight[i]
    return votes


def literal_step(problem, votes):
    """Propagate, hold, sharpen, weigh and project with dense matrices: F, weights and W."""
    alpha = problem.lambda1 / (1 + problem.lambda1)
    F = np.linalg.inv(np.eye(len(votes)) - alpha * problem.S.toarray()) @ votes
    held = problem.codes >= 0
    F[held] = votes[held]
    F /= F.sum(axis=1, keepdims=True)
    weights = problem.sample_weight * F.max(axis=1)
    F = F**problem.sharpness
    F /= F.sum(axis=1, keepdims=True)
    Y, omega = F @ problem.Z, np.diag(weights)
    G = Y.T @ omega @ Y
    ridge = literal_ridge(problem, F, weights) * np.trace(G) / len(G)
    return F, weights, np.linalg.solve(G + ridge * np.eye(len(G)), Y.T @ omega @ problem.X)


def literal_ridge(problem, F, weights):
    """λ4, and more where the mean of a class's images is noisier than half of what divides them."""
    within, freedom, means, halved = 0.0, 0.0, [], []
    for share in (F * weights[:, None]).T:
        mean = share @ problem.X / share.sum()
        within += share @ ((problem.X - mean) ** 2).sum(axis=1)
        freedom += share.sum() - (share**2).sum() / share.sum()
        means.append(mean)
        halved.append((share**2).sum() / share.sum() ** 2)
    within /= freedom
    between = np.cov(np.array(means).T).trace() - within * np.mean(halved)
    noise = min(within / between, 50)
    return problem.lambda4 * max(1, 2 * noise / (weights.sum() / len(problem.Z)))


def literal_opinion(problem, F, weights, W):
    """Softmax of the distances at the temperature that agrees best with F."""
    away = problem.X[:, None] - problem.Z @ W
    scores = -(away**2).sum(axis=2)

    def probabilities(log_temperature):
        P = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.exp(log_temperature))
        return P / P.sum(axis=1, keepdims=True)

    def loss(log_temperature):
        return -(weights[:, None] * F * np.log(probabilities(log_temperature))).sum()

    return probabilities(minimize_scalar(loss, bounds=(-4, 3), options={"xatol": 1e-9}).x)


def test_a_linear_projection_from_the_coordinates_is_kernel_ridge_regression(draw_world):
    world = draw_world(n=80)
    problem = problem_of(world)
    classes = AttributeMap(**ATTRIBUTE_MAPS["kernel"]).fit(world.Z[:6])
    scaled = classes.scale(world.Z)
    width = 1.2**2 * np.mean(pdist(scaled[:6], "sqeuclidean"))
    K = np.exp(-cdist(scaled, scaled[:6], "sqeuclidean") / (2 * width))
    step = next(problem.iterate(1))
    F, weights = step.evidence.F, step.evidence.weights
    images = F @ K[:6] @ F.T
    ridge = literal_ridge(problem, F, weights) * (weights * np.diag(images)).sum() / 6
    dual = np.linalg.solve(images + np.diag(ridge / weights), problem.X)
    np.testing.assert_allclose(classes.transform(world.Z) @ step.W, K @ F.T @ dual, atol=1e-8)


@pytest.mark.parametrize("attribute_map", ["kernel", "l2"])
def test_the_first_step_follows_its_definition(draw_world, attribute_map):
    problem = problem_of(draw_world(n=80, noise=0.4), attribute_map, lambda1=1.5, sharpness=3.0)
    F, weights, W = literal_step(problem, literal_votes(problem))
    step = next(problem.iterate(1))
    np.testing.assert_allclose(step.posterior.F, F, atol=1e-8)
    np.testing.assert_allclose(step.evidence.weights, weights, atol=1e-8)
    np.testing.assert_allclose(step.W, W, atol=1e-7)


def test_from_the_second_step_on_the_projection_votes(problem):
    steps = list(problem.iterate(3))
    votes = literal_votes(problem)
    found = literal_step(problem, votes)
    silent = problem.codes < 0
    for step in steps[1:]:
        votes[silent] = problem.lambda3 * literal_opinion(problem, *found)[silent]
        found = literal_step(problem, votes)
        np.testing.assert_allclose(step.posterior.F, found[0], atol=1e-4)
        np.testing.assert_allclose(step.W, found[2], atol=1e-4)
    assert np.abs(steps[0].posterior.F - steps[1].posterior.F).max() > 0.05


@pytest.mark.parametrize("options", [{"lambda3": 0.0}, {"max_iter": 1}, {"steps": "sap1+bpl"}])
def test_without_its_vote_there_is_one_step_and_no_question(world, options):
    model = SparseAttributePropagation(**options)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert (model.n_iter_, model.information_) == (1, None)


def test_an_informed_projection_votes(world):
    model = SparseAttributePropagation(unlabelled="all")
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert INFORMED < model.information_ <= 1
    assert model.n_iter_ == len(model.trace_) == 4


def test_on_noise_the_projection_is_silent(noise):
    model = SparseAttributePropagation(unlabelled="all")
    model.fit(noise.X, noise.y, class_attributes=noise.Z)
    assert -0.1 < model.information_ < INFORMED
    assert model.n_iter_ == 1
    alone = SparseAttributePropagation(max_iter=1, unlabelled="all")
    alone.fit(noise.X, noise.y, class_attributes=noise.Z)
    np.testing.assert_array_equal(model.projection_, alone.projection_)


def test_information_withholds_each_annotation_from_its_own_question(problem):
    """Literally: the loss of classes that a step without their annotations was asked for."""
    known = np.random.default_rng(5).permutation(np.flatnonzero(problem.codes >= 0))
    scores, weights = np.empty((len(known), 6)), problem.sample_weight[known]
    for part in range(3):
        rows = known[part::3]
        without = problem.codes.copy()
        without[rows] = -1
        rest = dataclasses.replace(problem, codes=without)
        away = problem.X[rows][:, None] - problem.Z @ literal_step(rest, literal_votes(rest))[2]
        scores[part::3] = -(away**2).sum(axis=2)

    def loss(log_temperature):
        logits = scores / np.exp(log_temperature)
        likely = np.exp(logits)[np.arange(len(known)), problem.codes[known]]
        return np.average(np.log(np.exp(logits).sum(axis=1) / likely), weights=weights)

    expected = 1 - minimize_scalar(loss, bounds=(-4, 3)).fun / np.log(6)
    assert problem.information(5) == pytest.approx(expected, abs=1e-3)


def test_information_is_the_same_for_the_same_seed(problem):
    found = [problem.information(seed) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert max(found) <= 1


def test_information_is_asked_even_of_two_annotations(world):
    y = np.full(len(world.y), -1)
    y[[np.flatnonzero(world.labels == c)[0] for c in (0, 1)]] = 0, 1
    model = SparseAttributePropagation().fit(world.X, y, class_attributes=world.Z)
    assert model.information_ <= 1


def test_where_every_image_is_annotated_one_step_is_enough(world):
    model = SparseAttributePropagation().fit(world.X, world.labels, class_attributes=world.Z)
    assert (model.n_iter_, model.information_) == (1, None)
    np.testing.assert_array_equal(model.confidence_, 1)


def test_the_vote_reaches_images_that_no_annotation_does(world):
    far = world.X[:40][:, ::-1] * np.linspace(0.1, 30, world.X.shape[1])
    X, y = np.vstack([world.X, far]), np.r_[world.y, np.full(40, -1)]
    alone, voted = (
        SparseAttributePropagation(max_iter=n, unlabelled="all").fit(X, y, class_attributes=world.Z)
        for n in (1, 2)
    )
    assert not alone.confidence_[-40:].any()
    assert voted.n_iter_ == 2
    assert (voted.confidence_[-40:] > 0).all()
