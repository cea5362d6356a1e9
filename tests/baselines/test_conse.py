import numpy as np
import pytest

from sapwood.baselines import ConSE
from sapwood.projection import Evidence

# Two classes with means 0 and 2; the mean squared distance of the four images is 2.5.
X = np.array([[-0.5], [0.5], [1.5], [2.5]])
Z = np.array([[1.0, 0.0], [0.0, 1.0]])
EVIDENCE = Evidence(X, np.eye(2)[[0, 0, 1, 1]], Z, np.ones(4))


def score(x, candidates, **trial):
    (found,) = ConSE.solve(EVIDENCE, [trial])
    return ConSE.compare(found, trial, np.array([[x]]), np.array(candidates))[0]


def test_expected_attributes_by_hand():
    # Squared distances 0.25 and 2.25, over 2.5 and times 5: the odds are e^4 to 1.
    share = 1 / (1 + np.exp(-4.0))
    expected = np.array([share, 1 - share]) / np.hypot(share, 1 - share)
    scores = score(0.5, [[2.0, 0.0], [0.0, 3.0]], sharpness=5.0, top=2)
    np.testing.assert_allclose(scores, expected)


def test_the_nearest_class_alone():
    np.testing.assert_allclose(score(0.9, [[1.0, 0.0], [0.0, 1.0]], sharpness=1.0, top=1), [1, 0])
    np.testing.assert_allclose(score(1.1, [[1.0, 0.0], [0.0, 1.0]], sharpness=1.0, top=1), [0, 1])


def test_between_two_classes_lies_a_third():
    scores = score(1.0, [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], sharpness=3.0, top=50)
    assert scores.argmax() == 1
    assert scores[1] == pytest.approx(1.0)


def test_a_class_without_weight_has_no_mean(world):
    weight = np.where(world.y == 2, 0.0, 1.0)
    model = ConSE().fit(world.X, world.y, class_attributes=world.Z, sample_weight=weight)
    assert model.means_.shape == (5, world.X.shape[1])
    without = ConSE(features="raw").fit(
        world.X, np.where(world.y == 2, -1, world.y), class_attributes=world.Z
    )
    model = ConSE(features="raw").fit(
        world.X, world.y, class_attributes=world.Z, sample_weight=weight
    )
    np.testing.assert_allclose(
        model.decision_function(world.X), without.decision_function(world.X), atol=1e-12
    )


def test_the_unit_of_features_does_not_matter(world):
    small = ConSE(features="raw").fit(world.X, world.y, class_attributes=world.Z)
    large = ConSE(features="raw").fit(1e6 * world.X, world.y, class_attributes=world.Z)
    np.testing.assert_allclose(
        small.decision_function(world.X), large.decision_function(1e6 * world.X), atol=1e-9
    )
