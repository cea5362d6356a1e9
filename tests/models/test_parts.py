"""Which images take part, and what each counts in the statistics of features."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.models.parts import COPY, NEAR, in_statistics, near_images


def unbalanced(many, seed):
    """One class has very many annotated images, 19 others have five each."""
    rng = np.random.default_rng(seed)
    Z, mixing = rng.random((20, 12)), rng.standard_normal((12, 16))
    labels = np.repeat(np.arange(20), [many, *[5] * 19])
    asked = np.repeat(np.arange(20), 30)
    images = [
        Z[own] @ mixing + 0.3 * rng.standard_normal((len(own), 16)) for own in (labels, asked)
    ]
    return images[0], labels, Z, images[1], asked


@pytest.mark.parametrize("seed", range(2))
def test_a_class_of_very_many_images_is_known_as_well_as_others(seed):
    X, y, Z, X_asked, asked = unbalanced(1000, seed)
    model = SparseAttributePropagation().fit(X, y, class_attributes=Z)
    right = model.predict(X_asked, classes="seen") == asked
    assert right[asked == 0].mean() > 0.95
    assert right[asked > 0].mean() > 0.95


def test_classes_of_about_one_size_count_by_their_images():
    codes = np.repeat([0, 1, 2, -1], [4, 5, 16, 100])
    np.testing.assert_array_equal(in_statistics(codes), 1.0)
    assert in_statistics(np.repeat([0, 1, 2], [4, 5, 60]))[-1] == 20 / 60


def test_copies_of_annotated_images_take_no_place_of_near_ones():
    rng = np.random.default_rng(0)
    centres = 4 * rng.standard_normal((6, 5))
    known = np.repeat(centres, 2, axis=0) + 0.1 * rng.standard_normal((12, 5))
    others = np.repeat(centres, 20, axis=0) + 0.1 * rng.standard_normal((120, 5))
    X = np.vstack([known, known, others])
    codes = np.r_[np.repeat(np.arange(6), 2), np.full(132, -1)]
    part = near_images(X, X, codes, np.ones(len(X)))
    assert (part.reasons[12:24] == COPY).all()
    # Two for each annotated image, or a fifth of those that are no copies.
    assert (part.reasons[24:] == NEAR).sum() == 24
