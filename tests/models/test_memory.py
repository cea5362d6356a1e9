import tracemalloc

import numpy as np
import pytest

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.graph import nearest_neighbors
from sapwood.models import memory, search
from sapwood.models.parameters import resolve

SHAPES = {
    "wide": (1500, 600, 30, 20),
    "tall": (6000, 40, 30, 20),
    "many": (2500, 60, 200, 120),
    "classes": (3000, 10, 20, 300),
}


@pytest.mark.parametrize("preset", ["robust", "paper"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_estimate_is_near_the_peak(preset, shape, monkeypatch):
    monkeypatch.setitem(nearest_neighbors.__kwdefaults__, "block_bytes", 2**22)
    monkeypatch.setattr(memory, "BLOCK_BYTES", 2**22)
    n, d, k, classes = SHAPES[shape]
    rng = np.random.default_rng(0)
    X, Z, y = rng.random((n, d)), rng.random((classes, k)), np.full(n, -1)
    y[: 3 * classes] = np.arange(3 * classes) % classes
    options = {"preset": preset, "tol": 1.0, "attribute_map": "l2"} if preset == "paper" else {}
    model = SparseAttributePropagation(**options)
    needed = memory.estimate_bytes((n, d), k, classes, resolve(model.get_params(), n))
    tracemalloc.start()
    model.fit(X, y, class_attributes=Z)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.8 * peak <= needed <= 2.5 * peak


def test_so_it_is_where_errors_of_many_features_are_whitened(monkeypatch):
    monkeypatch.setitem(nearest_neighbors.__kwdefaults__, "block_bytes", 2**20)
    monkeypatch.setattr(memory, "BLOCK_BYTES", 2**20)
    n, d, k, classes = 600, 900, 10, 20
    rng = np.random.default_rng(0)
    Z, labels = rng.random((classes, k)), np.arange(n) % classes
    X = Z[labels] @ rng.random((k, d)) + 0.1 * rng.random((n, d))
    y = np.where(np.arange(n) < 5 * classes, labels, -1)
    model = SparseAttributePropagation()
    needed = memory.estimate_bytes((n, d), k, classes, resolve(model.get_params(), n))
    tracemalloc.start()
    model.fit(X, y, class_attributes=Z)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.error_whitening_ > 0
    assert 0.8 * peak <= needed <= 2.5 * peak


def test_the_estimate_of_a_search_is_near_its_peak(monkeypatch):
    monkeypatch.setitem(nearest_neighbors.__kwdefaults__, "block_bytes", 2**20)
    monkeypatch.setattr(memory, "BLOCK_BYTES", 2**20)
    monkeypatch.setattr(search, "COMPARISONS", search.COMPARISONS[:1])
    monkeypatch.setattr(search, "RIDGES", (1.0,))
    n, d, k, classes = 2500, 6, 10, 150
    rng = np.random.default_rng(0)
    Z, labels = rng.random((classes, k)), np.arange(n) % classes
    X = Z[labels] @ rng.random((k, d)) + 0.3 * rng.random((n, d))
    y = np.where(np.arange(n) < 2 * classes, labels, -1)
    settings = resolve(SparseAttributePropagation().get_params(), n)
    needed = memory.estimate_bytes((n, d), k, classes, settings, matrices=memory.SEARCH)
    tracemalloc.start()
    SparseAttributePropagationCV().fit(X, y, class_attributes=Z)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.8 * peak <= needed <= 2.5 * peak


def test_the_system_tells_what_is_available():
    available = memory.available_bytes()
    assert available is None or available > 2**20


def test_nothing_known_means_nothing_refused(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: None)
    memory.require_memory(2**60, None, (1, 1))
