import numpy as np
import pytest

from sapwood.models.likeness import likeness


def pool(extra, K=8, p=30, seed=0):
    """Annotated images of p classes, and unannotated ones of classes that `extra` names."""
    rng = np.random.default_rng(seed)
    means = 3 * rng.standard_normal((2 * p, 12))
    own = np.concatenate([np.repeat(np.arange(p), K), rng.choice(extra, 600)])
    X = means[own] + rng.standard_normal((len(own), 12))
    return X, np.where(np.arange(len(own)) < p * K, own, -1)


@pytest.mark.parametrize("seed", range(5))
def test_images_of_the_same_classes_are_alike(seed):
    found = likeness(*pool(np.arange(30), seed=seed), 0)
    assert found.alike
    assert abs(found.chance - 0.5) < 3 * found.error


@pytest.mark.parametrize("seed", range(5))
def test_images_half_of_which_show_other_classes_are_not(seed):
    found = likeness(*pool(np.arange(60), seed=seed), 0)
    assert not found.alike
    assert 0.6 < found.chance < 0.95


def test_copies_of_an_annotated_image_are_too_near():
    X, codes = pool(np.arange(30))
    X[codes < 0] = X[0]
    found = likeness(X, codes, 0)
    assert found.chance < 0.2
    assert not found.alike


def test_the_error_is_that_of_pools_alike():
    chances = [likeness(*pool(np.arange(30), seed=seed), 0) for seed in range(60)]
    spread = np.std([found.chance for found in chances])
    assert 0.6 < spread / chances[0].error < 1.5


def test_few_annotations_cannot_tell():
    found = likeness(*pool(np.arange(30), K=2), 0)
    assert abs(found.chance - 0.5) < 3 * found.error
    assert not found.alike


@pytest.mark.parametrize(("K", "kept"), [(1, 630), (8, 240)])
def test_without_a_second_annotation_or_an_unannotated_image_nobody_can_ask(K, kept):
    X, codes = pool(np.arange(30), K=K)
    assert likeness(X[:kept], codes[:kept], 0) is None


def test_classes_with_fewer_annotations_are_not_asked_for_others():
    """Or their distances to other classes would hide how far the unannotated images are."""
    X, codes = pool(np.arange(60), K=8)
    sparse = np.where((codes % 2 == 1) & (np.arange(len(codes)) % 8 > 0), -2, codes)
    kept = sparse > -2
    found = likeness(X[kept], codes[kept], 0)
    assert found.chance > 0.6
