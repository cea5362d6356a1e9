import dataclasses

import numpy as np
import pytest

from sapwood.data import ClassKFold
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.annotations import read_annotations
from sapwood.models.folds import class_folds
from sapwood.models.parameters import LIMITS, USUAL
from sapwood.models.robust import Robust, solve_robust
from sapwood.models.search import search
from sapwood.projection import Evidence, learn_scaled, prototype_scores

SEED = 3


def mapped(world, features):
    return FeatureMap(**FEATURE_MAPS[features]).fit_transform(world.X)


def fitted_map(name, Z):
    return AttributeMap(**ATTRIBUTE_MAPS[name]).fit(Z)


def searched(world, weight=None, n_splits=3, **changes):
    world = dataclasses.replace(world, **changes)
    weight = np.ones(len(world.X)) if weight is None else weight
    known = read_annotations(world.y, len(world.X), world.Z).voting(weight)
    return list(search(world.X, known, weight, n_splits, SEED))


def propagated(world, weight, settings):
    """Memberships and weights after the algorithm, on the usual features."""
    X, Z = mapped(world, "whitened"), world.Z[:6]
    A = affinity_matrix(*nearest_neighbors(X, settings["k_g"]), sigma=settings["sigma"])
    names = ("lambda1", "lambda3", "beta", "sharpness", "steps")
    coordinates = fitted_map("kernel", Z).transform(Z)
    given = {name: settings[name] for name in names}
    problem = Robust(X, normalised_affinity(A), world.y, coordinates, weight, **given, tol=1e-4)
    step = solve_robust(problem, settings["max_iter"], SEED).step
    return step.evidence.F, step.evidence.weights


def slow_ranks(world, weight, changes):
    """The definition, fold by fold and image by image."""
    settings = {**USUAL, **changes}
    # While it searches, the graph is that of the usual features.
    F, weights = propagated(world, weight, {**settings, "sigma": USUAL["sigma"]})
    X, ranks = mapped(world, settings["features"]), []
    for _, test in ClassKFold(3, shuffle=True, random_state=SEED).split(X, world.y):
        held = sorted(set(world.y[test]))
        kept = [c for c in range(6) if c not in held]
        mass = F[:, kept].sum(axis=1)
        rows = [i for i in range(len(X)) if mass[i] >= 0.5 and weights[i] > 0]
        coordinates = fitted_map(settings["attribute_map"], world.Z[kept])
        share, Z = F[np.ix_(rows, kept)] / mass[rows, None], coordinates.transform(world.Z[kept])
        evidence = Evidence(X[rows], share, Z, weights[rows] * mass[rows])
        found = learn_scaled(evidence, settings["lambda4"], 0.0)
        prototypes = coordinates.transform(world.Z[held]) @ (found.W * found.scale)
        scores = prototype_scores(X[test], prototypes, settings["metric"])
        for i, row in zip(test, scores, strict=True):
            right = row[held.index(world.y[i])]
            ranks.append(1 / sum(score >= right for score in row))
    return ranks


@pytest.fixture
def hard(draw_world):
    """Noise enough for settings to differ."""
    return draw_world(noise=0.8)


def test_there_are_490_trials_and_all_differ(world):
    trials = searched(world)
    assert len(trials) == 490
    assert len({tuple(sorted(trial.parameters.items())) for trial in trials}) == 490
    together = {"attribute_map", "lambda4"}
    for trial in trials:
        assert len(trial.ranks) == (world.y >= 0).sum()
        other = {name for name, value in trial.parameters.items() if value != USUAL[name]}
        # Coordinates that are named are all named: none is left to be chosen in the fit.
        named = together if other & together else set()
        assert trial.parameters.keys() == other | named
        for name, value in trial.parameters.items():
            assert LIMITS[name].accepts(value)


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("votes", [False, True], ids=["a silent projection", "one that votes"])
def test_ranks_are_those_of_a_slow_cross_validation(hard, draw_world, start, votes):
    world = draw_world(noise=0.5, n=300, annotated=8) if votes else hard
    weight = np.random.default_rng(0).uniform(0.5, 1.0, len(world.X))
    weight /= weight.max()
    trials = searched(world, weight)
    for trial in trials[start * 9 :: 43]:
        np.testing.assert_allclose(trial.ranks, slow_ranks(world, weight, trial.parameters))


def test_trials_do_differ_in_what_they_find(hard):
    assert len({trial.ranks.tobytes() for trial in searched(hard)}) > 50


def test_the_projection_of_a_fold_does_not_see_held_out_images(world):
    X, weight = mapped(world, "whitened"), np.ones(len(world.X))
    F, weights = propagated(world, weight, USUAL)
    fold = next(class_folds(Evidence(X, F, world.Z[:6], weights), X, world.y, 3, SEED))
    moved = X.copy()
    asked = np.isin(world.y, [np.flatnonzero((z == world.Z).all(axis=1))[0] for z in fold.held])
    moved[asked] += 5.0
    changed = next(class_folds(Evidence(moved, F, world.Z[:6], weights), moved, world.y, 3, SEED))
    assert np.abs(changed.X - fold.X).min() > 4
    projections = [learn_scaled(f.described("kernel")[0], 0.08, 0.0).W for f in (fold, changed)]
    np.testing.assert_array_equal(*projections)


def test_an_annotation_without_weight_is_not_asked(hard):
    row, weight = np.flatnonzero(hard.y == 0)[0], np.ones(len(hard.y))
    weight[row] = 0.0
    found = []
    for label in (0, 1):
        y = hard.y.copy()
        y[row] = label
        found.append(searched(hard, weight, y=y))
    assert len(found[0][0].ranks) == (hard.y >= 0).sum() - 1
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one.ranks, other.ranks)


def test_every_part_has_two_classes_to_tell_apart(hard):
    for one, other in zip(searched(hard), searched(hard, n_splits=50), strict=True):
        np.testing.assert_array_equal(one.ranks, other.ranks)
    assert len(searched(hard, y=np.where(hard.y < 4, hard.y, -1))) == 490
    assert searched(hard, y=np.where(hard.y < 3, hard.y, -1)) == []


def test_classes_without_attributes_cannot_be_held_out(world):
    known = read_annotations(world.y, len(world.X), None)
    assert list(search(world.X, known, np.ones(len(world.X)), 3, SEED)) == []


def test_few_images_have_few_neighbours(world):
    rows = np.flatnonzero(world.y >= 0)[::2]
    trials = searched(world, X=world.X[rows], y=world.y[rows])
    assert {trial.parameters.get("k_g") for trial in trials} == {None, 5, len(rows) - 1}


def test_a_map_that_leaves_nothing_is_not_tried(world):
    trials = searched(world, X=1e-14 * world.X)
    assert len(trials) == 392
    assert "raw" not in {trial.parameters.get("features") for trial in trials}
