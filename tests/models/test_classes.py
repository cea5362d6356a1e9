"""The classes of a model: their order, their names, and whose attributes they are."""

import numpy as np
import pytest
from sklearn.metrics import get_scorer

from sapwood import SparseAttributePropagation


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc_ovr"])
def test_scikit_learn_reads_the_columns_of_probabilities(world, scoring):
    names = np.array(["f", "b", "e", "a", "d", "c", "h", "g"])
    options = {"class_attributes": world.Z, "class_names": names}
    y = np.where(world.y >= 0, names[world.y], "")
    model = SparseAttributePropagation().fit(world.X, y, **options)
    by_number = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    assert model.classes_.tolist() == model.class_names_ == sorted(names)
    np.testing.assert_array_equal(model.classes_[model.seen_], sorted(names[:6]))
    np.testing.assert_array_equal(model.predict(world.X), names[by_number.predict(world.X)])
    place = names.argsort().argsort()
    proba = model.predict_proba(world.X)[:, place]
    np.testing.assert_allclose(proba, by_number.predict_proba(world.X))
    everywhere = np.vstack([world.X, world.X_unseen])
    labels = np.concatenate([world.labels, world.labels_unseen])
    scorer = get_scorer(scoring)
    assert scorer(model, everywhere, names[labels]) == pytest.approx(
        scorer(by_number, everywhere, labels)
    )


def test_later_changes_to_the_attributes_given_change_nothing(world):
    Z = world.Z.copy()
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=Z)
    expected = model.predict(world.X_unseen, classes="unseen")
    Z[6:] = Z[6:][::-1].copy()
    np.testing.assert_array_equal(model.predict(world.X_unseen, classes="unseen"), expected)


def test_sets_of_classes_come_in_the_order_of_the_model(world):
    """So does everything else that can only be gone through."""
    names = [f"class {c}" for c in "hgfedcba"]
    model = SparseAttributePropagation().fit(
        world.X, world.y, class_attributes=world.Z, class_names=names
    )
    expected = model.decision_function(world.X_unseen, classes=[1, 6, 7])
    wanted = {"class g": 0, "class b": 0, "class a": 0}
    sets = set(wanted), frozenset(wanted), wanted.keys()
    for classes in (*sets, wanted, (name for name in wanted)):
        np.testing.assert_array_equal(
            model.decision_function(world.X_unseen, classes=classes), expected
        )
