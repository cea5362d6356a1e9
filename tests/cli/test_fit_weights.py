"""fit names the attributes that count most and least."""

import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation

NAMES = [f"trait {j}" for j in range(24)]


@pytest.fixture
def many_classes(tmp_path):
    """Thirty classes; features show the first four traits alone."""
    rng = np.random.default_rng(0)
    Z, labels = rng.random((30, len(NAMES))), np.repeat(np.arange(30), 8)
    means = (Z[:, :4] - 0.5) @ rng.standard_normal((4, 15))
    X = means[labels] + 0.5 * rng.standard_normal((len(labels), 15))
    path = tmp_path / "many.npz"
    np.savez(path, features=X, labels=labels, attributes=Z, attribute_names=NAMES)
    return path


def test_attributes_that_count_are_named(run, many_classes, tmp_path):
    model = tmp_path / "m.sap"
    code, out, _ = run("fit", many_classes, "--out", model, "--json")
    assert code == 0
    told = json.loads(out)
    assert told["attribute_freedom"] == 5
    weights = SparseAttributePropagation.load(model).attribute_weights_
    order = [NAMES[j] for j in np.argsort(-weights)]
    assert told["counts_most"] == order[:5]
    assert told["counts_least"] == order[::-1][:5]
    assert len(set(told["counts_most"]) & set(NAMES[:4])) >= 3
    _, out, _ = run("fit", many_classes, "--out", model)
    assert f"counts most {', '.join(order[:2])}" in " ".join(out.split())


def test_none_are_named_where_all_count_alike(run, many_classes, tmp_path):
    options = ("--param", "attribute_freedom=0", "--json")
    _, out, _ = run("fit", many_classes, "--out", tmp_path / "m.sap", *options)
    told = json.loads(out)
    assert told["attribute_freedom"] == 0
    assert "counts_most" not in told
