"""The rivals as tests take them: slow ones briefly, and RN where there is torch, in CI always."""

import importlib.util
import os
from functools import partial

import pytest

from sapwood.baselines import BASELINES, RN, ZSKL

#: Without torch, tests of RN are left out; in CI they then fail.
NO_TORCH = importlib.util.find_spec("torch") is None and not os.environ.get("CI")
needs_torch = pytest.mark.skipif(NO_TORCH, reason="torch is not installed; CI does not skip this")
#: Enough for the small problem of the tests.
BRIEF = {"episodes": 60, "rate": 0.4}

METHODS = {name: cls for name, cls in BASELINES.items() if not (NO_TORCH and cls is RN)}
RIVALS = {name: partial(cls, **BRIEF) if cls is RN else cls for name, cls in METHODS.items()}


def brief_grid(method):
    """Return the grid of a method, with few episodes or steps where it has any."""
    if method is RN:
        return [{**trial, "episodes": 15} for trial in method.grid]
    if method is ZSKL:
        return [{**trial, "steps": trial["steps"] // 4} for trial in method.grid]
    return method.grid
