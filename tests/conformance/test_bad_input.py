"""What cannot be used is refused by everyone in the same words, which name the argument."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from sapwood import InputError


def spoiled(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


def frame(w):
    return pd.DataFrame(w.X, index=[f"image{i}" for i in range(len(w.X))])


NAMES = list("abcdefgh")
FIT = {
    "NaN": (lambda w: {"X": spoiled(w.X, (3, 1), np.nan)}, r"^X contains 1 NaN.*row 3 column 1"),
    "1-D X": (lambda w: {"X": w.X[0]}, r"^X cannot be used"),
    "constant X": (lambda w: {"X": np.ones_like(w.X)}, r"^X is constant"),
    "short y": (lambda w: {"y": w.y[:-1]}, r"^y has \d+ entries but X has \d+ rows"),
    "no annotation": (lambda w: {"y": np.full(len(w.y), -1)}, r"^y annotates no image"),
    "one class": (lambda w: {"y": np.where(w.y == 2, 2, -1)}, r"^y annotates one class only"),
    "unknown label": (lambda w: {"y": spoiled(w.y, 0, 8)}, r"^y has 1 label outside.*0 to 7"),
    "unknown name": (
        lambda w: {
            "y": np.where(w.y == 0, "bb", np.array([*NAMES, ""])[w.y]),
            "class_attributes": pd.DataFrame(w.Z, index=NAMES),
        },
        r"^y holds 4 labels .*'bb'",
    ),
    "zero row": (
        lambda w: {"class_attributes": spoiled(w.Z, 5, 0)},
        r"^class_attributes has 1 all-zero row \(first: row 5\)",
    ),
    "infinite attribute": (
        lambda w: {"class_attributes": spoiled(w.Z, (1, 2), np.inf)},
        r"^class_attributes has 1 infinite",
    ),
    "negative weight": (
        lambda w: {"sample_weight": spoiled(np.ones(len(w.y)), 4, -1)},
        r"^sample_weight has 1 entry negative",
    ),
    "y in another order": (
        lambda w: {"X": frame(w), "y": pd.Series(w.y, frame(w).index).iloc[::-1]},
        r"^y has the index of X in another order .*row 0 is 'image0' in X.*y\.loc\[X\.index\]",
    ),
    "weights in another order": (
        lambda w: {"X": frame(w), "sample_weight": pd.Series(1.0, frame(w).index[::-1])},
        r"^sample_weight has the index of X in another order",
    ),
}


@pytest.mark.parametrize("case", FIT)
def test_fit(make, fit, world, case):
    changes, message = FIT[case]
    with pytest.raises(InputError, match=message):
        fit(make, **changes(world))


PREDICT = {
    "fewer features": (lambda w: {"X": w.X[:, 1:]}, r"^X cannot be used: X has 23 features"),
    "NaN": (lambda w: {"X": spoiled(w.X, (0, 0), np.nan)}, r"^X contains 1 NaN"),
    "unknown class": (lambda w: {"classes": [6, 99]}, r"^classes holds 1 label "),
    "fewer attributes": (
        lambda w: {"class_attributes": w.Z[:, :4]},
        r"^class_attributes has 4 attributes; the model was fitted with 9",
    ),
    "zero row": (
        lambda w: {"class_attributes": spoiled(w.Z, 1, 0)},
        r"^class_attributes has 1 all-zero row",
    ),
}


@pytest.mark.parametrize("method", ["predict", "decision_function", "predict_proba"])
def test_prediction(make, fit, world, method):
    model = fit(make)
    for changes, message in PREDICT.values():
        with pytest.raises(InputError, match=message):
            getattr(model, method)(**{"X": world.X, **changes(world)})


def test_every_parameter_is_checked_and_named(make, fit):
    for name in make().get_params():
        for value in (object(), "no such value", -1.5):
            with pytest.raises(InputError, match=rf"^{name} (is|has no meaning)"):
                fit(lambda name=name, value=value: make().set_params(**{name: value}))


def test_an_unfitted_model_says_so(make, world, tmp_path):
    for method in ("predict", "decision_function", "predict_proba"):
        with pytest.raises(NotFittedError):
            getattr(make(), method)(world.X)
    with pytest.raises(NotFittedError):
        make().save(tmp_path / "m.sap")


def test_a_failed_refit_leaves_an_unfitted_model(make, fit, world):
    model = fit(make)
    with pytest.raises(InputError):
        model.fit(world.X, world.y, class_attributes=0 * world.Z)
    with pytest.raises(NotFittedError):
        model.predict(world.X)
