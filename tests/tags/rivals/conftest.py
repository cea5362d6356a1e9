"""Photographs for the networks."""

import numpy as np
import pytest


@pytest.fixture
def shots():
    """Features, tags and concepts of 50 photographs; the concepts are of unequal frequency."""
    rng = np.random.default_rng(0)
    concepts = rng.random((50, 6)) < np.array([0.6, 0.5, 0.35, 0.3, 0.2, 0.1])
    X = concepts @ rng.standard_normal((6, 20)) + rng.standard_normal((50, 20))
    tags = np.hstack([concepts, concepts]) & (rng.random((50, 12)) < 0.6)
    tags |= rng.random((50, 12)) < 0.1
    return X, tags.astype(np.uint8), concepts
