import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from sapwood import InputError, SparseAttributePropagation
from sapwood.baselines import RPL
from sapwood.baselines.search import tune
from sapwood.models.space_weights import weigh_spaces
from sapwood.models.suggest import suggest_images


def spoiled(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


def labels(world, value, count=1):
    y = world.y.copy()
    y[:count] = value
    return y


NAMES = [f"class {c}" for c in range(8)]


def named(world, wrong=None):
    y = np.array([NAMES[c] if c >= 0 else "" for c in world.y], dtype=object)
    if wrong is not None:
        y[:2] = wrong
    return y


FIT = {
    "NaN in X": (lambda w: {"X": spoiled(w.X, (3, 1), np.nan)}, r"X contains 1 NaN, 0 inf.*row 3 column 1"),
    "inf in X": (lambda w: {"X": spoiled(w.X, (0, 0), np.inf)}, r"X contains 0 NaN, 1 inf"),
    "huge X": (lambda w: {"X": spoiled(w.X, (0, 0), 1e200)}, r"1 values beyond 1e\+100"),
    "empty X": (lambda w: {"X": np.empty((0, 4)), "y": []}, r"X cannot be used: Found array with 0 sample"),
    "no features": (lambda w: {"X": np.empty((len(w.y), 0))}, r"X cannot be used: .*0 feature"),
    "1-D X": (lambda w: {"X": w.X[:, 0]}, r"X cannot be used: Expected 2D array"),
    "3-D X": (lambda w: {"X": w.X[None]}, r"X cannot be used: .*dim 3"),
    "sparse X": (lambda w: {"X": scipy.sparse.csr_array(w.X)}, r"X is sparse.*X\.toarray\(\)"),
    "object X": (lambda w: {"X": np.array([[{}, 1]] * len(w.y))}, r"X holds entries that are not numbers"),
    "words in X": (lambda w: {"X": np.full(w.X.shape, "cat")}, r"X cannot be used: .*cat"),
    "complex X": (lambda w: {"X": w.X + 1j}, r"X cannot be used: Complex data"),
    "constant X": (lambda w: {"X": np.ones_like(w.X)}, r"X is constant: all \d+ rows are equal"),
    "rows of different length only": (lambda w: {"X": np.outer(np.arange(1, len(w.y) + 1), w.X[0])}, r"nothing that tells its rows apart"),
    "one row": (lambda w: {"X": w.X[:1], "y": w.y[:1]}, r"n_samples = 1"),
    "too few labels": (lambda w: {"y": w.y[:-1]}, r"y has \d+ entries but X has \d+ rows"),
    "no y": (lambda w: {"y": None}, r"y is None"),
    "3-D y": (lambda w: {"y": w.y[:, None, None]}, r"y has 3 dimensions"),
    "label beyond Z": (lambda w: {"y": labels(w, 8, 2)}, r"y has 2 labels outside.*first: 8 at position 0.*0 to 7"),
    "label below -1": (lambda w: {"y": labels(w, -2)}, r"y has 1 label outside.*-2"),
    "half a label": (lambda w: {"y": spoiled(w.y, 0, 1.5)}, r"y holds 1\.5, which is no class index"),
    "infinite label": (lambda w: {"y": spoiled(w.y, 0, np.inf)}, r"y contains infinity"),
    "complex labels": (lambda w: {"y": w.y + 0j}, r"y holds complex numbers"),
    "nothing annotated": (lambda w: {"y": np.full(len(w.y), -1)}, r"y annotates no image"),
    "one class": (lambda w: {"y": np.where(w.y == 2, 2, -1)}, r"y annotates one class only \(2\)"),
    "one named class": (
        lambda w: {"y": np.where(w.y == 2, 2, -1), "class_names": [f"c{i}" for i in range(len(w.Z))]},
        r"y annotates one class only \(c2\)",
    ),
    "names without names": (lambda w: {"y": named(w)}, r"pass class_names="),
    "misspelt name": (
        lambda w: {"y": named(w, "clas 3"), "class_names": NAMES},
        r"y holds 2 labels \(1 name\).*'clas 3'; did you mean 'class 3'",
    ),
    "too few names": (lambda w: {"class_names": NAMES[:5]}, r"class_names has 5 names for 8 rows"),
    "repeated name": (lambda w: {"class_names": ["a"] * 8}, r"class_names repeats 'a'"),
    "1-D attributes": (lambda w: {"class_attributes": w.Z[0]}, r"class_attributes has shape \(9,\)"),
    "no attributes": (lambda w: {"class_attributes": w.Z[:, :0]}, r"class_attributes has shape \(8, 0\)"),
    "words as attributes": (
        lambda w: {"class_attributes": np.full(w.Z.shape, "red")},
        r"class_attributes has entries that are not numbers.*red",
    ),
    "infinite attribute": (
        lambda w: {"class_attributes": spoiled(w.Z, (1, 2), -np.inf)},
        r"class_attributes has 1 infinite.*\(1, 2\)",
    ),
    "unknown attribute": (
        lambda w: {"class_attributes": spoiled(w.Z, (slice(None), 4), np.nan)},
        r"1 column without any value \(first: column 4\)",
    ),
    "zero attributes": (
        lambda w: {"class_attributes": spoiled(w.Z, 5, 0), "class_names": NAMES},
        r"1 all-zero row \(first: class 5\)",
    ),
    "attribute vectors and classes": (
        lambda w: {"y": w.Z[w.y]},
        r"leave class_attributes out of fit",
    ),
    "half an attribute vector": (
        lambda w: {"y": spoiled(w.Z[w.y], (3, 0), np.nan), "class_attributes": None},
        r"1 row with some values missing \(first: row 3\)",
    ),
    "words as attribute vectors": (
        lambda w: {"y": np.full((len(w.y), 2), "a"), "class_attributes": None},
        r"y is a matrix with entries that are not numbers",
    ),
    "short weights": (lambda w: {"sample_weight": [1.0]}, r"sample_weight has shape \(1,\)"),
    "negative weight": (
        lambda w: {"sample_weight": spoiled(np.ones(len(w.y)), 4, -1)},
        r"1 entry negative or non-finite \(first: -1\.0 at position 4\)",
    ),
    "weights in words": (lambda w: {"sample_weight": ["a"] * len(w.y)}, r"sample_weight has entries that are not numbers"),
    "attributes too small to tell from zero": (lambda w: {"class_attributes": 1e-200 * w.Z}, r"8 all-zero rows"),
    "integer index": (lambda w: {"class_attributes": pd.DataFrame(w.Z, index=range(5, 13))}, r"not 0, 1, 2"),
    "names without attributes": (lambda w: {"class_attributes": None, "class_names": NAMES}, r"class_names names the rows"),
    "zero attribute vectors": (lambda w: {"y": 0 * w.Z[w.y], "class_attributes": None}, r"y has 1 all-zero row"),
    "no weight": (lambda w: {"sample_weight": np.zeros(len(w.y))}, r"leaves 0 classes annotated"),
}  # fmt: skip

OPTIONS = {
    "preset": ({"preset": "papr"}, r"preset is 'papr'.*did you mean 'paper'"),
    "k_g too large": ({"k_g": 500}, r"k_g is 500 but there are only \d+ training images"),
    "m too large": ({"preset": "paper", "k_g": 5, "m": 500}, r"m is 500 but there are only"),
    "k_g zero": ({"k_g": 0}, r"k_g is 0; expected a whole number of at least 1"),
    "k_g fractional": ({"k_g": 2.5}, r"k_g is 2\.5; expected a whole number"),
    "negative lambda1": ({"lambda1": -1}, r"lambda1 is -1; expected a finite number of at least 0"),
    "negative lambda2": ({"preset": "paper", "lambda2": -1e-4}, r"lambda2 is -0\.0001"),
    "negative lambda3": ({"preset": "paper", "lambda3": -1}, r"lambda3 is -1"),
    "zero lambda4": ({"lambda4": 0}, r"lambda4 is 0; expected a finite number above 0"),
    "infinite lambda1": ({"lambda1": np.inf}, r"lambda1 is inf"),
    "NaN beta": ({"beta": np.nan}, r"beta is nan"),
    "true as a number": ({"lambda1": True}, r"lambda1 is True"),
    "sigma": ({"sigma": "medium"}, r"sigma is 'medium'; expected.*'mean' or 'local'"),
    "metric": ({"metric": "cosin"}, r"metric is 'cosin'.*did you mean 'cosine'"),
    "features": ({"features": "whitend"}, r"did you mean 'whitened'"),
    "steps": ({"steps": "sap"}, r"steps is 'sap'; expected one of 'bpl'"),
    "lambda2 of the robust preset": ({"lambda2": 1.0}, r"lambda2 has no meaning under preset='robust'"),
    "sharpness of the paper preset": (
        {"preset": "paper", "sharpness": 2.0},
        r"sharpness has no meaning under preset='paper'",
    ),
    "memory in words": ({"memory_limit": "much"}, r"memory_limit is 'much'"),
    "negative memory": ({"memory_limit": -1}, r"memory_limit is -1"),
    "seed": ({"random_state": "abc"}, r"random_state is 'abc'"),
    "a list of presets": ({"preset": ["paper"]}, r"preset is \['paper'\]"),
    "an astronomical k_g": ({"k_g": 10**400}, r"k_g is 1000"),
    "memory": ({"memory_limit": 1e-6}, r"needs about .* GB and 1e-06 GB memory_limit allows; use fewer"),
}  # fmt: skip


def fit_arguments(world, changes):
    return {"X": world.X, "y": world.y, "class_attributes": world.Z, **changes}


@pytest.mark.parametrize("case", FIT)
def test_fit_names_the_argument_and_the_fix(world, case):
    make, message = FIT[case]
    with pytest.raises(InputError, match=message):
        SparseAttributePropagation().fit(**fit_arguments(world, make(world)))


@pytest.mark.parametrize("case", OPTIONS)
def test_parameters_out_of_their_limits(world, case):
    options, message = OPTIONS[case]
    with pytest.raises(InputError, match=message):
        SparseAttributePropagation(**options).fit(**fit_arguments(world, {}))


def test_weights_have_no_place_in_the_printed_objective(world):
    model = SparseAttributePropagation("paper", k_g=5, m=5)
    weight = np.linspace(1, 2, len(world.y))
    with pytest.raises(InputError, match="the printed objective has no weights"):
        model.fit(**fit_arguments(world, {"sample_weight": weight}))


def test_features_too_far_apart_for_the_papers_sigma(world):
    model = SparseAttributePropagation("paper", k_g=5, m=5, features="raw")
    with pytest.raises(InputError, match="use sigma='mean'"):
        model.fit(**fit_arguments(world, {"X": 1e4 * world.X}))


PREDICT = {
    "other number of features": (lambda w: {"X": w.X[:, 1:]}, r"X cannot be used: X has 23 features"),
    "NaN": (lambda w: {"X": spoiled(w.X, (0, 0), np.nan)}, r"X contains 1 NaN"),
    "unknown class": (lambda w: {"classes": [6, 99]}, r"1 label the model does not know \(first: 99"),
    "no class": (lambda w: {"classes": []}, r"classes names no class"),
    "unknown keyword": (lambda w: {"classes": "unsen"}, r"classes is 'unsen'; expected 'seen', 'unseen'"),
    "a class twice": (lambda w: {"classes": [6, 6]}, r"names a class twice"),
    "a short mask": (lambda w: {"classes": np.array([True, False])}, r"a mask of 2; the model knows 8"),
    "both": (lambda w: {"classes": [6], "class_attributes": w.Z}, r"not both"),
    "attributes of another space": (
        lambda w: {"class_attributes": w.Z[:, :4]},
        r"has 4 attributes; the model was fitted with 9",
    ),
    "zero description": (lambda w: {"class_attributes": np.zeros((1, 9))}, r"1 all-zero row"),
}  # fmt: skip


@pytest.mark.parametrize("case", PREDICT)
def test_predict_names_the_argument_and_the_fix(world, case):
    make, message = PREDICT[case]
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    with pytest.raises(InputError, match=message):
        model.predict(**{"X": world.X, **make(world)})


def test_a_model_without_unseen_classes_says_so(world):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z[:6])
    with pytest.raises(InputError, match=r"every class of this model.*by class_attributes="):
        model.predict(world.X, classes="unseen")


def test_an_unknown_name_gets_the_nearest_spelling(world):
    frame = pd.DataFrame(world.Z, index=NAMES)
    model = SparseAttributePropagation().fit(world.X, named(world), class_attributes=frame)
    with pytest.raises(InputError, match="did you mean 'class 7'"):
        model.predict(world.X, classes=["klass 7"])
    with pytest.raises(InputError, match="its classes are 'class 0', 'class 1', 'class 2', …"):
        model.predict(world.X, classes=["owl"])


@pytest.mark.parametrize("label", [str, lambda row: row + 7, lambda row: "one for all"])
def test_an_index_of_other_labels_leaves_entries_to_their_positions(world, label):
    y = pd.Series(world.y, index=[label(row) for row in range(len(world.y))])
    expected = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    found = SparseAttributePropagation().fit(pd.DataFrame(world.X), y, class_attributes=world.Z)
    np.testing.assert_array_equal(found.projection_, expected.projection_)


LABELS = {
    "of pandas' own kind": (lambda n: pd.Index(range(n), dtype="Int64"), lambda n: range(n)),
    "with one missing": (
        lambda n: pd.Index([pd.NA, *range(n - 1)], dtype="Int64"),
        lambda n: pd.Index([pd.NA, *range(n - 1)], dtype=object),
    ),
    "of other categories": (
        lambda n: pd.CategoricalIndex([str(i) for i in range(n)]),
        lambda n: pd.CategoricalIndex([str(i) for i in range(n)], ordered=True),
    ),
    "in another time zone": (
        lambda n: pd.date_range("2026-01-01", periods=n, tz="UTC"),
        lambda n: pd.date_range("2026-01-01", periods=n, tz="UTC").tz_convert("Asia/Tokyo"),
    ),
    "that cannot be counted": (
        lambda n: pd.Index([[i] for i in range(n)], dtype=object),
        lambda n: pd.Index([[i] for i in range(n)][::-1], dtype=object),
    ),
    "that are plain row numbers": (lambda n: range(n), lambda n: range(n - 1, -1, -1)),
}


@pytest.mark.parametrize("case", LABELS)
def test_labels_in_the_same_order_pass_whatever_they_are(world, case):
    ours, theirs = (make(len(world.X)) for make in LABELS[case])
    X, y = pd.DataFrame(world.X).set_axis(ours), pd.Series(world.y).set_axis(theirs)
    found = SparseAttributePropagation().fit(X, y, class_attributes=world.Z)
    expected = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_array_equal(found.projection_, expected.projection_)


def test_dates_are_no_attributes(world):
    Z = pd.DataFrame(world.Z).assign(found=pd.date_range("2026-01-01", periods=len(world.Z)))
    with pytest.raises(InputError, match="entries that are not numbers"):
        SparseAttributePropagation().fit(world.X, world.y, class_attributes=Z)


def test_rows_in_another_order_are_refused_wherever_y_comes_in(world):
    names = [f"{row}.jpg" for row in range(len(world.X))]
    X, y = pd.DataFrame(world.X, index=names), pd.Series(world.y, index=names)[::-1]
    model = RPL().fit(world.X, world.y, class_attributes=world.Z)
    for refused in (
        lambda: suggest_images(X, 2, y),
        lambda: model.suggest(X, 2, y),
        lambda: model.calibrate(X, y),
        lambda: weigh_spaces(X, y, [world.Z]),
        lambda: tune([RPL()], X, y, class_attributes=world.Z),
    ):
        with pytest.raises(InputError, match="y has the index of X in another order"):
            refused()
