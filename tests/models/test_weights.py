"""What a sample_weight means: only ratios, an annotated image counts as one, and none is none."""

import numpy as np
import pytest

from sapwood import InputError, SparseAttributePropagation
from sapwood.models.checks import check_weights

PAPER = {"preset": "paper", "k_g": 10, "m": 12, "attribute_map": "l2", "tol": 1.0}


def fitted(world, y, weight, **options):
    model = SparseAttributePropagation(**options)
    return model.fit(world.X, y, class_attributes=world.Z, sample_weight=weight)


def require_same_model(one, other):
    for name, value in vars(one).items():
        if name.endswith("_") and not name.endswith("map_"):
            np.testing.assert_array_equal(getattr(other, name), value, err_msg=name)


@pytest.mark.parametrize("rows", ["one image", "a whole class"])
def test_an_annotation_of_no_weight_is_none(world, rows):
    y, weight = world.y.copy(), np.ones(len(world.y))
    silenced = np.flatnonzero(y == 0)[: 1 if rows == "one image" else None]
    weight[silenced] = 0
    y[silenced] = -1
    require_same_model(fitted(world, world.y, weight), fitted(world, y, weight))


def test_a_wrong_annotation_of_no_weight_does_no_harm(world):
    wrong, weight = world.y.copy(), np.ones(len(world.y))
    row = np.flatnonzero(wrong == 0)[0]
    wrong[row], weight[row] = 1, 0
    require_same_model(fitted(world, wrong, weight), fitted(world, world.y, weight))


@pytest.mark.parametrize("options", [{}, PAPER])
@pytest.mark.parametrize("weight", [3.0, 1e-200, 1e200])
def test_the_unit_of_weights_does_not_matter(world, options, weight):
    plain = fitted(world, world.y, None, **options)
    other = fitted(world, world.y, np.full(len(world.y), weight), **options)
    np.testing.assert_allclose(other.projection_, plain.projection_, atol=1e-9)


def test_a_heavy_image_leaves_annotations_their_say(world):
    weight = np.ones(len(world.y))
    weight[np.flatnonzero(world.y < 0)[0]] = 1000
    np.testing.assert_allclose(check_weights(weight, world.y), weight)
    np.testing.assert_allclose(check_weights(7 * weight, world.y), weight)


def test_weights_that_leave_one_class(world):
    with pytest.raises(InputError, match="leaves 1 class annotated with"):
        fitted(world, world.y, (world.y == 0).astype(float))


def test_weights_that_leave_one_class_after_rounding_are_refused(world):
    weight = np.where(world.y == 0, 1e300, 1e-300)
    with pytest.raises(InputError, match="leaves 1 class annotated with"):
        fitted(world, world.y, weight)
