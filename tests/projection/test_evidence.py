import numpy as np
import pytest

from sapwood.projection import Evidence


@pytest.fixture
def parts():
    rng = np.random.default_rng(0)
    F = rng.dirichlet(np.ones(3), 8)
    F[2] = 0
    return rng.standard_normal((8, 4)), F, rng.random((3, 5)), np.r_[0.0, rng.random(7)]


@pytest.mark.parametrize("own", [False, True], ids=["mixtures", "attributes of their own"])
def test_gram_matrices_are_sums_over_images(parts, own):
    X, F, Z, weights = parts
    Y = np.random.default_rng(1).random((8, 5)) if own else F @ Z
    found = Evidence(X, F, Z, weights, Y if own else None)
    pairs = {"FtF": (F, F), "FtX": (F, X), "XtX": (X, X), "YtY": (Y, Y), "YtX": (Y, X)}
    for name, (left, right) in pairs.items():
        expected = sum(w * np.outer(a, b) for w, a, b in zip(weights, left, right, strict=True))
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(found.Y, Y)
    np.testing.assert_allclose(found.sum_x, sum(w * x for w, x in zip(weights, X, strict=True)))
