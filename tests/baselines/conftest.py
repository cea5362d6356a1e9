"""Random evidence: soft memberships, uneven weights, more images than features or fewer."""

import numpy as np
import pytest

from sapwood.projection import Evidence


def draw(n=40, d=7, p=5, k=4, soft=True, seed=0):
    """One image has no weight and, where memberships are soft, belongs nowhere."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % p
    F = rng.dirichlet(np.ones(p), n) if soft else np.eye(p)[labels]
    weights = 0.1 + rng.random(n)
    weights[3] = 0.0
    if soft:
        F[3] = 0.0
    return Evidence(rng.standard_normal((n, d)), F, rng.random((p, k)), weights)


@pytest.fixture
def draw_evidence():
    return draw


@pytest.fixture(params=[4, 9], ids=["k < p", "k > p"])
def evidence(request):
    return draw(k=request.param)
