"""The suite goes through all estimators, or fails."""

import importlib
import inspect
import pkgutil

import sapwood.baselines
from sapwood.baselines import BASELINES, Baseline
from sapwood.models.base import ZeroShotClassifier
from tests.conformance.conftest import ESTIMATORS, VARIANTS


def test_there_are_estimators_to_check():
    assert len(ESTIMATORS) >= 8
    assert len(VARIANTS) >= 30
    assert all(isinstance(make(), ZeroShotClassifier) for make in VARIANTS.values())


def test_every_rival_is_registered():
    found = set()
    for module in pkgutil.iter_modules(sapwood.baselines.__path__, "sapwood.baselines."):
        classes = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        found |= {c for _, c in classes if issubclass(c, Baseline) and c.limits}
    assert set(BASELINES.values()) == found
    assert {c.__name__ for c in found} <= set(sapwood.baselines.__all__)
