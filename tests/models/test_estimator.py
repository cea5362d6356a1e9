import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from sapwood import InputError, SparseAttributePropagation

PAPER = {"preset": "paper", "k_g": 10, "m": 12, "attribute_map": "l2", "tol": 1.0}


@pytest.fixture(params=["robust", "paper"])
def options(request):
    return PAPER if request.param == "paper" else {}


@pytest.fixture
def model(world, options):
    return SparseAttributePropagation(**options).fit(world.X, world.y, class_attributes=world.Z)


def test_unseen_classes_are_named_from_a_few_annotations(world):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    answers = model.predict(world.X_unseen, classes=[6, 7])
    assert np.mean(answers == world.labels_unseen) > 0.9
    assert np.mean(model.predict(world.X, classes="seen") == world.labels) > 0.8


def test_shapes_and_meanings(model, world):
    n, k = len(world.X), world.Z.shape[1]
    assert model.attributes_.shape == (n, k)
    assert model.confidence_.shape == (n,)
    assert model.projection_.shape == (model.attribute_map_.dimension, world.X.shape[1])
    assert ((model.confidence_ >= 0) & (model.confidence_ <= 1)).all()
    assert model.transform(world.X_unseen).shape == (len(world.X_unseen), k)
    scores = model.decision_function(world.X_unseen)
    proba = model.predict_proba(world.X_unseen)
    assert scores.shape == proba.shape == (len(world.X_unseen), 8)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(scores.argmax(axis=1), proba.argmax(axis=1))
    np.testing.assert_array_equal(model.predict(world.X_unseen), scores.argmax(axis=1))
    np.testing.assert_array_equal(model.seen_, np.arange(6))


def test_annotated_images_keep_their_attributes_under_the_robust_preset(world):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=100 * world.Z)
    annotated = world.y >= 0
    np.testing.assert_allclose(model.attributes_[annotated], 100 * world.Z[world.y[annotated]])
    np.testing.assert_array_equal(model.confidence_[annotated], 1.0)


def test_transform_is_in_the_units_given(world):
    for scale in (1.0, 100.0):
        model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=scale * world.Z)
        truth = scale * world.Z[world.labels]
        error = np.linalg.norm(model.transform(world.X) - truth)
        assert error < 0.6 * np.linalg.norm(truth - truth.mean(axis=0))


def test_classes_unknown_at_fit_time(model, world):
    rows = model.predict(world.X_unseen, class_attributes=world.Z[6:])
    np.testing.assert_array_equal(rows + 6, model.predict(world.X_unseen, classes=[6, 7]))
    frame = pd.DataFrame(world.Z[6:], index=["gnu", "emu"])
    names = model.predict(world.X_unseen, class_attributes=frame)
    np.testing.assert_array_equal(names, np.array(["gnu", "emu"])[rows])


def test_unseen_means_the_classes_without_annotation(model, world):
    np.testing.assert_array_equal(
        model.predict(world.X_unseen, classes="unseen"),
        model.predict(world.X_unseen, classes=np.array([6, 7])),
    )


def test_names_in_every_form(world, options):
    names = np.array([f"bird {c}" for c in "abcdefgh"])
    plain = SparseAttributePropagation(**options).fit(world.X, world.y, class_attributes=world.Z)
    expected = names[plain.predict(world.X_unseen)]
    labels = np.where(world.y >= 0, names[world.y], "")
    with_none = np.where(world.y >= 0, names[world.y], None)
    frame = pd.DataFrame(world.Z, index=names, columns=[f"a{j}" for j in range(world.Z.shape[1])])
    features = pd.DataFrame(world.X, columns=[f"f{j}" for j in range(world.X.shape[1])])
    for X, y, given in (
        (world.X, labels, {"class_attributes": world.Z, "class_names": names}),
        (world.X, with_none, {"class_attributes": frame}),
        (features, pd.Series(with_none), {"class_attributes": frame}),
    ):
        model = SparseAttributePropagation(**options).fit(X, y, **given)
        X_unseen = features.iloc[:0] if X is features else None
        asked = world.X_unseen
        if X_unseen is not None:
            asked = pd.DataFrame(world.X_unseen, columns=features.columns)
        np.testing.assert_array_equal(model.predict(asked), expected)
        assert model.class_names_ == names.tolist()
        assert set(model.predict(asked, classes=["bird g", "bird h"])) <= {"bird g", "bird h"}
    assert list(model.feature_names_in_) == list(features.columns)
    assert list(model.get_feature_names_out()) == list(frame.columns)


def test_integer_labels_with_named_attributes_stay_integers(world):
    frame = pd.DataFrame(world.Z, index=list("abcdefgh"))
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=frame)
    assert model.predict(world.X_unseen, classes=["g", "h"]).dtype.kind == "i"


def test_uneven_annotations_and_classes_that_never_occur(world):
    y = world.y.copy()
    y[np.flatnonzero(y == 0)[1:]] = -1
    y[y == 4] = -1
    model = SparseAttributePropagation().fit(world.X, y, class_attributes=world.Z)
    np.testing.assert_array_equal(model.seen_, [0, 1, 2, 3, 5])
    assert np.mean(model.predict(world.X_unseen, classes="unseen") == world.labels_unseen) > 0.5


def test_missing_attributes_are_filled_with_the_mean(world):
    Z = world.Z.copy()
    Z[2, 3] = np.nan
    with pytest.warns(UserWarning, match="1 missing value in 1 class;"):
        model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=Z)
    assert model.class_attributes_[2, 3] == pytest.approx(np.delete(world.Z[:, 3], 2).mean())
    assert np.isnan(Z[2, 3])


def test_attribute_vectors_as_annotations(world, options):
    Y = np.where(world.y[:, None] >= 0, world.Z[world.y], np.nan)
    model = SparseAttributePropagation(**options).fit(world.X, Y)
    by_class = SparseAttributePropagation(**options)
    by_class.fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_allclose(
        model.decision_function(world.X_unseen, class_attributes=world.Z, calibrated=False),
        by_class.decision_function(world.X_unseen, calibrated=False),
        atol=1e-8,
    )
    assert len(model.classes_) == 6


def test_without_attributes_it_is_a_semi_supervised_classifier(world, options):
    names = np.array(list("uvwxyz"))
    y = np.where(world.y >= 0, names[world.y], "")
    model = SparseAttributePropagation(**options).fit(world.X, y)
    least = 0.25 if "preset" in options else 0.8
    assert np.mean(model.predict(world.X) == names[world.labels]) > least
    assert set(model.classes_) == set(names)


def test_prediction_does_not_depend_on_chunks(model, world, monkeypatch):
    whole = model.decision_function(world.X_unseen)
    monkeypatch.setattr("sapwood.models.base.CHUNK", 7)
    np.testing.assert_allclose(model.decision_function(world.X_unseen), whole, atol=1e-10)


def test_inputs_are_never_changed(world, options):
    X, y, Z = world.X.copy(), world.y.copy(), world.Z.copy()
    for array in (X, y, Z):
        array.flags.writeable = False
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=Z)
    model.predict(X)
    np.testing.assert_array_equal(X, world.X)


@pytest.mark.parametrize("steps", ["bpl", "sap1+bpl", "sap1+sap2+bpl"])
def test_every_ablation_fits(world, options, steps):
    model = SparseAttributePropagation(**options, steps=steps)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert np.isfinite(model.decision_function(world.X_unseen)).all()


def test_bpl_alone_does_not_see_the_unannotated_images(world):
    annotated = world.y >= 0
    options = {"steps": "bpl", "features": "unit"}
    alone = SparseAttributePropagation(**options)
    alone.fit(world.X[annotated], world.y[annotated], class_attributes=world.Z)
    among = SparseAttributePropagation(**options)
    among.fit(world.X, world.y, class_attributes=world.Z)
    np.testing.assert_allclose(alone.projection_, among.projection_, atol=1e-10)


def test_bounds_of_a_fitted_model(world):
    model = SparseAttributePropagation(**PAPER).fit(world.X, world.y, class_attributes=world.Z)
    bounds = model.bounds()
    assert np.linalg.norm(model.projection_) <= bounds.C2
    assert 0 < bounds.change_of_projection(1e-6) < bounds.change_of_projection(1e-3)
    robust = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z).bounds()
    assert pytest.approx(np.sqrt(6)) == robust.C1
    assert robust.X_norm == pytest.approx(np.sqrt(world.X.shape[1]))
    no_l1 = SparseAttributePropagation(**PAPER, penalty="no-l1")
    no_l1.fit(world.X, world.y, class_attributes=world.Z)
    with pytest.raises(InputError, match="lambda2 above 0"):
        no_l1.bounds()


def test_the_trace_tells_the_course_of_the_printed_algorithm(world):
    options = {**PAPER, "tol": 1e-3, "max_iter": 2000}
    model = SparseAttributePropagation(**options).fit(world.X, world.y, class_attributes=world.Z)
    assert len(model.trace_) == model.n_iter_ + 1
    objectives = [row["objective"] for row in model.trace_[1:]]
    assert (np.diff(objectives) <= 1e-9).all()
    assert model.trace_[-1]["delta_W"] <= 1e-3


def test_the_printed_values_are_clipped_aloud(world):
    with pytest.warns(UserWarning, match="the paper's k_g = 300 needs more than"):
        SparseAttributePropagation("paper", m=10, tol=1.0, attribute_map="l2").fit(
            world.X, world.y, class_attributes=world.Z
        )


def test_columns_of_new_classes_are_matched_by_name(world):
    names = [f"a{j}" for j in range(world.Z.shape[1])]
    frame = pd.DataFrame(world.Z, columns=names)
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=frame)
    expected = model.predict(world.X_unseen, class_attributes=frame[6:].reset_index(drop=True))
    turned = frame[6:].reset_index(drop=True)[names[::-1]]
    np.testing.assert_array_equal(model.predict(world.X_unseen, class_attributes=turned), expected)
    with pytest.raises(InputError, match=r"1 are missing .*'a0'"):
        model.predict(world.X_unseen, class_attributes=turned.rename(columns={"a0": "zz"}))


def test_what_is_missing_of_new_classes_is_filled_by_name_too(world):
    names = [f"a{j}" for j in range(world.Z.shape[1])]
    frame = pd.DataFrame(world.Z * np.arange(1, len(names) + 1), columns=names)
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=frame)
    new = frame[6:].reset_index(drop=True)
    new.loc[0, "a0"] = np.nan
    with pytest.warns(UserWarning, match="1 missing value in"):
        scores = [
            model.decision_function(world.X_unseen, class_attributes=new[order])
            for order in (names, names[::-1])
        ]
    np.testing.assert_array_equal(*scores)


def test_labels_in_a_table_of_one_column(world):
    plain = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    with pytest.warns(UserWarning, match="column-vector y"):
        model = SparseAttributePropagation().fit(
            world.X, pd.DataFrame({"label": world.y}), class_attributes=world.Z
        )
    np.testing.assert_array_equal(model.projection_, plain.projection_)


@pytest.mark.parametrize("missing", [-1.0, np.int64(-1), np.float32(-1)])
def test_any_minus_one_among_names_is_a_missing_one(world, missing):
    names = np.array([missing if c < 0 else f"class {c}" for c in world.y], dtype=object)
    model = SparseAttributePropagation().fit(world.X, names)
    assert model.classes_.tolist() == [f"class {c}" for c in range(6)]


def test_nothing_of_an_earlier_fit_outlives_a_later_one(world):
    model = SparseAttributePropagation(**PAPER)
    model.fit(world.X, world.y, class_attributes=world.Z)
    model.training_hashes_ = np.zeros(1, dtype=np.uint64)
    model.set_params(**{**dict.fromkeys(PAPER), "preset": "robust"})
    model.fit(world.X, world.y, class_attributes=world.Z)
    fresh = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    assert set(vars(model)) == set(vars(fresh))
    model.set_params(preset="paper")
    assert model.bounds() == fresh.bounds()


def test_a_failed_refit_leaves_an_unfitted_model(world):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    with pytest.raises(InputError):
        model.fit(world.X, world.y, class_attributes=0 * world.Z)
    with pytest.raises(NotFittedError):
        model.predict(world.X)


@pytest.mark.filterwarnings("ignore:class_attributes has 1 missing")
def test_missing_attributes_of_pandas_own_kind_are_filled(world):
    frame = pd.DataFrame(world.Z)
    frame.iloc[3, 1] = np.nan
    plain = SparseAttributePropagation().fit(world.X, world.y, class_attributes=frame)
    nullable = SparseAttributePropagation().fit(
        world.X, world.y, class_attributes=frame.astype("Float64")
    )
    np.testing.assert_array_equal(nullable.class_attributes_, plain.class_attributes_)


@pytest.mark.parametrize(
    "missing", [None, float("nan"), pd.NA, "", -1], ids=["None", "NaN", "NA", "empty", "-1"]
)
def test_every_way_in_which_a_label_can_be_missing(world, missing):
    names = [f"bird {c}" for c in range(8)]
    expected = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    words = [names[c] if c >= 0 else missing for c in world.y]
    numbers = [c if c >= 0 else missing for c in world.y.tolist()]
    for y in (words, np.array(words, dtype=object), pd.Series(words, dtype=object)):
        model = SparseAttributePropagation()
        model.fit(world.X, y, class_attributes=world.Z, class_names=names)
        np.testing.assert_array_equal(model.projection_, expected.projection_)
    if not isinstance(missing, str):
        model = SparseAttributePropagation().fit(world.X, numbers, class_attributes=world.Z)
        np.testing.assert_array_equal(model.projection_, expected.projection_)


def test_candidates_as_a_mask_or_a_set(model, world):
    expected = model.predict(world.X_unseen, classes=[6, 7])
    mask = np.arange(8) >= 6
    np.testing.assert_array_equal(model.predict(world.X_unseen, classes=mask), expected)
    np.testing.assert_array_equal(model.predict(world.X_unseen, classes={6, 7}), expected)


def test_two_one_hot_classes_can_be_scored_against_other_attributes(world):
    two = world.labels < 2
    model = SparseAttributePropagation().fit(world.X[two], world.labels[two])
    assert model.decision_function(world.X, class_attributes=np.eye(2)).shape == (len(world.X), 2)


def test_names_of_attribute_vectors_are_kept(world):
    Y = pd.DataFrame(np.where(world.y[:, None] >= 0, world.Z[world.y], np.nan))
    Y.columns = [f"a{j}" for j in range(Y.shape[1])]
    model = SparseAttributePropagation().fit(world.X, Y)
    assert list(model.get_feature_names_out()) == list(Y.columns)


def test_no_sharpness_leaves_an_image_without_attributes(world):
    model = SparseAttributePropagation(sharpness=1e6)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert model.attributes_.any(axis=1).all()


def test_every_image_joined_to_an_annotation_is_reached(draw_world):
    rng = np.random.default_rng(0)
    turn = np.linspace(0, 3 * np.pi, 1500)
    X = np.column_stack([turn * np.cos(turn), turn * np.sin(turn)]) + 0.01 * rng.random((1500, 2))
    y = np.full(1500, -1)
    y[[0, -1]] = 0, 1
    model = SparseAttributePropagation(features="raw", k_g=5).fit(X, y)
    assert (model.confidence_ > 0).all()
    assert model.trace_[0]["residual"] <= 1e-9


def test_labels_of_any_kind_of_number(world):
    expected = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    for y in (
        [None if c < 0 else float(c) for c in world.y],
        [None if c < 0 else np.int64(c) for c in world.y],
    ):
        model = SparseAttributePropagation().fit(world.X, y, class_attributes=world.Z)
        np.testing.assert_array_equal(model.predict(world.X), expected.predict(world.X))


def test_copies_of_few_images_have_a_basis():
    X = np.random.default_rng(8).standard_normal((60, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SparseAttributePropagation("paper").fit(X, np.arange(60) % 3)
    assert np.isfinite(model.projection_).all()
