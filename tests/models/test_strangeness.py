import numpy as np
import pytest

from sapwood.models.strangeness import MOST, strangeness
from sapwood.models.verdict import ALIKE


def pool(extra, K=20, p=30, n=600, seed=0):
    """Annotated images of p classes, and unannotated ones of classes that `extra` names."""
    rng = np.random.default_rng(seed)
    means = 3 * rng.standard_normal((2 * p, 12))
    own = np.concatenate([np.repeat(np.arange(p), K), rng.choice(extra, n)])
    X = means[own] + rng.standard_normal((len(own), 12))
    return X, np.where(np.arange(len(own)) < p * K, own, -1)


def found(X, codes):
    return strangeness(X, codes, np.ones(len(X), dtype=bool), 0)


@pytest.mark.parametrize("seed", range(5))
def test_images_of_the_same_classes_are_alike(seed):
    assert found(*pool(np.arange(30), seed=seed)) < ALIKE


@pytest.mark.parametrize("seed", range(5))
def test_images_half_of_which_show_other_classes_are_strange(seed):
    assert found(*pool(np.arange(60), seed=seed)) > 2 * ALIKE


def test_copies_of_an_annotated_image_are_strange():
    X, codes = pool(np.arange(30))
    X[codes < 0] = X[0]
    assert found(X, codes) > 0.5


def test_what_is_too_near_does_not_make_up_for_what_is_too_far():
    X, codes = pool(np.arange(30, 60))
    near = np.flatnonzero(codes < 0)[::2]
    X[near] = X[: len(near)] + 0.01
    assert found(X, codes) > 2 * ALIKE


def test_few_images_cannot_be_known_to_be_alike():
    differences = [found(*pool(np.arange(30), K=2, n=40, seed=seed)) for seed in range(5)]
    assert np.median(differences) > ALIKE


@pytest.mark.parametrize(("K", "kept"), [(1, 630), (20, 600)])
def test_without_a_second_annotation_or_an_unannotated_image_nobody_can_ask(K, kept):
    X, codes = pool(np.arange(30), K=K)
    assert found(X[:kept], codes[:kept]) is None


def test_images_without_a_weight_are_not_asked():
    X, codes = pool(np.arange(30))
    counts = (codes >= 0) | (np.arange(len(codes)) % 2 == 0)
    before = strangeness(X, codes, counts, 0)
    X[~counts] += 100.0
    assert strangeness(X, codes, counts, 0) == before < ALIKE
    assert found(X, codes) > 0.4


def test_a_class_with_many_annotations_does_not_speak_for_all():
    """A wide one has distances like those of images that show none of the classes."""
    rng = np.random.default_rng(0)
    means = 3 * rng.standard_normal((81, 12))
    own = np.concatenate([np.repeat(np.arange(50), 4), np.full(120, 50), 51 + np.arange(600) % 30])
    spread = np.where(own == 50, 3.0, 1.0)
    X = means[own] + spread[:, None] * rng.standard_normal((len(own), 12))
    assert found(X, np.where(own > 50, -1, own)) > 2 * ALIKE


def test_many_classes_are_compared_with_all_their_annotations():
    X, codes = pool(np.arange(700), K=5, p=700, n=MOST)
    assert np.sum(codes >= 0) > MOST
    assert found(X, codes) < ALIKE
