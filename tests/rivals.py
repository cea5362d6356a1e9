"""The rivals as tests take them: slow ones briefly, and RN where there is torch, in CI always."""

import importlib.util
import os
from functools import partial

from sapwood.baselines import BASELINES, RN

#: Without torch, tests of RN are left out; in CI they then fail.
NO_TORCH = importlib.util.find_spec("torch") is None and not os.environ.get("CI")
#: Enough for the small problem of the tests.
BRIEF = {"episodes": 60}

METHODS = {name: cls for name, cls in BASELINES.items() if not (NO_TORCH and cls is RN)}
RIVALS = {name: partial(cls, **BRIEF) if cls is RN else cls for name, cls in METHODS.items()}


def brief_grid(method):
    """Return the grid of a method, with few episodes where it has any."""
    return [{**trial, "episodes": 15} if method is RN else trial for trial in method.grid]
