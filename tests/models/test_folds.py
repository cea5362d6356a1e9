from dataclasses import replace

import numpy as np
import pytest

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap
from sapwood.models.folds import ClassFold, class_folds
from sapwood.projection import Evidence

P, N = 7, 60


@pytest.fixture
def codes():
    """The first three images of each class are annotated."""
    labels = np.arange(N) % P
    return np.where(np.arange(N) < 3 * P, labels, -1)


@pytest.fixture
def evidence(codes):
    """Soft beliefs, one image that belongs nowhere and one without a say; annotations are held."""
    rng = np.random.default_rng(0)
    F = rng.dirichlet(0.3 * np.ones(P), N)
    F[codes >= 0] = np.eye(P)[codes[codes >= 0]]
    F[-1] = 0.0
    weights = 0.1 + rng.random(N)
    weights[-2] = 0.0
    return Evidence(np.arange(4.0 * N).reshape(N, 4), F, rng.random((P, 5)), weights)


def rows_of(part, whole):
    """The images of `part`, recognised by their first feature."""
    return np.searchsorted(whole.X[:, 0], part.X[:, 0])


def kept_classes(fold, evidence):
    return np.array([np.flatnonzero((z == evidence.Z).all(axis=1))[0] for z in fold.evidence.Z])


@pytest.fixture(params=[2, 3, 7])
def folds(request, evidence, codes):
    return list(class_folds(evidence, evidence.X, codes, request.param, seed=1))


def test_every_annotated_image_is_asked_once(folds, evidence, codes):
    asked = np.concatenate([rows_of(fold, evidence) for fold in folds])
    np.testing.assert_array_equal(np.sort(asked), np.flatnonzero(codes >= 0))


def test_kept_and_held_classes_are_all_classes(folds, evidence):
    for fold in folds:
        both = np.vstack([fold.evidence.Z, fold.held])
        assert len(both) == P
        assert len(np.unique(both, axis=0)) == P


def test_truth_is_the_row_of_the_images_class(folds, evidence, codes):
    for fold in folds:
        rows = rows_of(fold, evidence)
        np.testing.assert_array_equal(fold.held[fold.truth], evidence.Z[codes[rows]])


def test_images_of_held_out_classes_are_not_learned_from(folds, evidence, codes):
    left = 0
    for fold in folds:
        kept = kept_classes(fold, evidence)
        rows = rows_of(fold.evidence, evidence)
        assert not set(rows) & set(rows_of(fold, evidence))
        assert not set(codes[rows]) - set(kept) - {-1}
        believed = evidence.F[:, kept].sum(axis=1) >= 0.5
        np.testing.assert_array_equal(rows, np.flatnonzero(believed & (evidence.weights > 0)))
        left += (~believed & evidence.F.any(axis=1) & (codes < 0)).sum()
    assert left > 10


def test_memberships_are_renormalised_and_weights_scaled_by_the_mass(folds, evidence):
    for fold in folds:
        kept, rows = kept_classes(fold, evidence), rows_of(fold.evidence, evidence)
        mass = evidence.F[np.ix_(rows, kept)].sum(axis=1)
        assert (mass < 0.99).any()
        np.testing.assert_allclose(fold.evidence.F.sum(axis=1), 1)
        np.testing.assert_allclose(
            fold.evidence.F * mass[:, None], evidence.F[np.ix_(rows, kept)], atol=1e-15
        )
        np.testing.assert_allclose(fold.evidence.weights, evidence.weights[rows] * mass)


def test_attributes_of_images_go_with_them(evidence, codes):
    own = np.arange(5.0 * N).reshape(N, 5)
    given = Evidence(evidence.X, evidence.F, evidence.Z, evidence.weights, own)
    for fold in class_folds(given, given.X, codes, 3, seed=0):
        np.testing.assert_array_equal(
            fold.evidence.attributes, own[rows_of(fold.evidence, evidence)]
        )


def test_evidence_may_have_fewer_images_than_there_are(evidence, codes):
    known = codes >= 0
    alone = Evidence(evidence.X[known], evidence.F[known], evidence.Z, evidence.weights[known])
    for fold in class_folds(alone, evidence.X, codes, 3, seed=0):
        expected = np.flatnonzero(known & ~np.isin(np.arange(N), rows_of(fold, evidence)))
        np.testing.assert_array_equal(rows_of(fold.evidence, evidence), expected)


def test_another_seed_is_another_division(evidence, codes):
    held = [next(class_folds(evidence, evidence.X, codes, 3, seed)).held for seed in (0, 0, 1)]
    np.testing.assert_array_equal(held[0], held[1])
    assert not np.array_equal(held[0], held[2])


@pytest.mark.parametrize("name", ATTRIBUTE_MAPS)
def test_attribute_maps_are_fitted_to_the_kept_classes_alone(folds, name):
    fold = folds[0]
    described, held = fold.described(name)
    alone = AttributeMap(**ATTRIBUTE_MAPS[name]).fit(fold.evidence.Z)
    np.testing.assert_array_equal(described.Z, alone.transform(fold.evidence.Z))
    np.testing.assert_array_equal(held, alone.transform(fold.held))
    strange = replace(fold, held=3 + fold.held[::-1])
    np.testing.assert_array_equal(strange.described(name)[0].Z, described.Z)
    assert described.FtX is fold.evidence.FtX


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([[3.0, 2, 1], [3.0, 2, 1]], [1, 1 / 2]),
        ([[1.0, 2, 3], [3.0, 1, 2]], [1 / 3, 1 / 3]),
        ([[2.0, 2, 1], [1.0, 1, 1]], [1 / 2, 1 / 3]),
        ([[np.nan, 2, 1], [3.0, 4, np.nan]], [1 / 3, 1 / 2]),
    ],
    ids=["ahead", "behind", "ties at their worst", "no number is worst"],
)
def test_reciprocal_ranks(evidence, scores, expected):
    fold = ClassFold(evidence, np.zeros((2, 4)), np.array([0, 1]), np.zeros((3, 5)), np.arange(3))
    np.testing.assert_allclose(fold.reciprocal_ranks(np.array(scores)), expected)
