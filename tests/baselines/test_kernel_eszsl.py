import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

from sapwood.baselines import ESZSL, KernelESZSL
from sapwood.baselines.kernel_eszsl import spread_rows
from sapwood.baselines.scale import mean_squared_distance

RIDGES = {"ridge_features": 0.3, "ridge_attributes": 0.2}


def trial(evidence, landmarks=None, kernel="rbf", width=0.8, labels="binary"):
    count = len(evidence.X) if landmarks is None else landmarks
    return {**RIDGES, "labels": labels, "kernel": kernel, "width": width, "landmarks": count}


def gamma(evidence, width=0.8):
    return 1 / (2 * width**2 * mean_squared_distance(evidence.X, evidence.weights))


def right_hand(evidence, labels="binary"):
    """``√Ω L Z (ZᵀZ + g I)^-1``."""
    Z = evidence.Z
    L = evidence.F if labels == "binary" else 2 * evidence.F - 1
    shrunk = np.linalg.inv(Z.T @ Z + RIDGES["ridge_attributes"] * np.eye(Z.shape[1]))
    return np.sqrt(evidence.weights)[:, None] * (L @ Z @ shrunk)


@pytest.mark.parametrize("labels", ["signed", "binary"])
@pytest.mark.parametrize("landmarks", [1000, 30])
def test_the_linear_kernel_is_eszsl(world, labels, landmarks):
    given = {**RIDGES, "labels": labels, "features": "raw"}
    models = [KernelESZSL(kernel="linear", landmarks=landmarks, **given), ESZSL(**given)]
    for model in models:
        model.fit(world.X, world.labels, class_attributes=world.Z)
    scores = [model.decision_function(world.X_unseen) for model in models]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-8)
    answers = [model.predict(world.X_unseen) for model in models]
    np.testing.assert_array_equal(answers[0], answers[1])


@pytest.mark.parametrize("labels", ["signed", "binary"])
def test_with_every_image_a_landmark_it_is_exact(draw_evidence, labels):
    evidence = draw_evidence()
    root = np.sqrt(evidence.weights)
    K = rbf_kernel(evidence.X, gamma=gamma(evidence))
    weighted = root[:, None] * K * root + RIDGES["ridge_features"] * np.eye(len(K))
    dual = root[:, None] * np.linalg.solve(weighted, right_hand(evidence, labels))
    asked = trial(evidence, labels=labels)
    (found,) = KernelESZSL.solve(evidence, [asked])
    scores = KernelESZSL.compare(found, asked, evidence.X, evidence.Z)
    np.testing.assert_allclose(scores, K @ dual @ evidence.Z.T, atol=1e-9)


def test_with_fewer_landmarks_it_is_scikit_learns_nystroem(draw_evidence):
    evidence = draw_evidence()
    asked = trial(evidence, landmarks=12)
    (found,) = KernelESZSL.solve(evidence, [asked])
    assert found["landmarks"].shape == (12, 7)
    approximation = Nystroem(gamma=gamma(evidence), n_components=12, random_state=0)
    phi = approximation.fit(found["landmarks"]).transform(evidence.X)
    rows = phi * np.sqrt(evidence.weights)[:, None]
    shrunk = rows.T @ rows + RIDGES["ridge_features"] * np.eye(12)
    expected = phi @ np.linalg.solve(shrunk, rows.T @ right_hand(evidence)) @ evidence.Z.T
    scores = KernelESZSL.compare(found, asked, evidence.X, evidence.Z)
    np.testing.assert_allclose(scores, expected, atol=1e-8)


def test_trials_of_different_kernels_do_not_mix(draw_evidence):
    evidence = draw_evidence()
    changes = [{}, {"width": 3.0}, {"landmarks": 9}, {"kernel": "linear"}, {"labels": "signed"}, {}]
    trials = [trial(evidence, **change) for change in changes]
    for asked, found in zip(trials, KernelESZSL.solve(evidence, trials), strict=True):
        (alone,) = KernelESZSL.solve(evidence, [asked])
        np.testing.assert_allclose(found["coefficients"], alone["coefficients"], atol=1e-12)


def test_landmarks_are_of_every_class_and_have_a_say(draw_evidence):
    evidence = draw_evidence(n=50, soft=False)
    rows = spread_rows(evidence, 10)
    assert len(set(rows.tolist())) == 10
    assert 3 not in spread_rows(evidence, 49)
    np.testing.assert_array_equal(evidence.F[rows].sum(axis=0), [2, 2, 2, 2, 2])


def test_the_unit_of_features_does_not_matter(world):
    fits = [
        KernelESZSL(features="raw").fit(scale * world.X, world.y, class_attributes=world.Z)
        for scale in (1.0, 1000.0)
    ]
    scores = [fits[0].decision_function(world.X), fits[1].decision_function(1000 * world.X)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-8)
