import numpy as np
import pytest
import scipy.linalg

from sapwood.baselines import SAE
from sapwood.baselines.sae import Product
from sapwood.projection import learn_projection
from sapwood.solvers import symmetric_eigen


def solved(evidence, **changes):
    trial = {"forward": 1.0, "unit_rows": False, "metric": "cosine", **changes}
    (found,) = SAE.solve(evidence, [trial])
    return found["projection"]


@pytest.mark.parametrize("forward", [1e-3, 1.0, 50.0])
def test_it_is_scipys_sylvester_equation(evidence, forward):
    expected = scipy.linalg.solve_sylvester(
        evidence.YtY, forward * evidence.XtX, (1 + forward) * evidence.YtX
    )
    np.testing.assert_allclose(solved(evidence, forward=forward), expected, atol=1e-10)


def test_at_forward_one_it_is_the_papers_projection_without_its_ridge(evidence):
    expected = learn_projection(evidence.YtY, evidence.YtX, symmetric_eigen(evidence.XtX), 0.0)
    np.testing.assert_allclose(solved(evidence), expected, atol=1e-10)


def test_fewer_images_than_features(draw_evidence):
    evidence = draw_evidence(n=12, d=30)
    expected = learn_projection(evidence.YtY, evidence.YtX, symmetric_eigen(evidence.XtX), 0.0)
    np.testing.assert_allclose(solved(evidence), expected, atol=1e-9)


def test_unit_rows(evidence):
    W = np.asarray(solved(evidence))
    lengths = np.linalg.norm(W, axis=1, keepdims=True)
    np.testing.assert_allclose(solved(evidence, unit_rows=True), W / lengths, atol=1e-12)


def test_a_product_is_its_matrix():
    rng = np.random.default_rng(0)
    factors = rng.random((3, 3)), rng.random((3, 5)), rng.random((5, 5))
    matrix = factors[0] @ factors[1] @ factors[2]
    np.testing.assert_allclose(Product(*factors), matrix)
    classes = rng.random((2, 3))
    np.testing.assert_allclose(classes @ Product(*factors), classes @ matrix)
