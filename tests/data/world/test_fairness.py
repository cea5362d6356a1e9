"""The default world is a fair problem: neither hopeless nor a gift, and annotations matter.

Run as a script to print the numbers for seeds, or for seeds and casts of creatures:
``python tests/data/world/test_fairness.py 0 1 0:3``.
"""

import hashlib
import sys

import numpy as np
import pytest

from sapwood.data import annotate
from sapwood.data.world import make_attribute_world
from sapwood.models import SparseAttributePropagation

DRAWS = 4


def unseen_accuracy(world, X, y, **options):
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=world.attributes)
    test = np.isin(world.labels, world.unseen)
    return (model.predict(world.features[test], classes="unseen") == world.labels[test]).mean()


def fairness(world):
    """Return the accuracies at K = 1, means over draws of the annotated pictures."""
    train = np.isin(world.labels, world.seen)
    X, labels = world.features[train], world.labels[train]
    found = {"alone": [], "robust": [], "web": [], "judged": [], "both": []}
    for draw in range(DRAWS):
        chosen = annotate(labels, world.seen, 1, draw)
        y = np.full(len(labels), -1)
        y[chosen] = labels[chosen]
        few, unknown = X[chosen], np.full(len(world.web_features), -1)
        mixed, mixed_y = np.vstack([few, world.web_features]), np.append(labels[chosen], unknown)
        every, every_y = np.vstack([X, world.web_features]), np.append(y, unknown)
        found["alone"].append(unseen_accuracy(world, few, labels[chosen], steps="bpl"))
        found["robust"].append(unseen_accuracy(world, X, y))
        found["web"].append(unseen_accuracy(world, mixed, mixed_y, unlabelled="all"))
        found["judged"].append(unseen_accuracy(world, mixed, mixed_y))
        found["both"].append(unseen_accuracy(world, every, every_y, unlabelled="all"))
    means = {name: float(np.mean(values)) for name, values in found.items()}
    # How hard the world is does not depend on what the default learns to choose.
    fixed = {"attribute_map": "kernel", "attribute_freedom": 0}
    return {"all": float(unseen_accuracy(world, X, labels, **fixed)), **means}


@pytest.fixture(scope="module")
def world():
    return make_attribute_world()


@pytest.fixture(scope="module")
def found(world):
    return fairness(world)


def test_the_default_world_is_as_large_as_promised(world):
    assert len(world.seen) == 30
    assert len(world.unseen) == 10
    assert len(world.attribute_names) == 37
    assert (np.bincount(world.labels) == 60).all()
    assert len(world.web_pictures) == 600
    described = world.attributes > 0
    assert (described[world.seen].sum(axis=0) >= 3).all()
    assert len(np.unique(described, axis=0)) == 40


def test_the_default_world_is_the_same_on_every_machine(world):
    pictures = hashlib.sha256(world.pictures.tobytes()).hexdigest()
    features = hashlib.sha256(world.features.astype("<f4").tobytes()).hexdigest()
    assert pictures.startswith("d5ea947077ef812c")
    assert features.startswith("ccc53998f1b92476")


def test_with_all_labels_it_is_neither_hopeless_nor_a_gift(found):
    assert 0.75 < found["all"] < 0.95


def test_one_label_a_class_leaves_a_visible_gap(found):
    assert found["all"] - found["alone"] > 0.10


def test_the_default_closes_at_least_half_of_it(found):
    assert found["robust"] - found["alone"] > 0.5 * (found["all"] - found["alone"])


def test_web_pictures_do_harm_unless_judged(found):
    assert found["web"] < found["alone"] - 0.02
    assert found["both"] < found["robust"] - 0.005
    assert found["judged"] >= found["alone"] - 0.003


if __name__ == "__main__":
    for argument in sys.argv[1:] or ["0"]:
        seed, _, cast = argument.partition(":")
        options = {"creatures": int(cast)} if cast else {}
        numbers = fairness(make_attribute_world(int(seed), **options))
        closed = (numbers["robust"] - numbers["alone"]) / (numbers["all"] - numbers["alone"])
        print(argument, {name: round(100 * v, 1) for name, v in numbers.items()}, f"{closed:.0%}")
