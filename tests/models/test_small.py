"""As few images as one may have: a fit answers, and every number it finds is a number."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation


def small(classes, annotated, unlabelled, seed):
    rng = np.random.default_rng(seed)
    Z = rng.random((classes + 2, 5))
    labels = np.concatenate([np.repeat(np.arange(classes), annotated),
                             rng.integers(0, classes, unlabelled)])  # fmt: skip
    X = Z[labels] @ rng.random((5, 7)) + 0.3 * rng.standard_normal((len(labels), 7))
    y = np.where(np.arange(len(labels)) < classes * annotated, labels, -1)
    return X, y, Z


@pytest.mark.parametrize("classes", range(2, 13))
@pytest.mark.parametrize(("annotated", "unlabelled"), [(1, 0), (1, 10), (2, 0)])
def test_few_annotations_of_few_classes(classes, annotated, unlabelled):
    for seed in range(3):
        X, y, Z = small(classes, annotated, unlabelled, seed)
        model = SparseAttributePropagation().fit(X, y, class_attributes=Z)
        found = [model.seen_bias_, model.temperature_, model.unseen_temperature_]
        assert np.isfinite(found).all()
        assert np.isfinite(model.decision_function(X)).all()
        assert SparseAttributePropagation().fit(X, y).predict(X).shape == (len(X),)
