"""Small problems, and a plugin whose methods cost nothing."""

import numpy as np
import pytest

from sapwood.benchmark import Problem, datasets, methods, plugins

PLUGIN = """
import numpy as np
from sapwood.benchmark import register_data, register_method
from sapwood.data import Split, ZeroShotData

def tiny():
    rng = np.random.default_rng(0)
    Z, labels = rng.random((7, 5)), np.repeat(np.arange(7), 6)
    X = Z[labels] @ rng.random((5, 8)) + 0.2 * rng.random((42, 8))
    split = Split(name="paper", unseen=np.array([5, 6]))
    return ZeroShotData(features=X, labels=labels, attributes=Z, splits={"paper": split})

class First:
    def fit(self, X, y, *, class_attributes):
        self.seen_ = np.unique(y[y >= 0])
        return self

    def predict(self, X, *, classes):
        return np.full(len(X), classes[0])

register_data("tiny", tiny, web=lambda: tiny().features[:9])
register_method("first-class", First)
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A file that registers the data set tiny and the method first-class."""
    path = tmp_path / "tiny_plugin.py"
    path.write_text(PLUGIN, encoding="utf-8")
    for module, name in (
        (datasets, "_data"),
        (datasets, "_web"),
        (methods, "_own"),
        (plugins, "_ran"),
    ):
        monkeypatch.setattr(module, name, {})
    yield path
    datasets.get_data.cache_clear()
    datasets.get_web.cache_clear()


@pytest.fixture
def problem(world):
    """Unseen classes are tested on."""
    unseen = np.array([6, 7])
    return Problem(world.X, world.y, world.Z, world.X_unseen, world.labels_unseen, unseen)


@pytest.fixture
def mixed_problem(draw_world):
    """Images of seen classes are tested on as well."""
    world = draw_world(n=320, annotated=5)
    held = np.arange(len(world.X)) % 4 == 0
    return Problem(
        world.X[~held],
        world.y[~held],
        world.Z,
        np.vstack([world.X[held], world.X_unseen]),
        np.concatenate([world.labels[held], world.labels_unseen]),
        np.array([6, 7]),
    )
