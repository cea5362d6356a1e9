"""Photographs for the networks, and a way to be without torch."""

import sys

import numpy as np
import pytest


class NoTorch:
    """Finds that there is none."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(name)


@pytest.fixture
def forget_torch(monkeypatch):
    def forget():
        monkeypatch.delitem(sys.modules, "torch", raising=False)
        monkeypatch.setattr(sys, "meta_path", [NoTorch, *sys.meta_path])

    return forget


@pytest.fixture
def shots():
    """Features, tags and concepts of 50 photographs; the concepts are of unequal frequency."""
    rng = np.random.default_rng(0)
    concepts = rng.random((50, 6)) < np.array([0.6, 0.5, 0.35, 0.3, 0.2, 0.1])
    X = concepts @ rng.standard_normal((6, 20)) + rng.standard_normal((50, 20))
    tags = np.hstack([concepts, concepts]) & (rng.random((50, 12)) < 0.6)
    tags |= rng.random((50, 12)) < 0.1
    return X, tags.astype(np.uint8), concepts
