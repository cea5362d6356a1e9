"""Every estimator there is, made afresh."""

from functools import partial

import pytest

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.baselines import FILLS
from tests.rivals import RIVALS

PAPER = {"preset": "paper", "k_g": 10, "m": 12, "tol": 1.0}
ESTIMATORS = {
    **RIVALS,
    "sap-robust": SparseAttributePropagation,
    "sap-cv": SparseAttributePropagationCV,
    "sap-paper": partial(SparseAttributePropagation, **PAPER),
}
#: And the rivals with every way of taking unannotated images in.
VARIANTS = ESTIMATORS | {
    f"{name}-{fill}": partial(RIVALS[name], unlabelled=fill) for name in RIVALS for fill in FILLS
}


@pytest.fixture(params=ESTIMATORS.values(), ids=ESTIMATORS)
def make(request):
    return request.param


@pytest.fixture(params=VARIANTS.values(), ids=VARIANTS)
def make_variant(request):
    return request.param


@pytest.fixture
def fit(world):
    """Fit an estimator to the small problem, with parts of it exchanged."""

    def fitted(make, **changes):
        given = {"X": world.X, "y": world.y, "class_attributes": world.Z, **changes}
        return make().fit(**given)

    return fitted
