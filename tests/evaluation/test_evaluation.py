from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from sapwood import InputError, SparseAttributePropagation
from sapwood.data import (
    ClassKFold,
    ZeroShotData,
    generalized_setting,
    load_zero_shot,
    standard_setting,
)
from sapwood.evaluation import (
    accuracy_against_coverage,
    evaluate,
    fit_setting,
    pseudo_unseen_accuracy,
    row_hashes,
)


@pytest.fixture
def data(data_file):
    return load_zero_shot(data_file)


def subset(data, rows):
    names = ("class_names", "attribute_names")
    return ZeroShotData(
        features=data.features[rows],
        labels=data.labels[rows],
        attributes=data.attributes,
        **{name: getattr(data, name) for name in names},
    )


def test_standard_scores_equal_a_count_by_hand(data):
    setting = standard_setting(data, annotated=3, seed=1)
    model = fit_setting(SparseAttributePropagation(), data, setting)
    found = evaluate(model, data)
    rows = np.flatnonzero(np.isin(data.labels, [6, 7]))
    answers = model.predict(data.features[rows], classes="unseen")
    right = answers == data.class_names[data.labels[rows]]
    assert found["images"] == len(rows)
    assert found["accuracy"] == pytest.approx(right.mean())
    by_class = [right[data.labels[rows] == c].mean() for c in (6, 7)]
    assert found["accuracy_over_classes"] == pytest.approx(np.mean(by_class))
    assert found["training_images_left_out"] == len(setting.train)


def test_generalized_scores_equal_a_count_by_hand(data):
    setting = generalized_setting(data, annotated=3, holdout=0.25)
    model = fit_setting(SparseAttributePropagation(), data, setting)
    found = evaluate(model, data, "generalized")
    right = model.predict(data.features) == data.class_names[data.labels]
    acc_u, acc_s = right[setting.test_unseen].mean(), right[setting.test_seen].mean()
    assert found["acc_u"] == pytest.approx(acc_u)
    assert found["acc_s"] == pytest.approx(acc_s)
    assert found["harmonic_mean"] == pytest.approx(2 * acc_u * acc_s / (acc_u + acc_s))
    assert 0 < found["ausuc"] <= 1


def test_training_images_are_refused_in_any_file_and_order(data):
    setting = standard_setting(data, annotated=3)
    model = fit_setting(SparseAttributePropagation(), data, setting)
    with pytest.raises(InputError, match=r"no annotated image of a seen class.*--holdout 0\.2"):
        evaluate(model, data, "generalized")
    shuffled = subset(data, np.random.default_rng(0).permutation(len(data.labels)))
    assert evaluate(model, shuffled) == evaluate(model, data)
    with pytest.raises(InputError, match="no annotated image of an unseen class"):
        evaluate(model, subset(data, setting.train))


def test_classes_are_matched_by_name(data):
    model = fit_setting(SparseAttributePropagation(), data, standard_setting(data, annotated=3))
    order = np.arange(8)[::-1]
    turned = ZeroShotData(
        features=data.features,
        labels=order[data.labels],
        attributes=data.attributes[order],
        class_names=data.class_names[order],
    )
    assert evaluate(model, turned) == evaluate(model, data)
    names = [*data.class_names[:7], "bird hh"]
    strange = ZeroShotData(
        features=data.features, labels=data.labels, attributes=data.attributes, class_names=names
    )
    with pytest.raises(InputError, match=r"1 class the model does not know.*'bird hh'"):
        evaluate(model, strange)


def test_an_unknown_setting_gets_the_nearest_spelling(data):
    model = fit_setting(SparseAttributePropagation(), data, standard_setting(data, annotated=3))
    with pytest.raises(InputError, match="did you mean 'generalized'"):
        evaluate(model, data, "generalised")


def test_a_model_without_a_record_is_refused(data):
    X, y = standard_setting(data, annotated=3).training(data)
    model = SparseAttributePropagation().fit(X, y, class_attributes=data.attributes)
    with pytest.raises(InputError, match="no record of its training images"):
        evaluate(model, data)
    fit_setting(model, data, standard_setting(data, annotated=3))
    model.fit(X, y, class_attributes=data.attributes)
    with pytest.raises(InputError, match="no record of its training images"):
        evaluate(model, data)


def test_grid_search_chooses_on_classes_held_out(data):
    setting = standard_setting(data, annotated=3)
    X, y = setting.training(data)
    search = GridSearchCV(
        SparseAttributePropagation(),
        {"lambda4": [1.0, 1e6]},
        cv=ClassKFold(3),
        scoring=pseudo_unseen_accuracy,
        error_score="raise",
    )
    search.fit(X, y, class_attributes=data.attributes)
    folds = [search.cv_results_[f"split{i}_test_score"][0] for i in range(3)]
    for (train, test), score in zip(ClassKFold(3).split(X, y), folds, strict=True):
        model = SparseAttributePropagation()
        model.fit(X[train], y[train], class_attributes=data.attributes)
        held = np.unique(y[test])
        assert score == np.mean(model.predict(X[test], classes=held) == y[test])
        assert not set(held) & set(y[train])


def test_hashes_survive_precision_but_not_change():
    X = np.random.default_rng(0).standard_normal((200, 512)) ** 3
    X = np.concatenate([X, X / np.linalg.norm(X, axis=1, keepdims=True), 1e6 * X])
    np.testing.assert_array_equal(row_hashes(X), row_hashes(X.astype(np.float32)))
    np.testing.assert_array_equal(row_hashes([[0.0]]), row_hashes([[-0.0]]))
    assert len(set(row_hashes(X))) == len(X)
    assert not set(row_hashes(X)) & set(row_hashes(X * (1 + 1e-6)))


def test_the_memory_travels_in_the_file(data, tmp_path):
    setting = generalized_setting(data, annotated=2)
    model = fit_setting(SparseAttributePropagation(), data, setting, {"data": "birds"})
    model.save(tmp_path / "m.sap")
    copy = SparseAttributePropagation.load(tmp_path / "m.sap")
    assert copy.training_["data"] == "birds"
    assert evaluate(copy, data, "generalized") == evaluate(model, data, "generalized")


def test_coverage_rounds_up_to_whole_images():
    right, sure = [1, 1, 0, 1, 0, 1, 1, 0, 1, 0], np.linspace(0.95, 0.05, 10)
    found = accuracy_against_coverage(right, sure, [0.01, 0.3, 0.31, 1.0])
    assert [one["coverage"] for one in found] == [0.1, 0.3, 0.4, 1.0]
    assert [one["accuracy"] for one in found] == pytest.approx([1, 2 / 3, 3 / 4, 0.6])
    assert [one["reject"] for one in found] == pytest.approx([0.95, 0.75, 0.65, 0.05])
    # Equal probabilities share their mistakes, in whatever order they come.
    (half,) = accuracy_against_coverage([0, 1, 1, 0], [0.5] * 4, [0.5])
    assert half == {"coverage": 0.5, "accuracy": 0.5, "reject": 0.5}


def test_seen_classes_alone(data):
    setting = generalized_setting(data, annotated=3, holdout=0.25)
    model = fit_setting(SparseAttributePropagation(), data, setting)
    seen = data.labels < 6
    only = replace(data, features=data.features[seen], labels=data.labels[seen],
                   image_names=data.image_names[seen], splits={}, annotated={})  # fmt: skip
    with pytest.raises(InputError, match="no annotated image of an unseen class"):
        evaluate(model, only)
    found = evaluate(model, only, "seen")
    rows = setting.test_seen
    answers = model.predict(data.features[rows], classes="seen")
    assert found["accuracy"] == np.mean(answers == data.class_names[data.labels[rows]])
    assert (found["images"], found["images_held_out_by_fit"]) == (len(rows), len(rows))
    assert found["candidates"] == 6
