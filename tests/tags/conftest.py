"""A small set of tagged pictures whose truth is known."""

from dataclasses import dataclass

import numpy as np
import pytest


@dataclass(frozen=True)
class Photos:
    """Features, what pictures show, and what somebody wrote."""

    X: np.ndarray
    truth: np.ndarray
    tags: np.ndarray


def make_photos(n=400, d=16, t=8, seed=0, recall=0.6, wrong=0.03, noise=0.3):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, t)) < 0.25
    X = truth @ rng.random((t, d)) + noise * rng.random((n, d))
    tags = (truth & (rng.random((n, t)) < recall)) | (rng.random((n, t)) < wrong)
    return Photos(X, truth, tags.astype(np.uint8))


@pytest.fixture
def draw_photos():
    return make_photos


@pytest.fixture
def photos():
    return make_photos()
