import numpy as np
import pytest

from sapwood import InputError
from sapwood.baselines import ESZSL


def literal(evidence, trial):
    X, F, Z, omega = evidence.X, evidence.F, evidence.Z, np.diag(evidence.weights)
    L = F if trial["labels"] == "binary" else 2 * F - 1
    features = X.T @ omega @ X + trial["ridge_features"] * np.eye(X.shape[1])
    attributes = Z.T @ Z + trial["ridge_attributes"] * np.eye(Z.shape[1])
    return (np.linalg.inv(features) @ X.T @ omega @ L @ Z @ np.linalg.inv(attributes)).T


@pytest.mark.parametrize("labels", ["signed", "binary"])
@pytest.mark.parametrize("d", [7, 60], ids=["primal", "dual"])
def test_it_is_its_formula(draw_evidence, labels, d):
    evidence = draw_evidence(d=d)
    trial = {"ridge_features": 0.3, "ridge_attributes": 0.2, "labels": labels}
    (found,) = ESZSL.solve(evidence, [trial])
    np.testing.assert_allclose(found["projection"], literal(evidence, trial), atol=1e-9)


def test_scores_are_bilinear(draw_evidence):
    evidence = draw_evidence(soft=False)
    trial = {"ridge_features": 1.0, "ridge_attributes": 1.0, "labels": "signed"}
    (found,) = ESZSL.solve(evidence, [trial])
    scores = ESZSL.compare(found, trial, evidence.X, evidence.Z)
    W = literal(evidence, trial)
    assert scores[4, 2] == pytest.approx(evidence.X[4] @ W.T @ evidence.Z[2])


def test_a_ridge_too_small_for_the_features(world):
    X = 1e9 * np.hstack([world.X, world.X])
    with pytest.raises(InputError, match=r"ESZSL finds no answer .*1e-12.*raise its ridge"):
        ESZSL(ridge_features=1e-12, features="raw").fit(X, world.labels, class_attributes=world.Z)
