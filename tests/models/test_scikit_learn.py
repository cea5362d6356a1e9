import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sapwood import SparseAttributePropagation

EXCEPTIONS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "a repeated image is a second vertex of the graph, so it is not a weight of two"
    ),
    "check_classifiers_classes": (
        "it takes -1 for a class; here, as in sklearn.semi_supervised, -1 means unannotated"
    ),
}


@parametrize_with_checks(
    [SparseAttributePropagation()], expected_failed_checks=lambda estimator: EXCEPTIONS
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture
def labelled(world):
    return world.X, world.labels


def test_cross_validation_and_pipelines(labelled):
    X, y = labelled
    pipeline = make_pipeline(StandardScaler(), PCA(10), SparseAttributePropagation())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.8


def test_grid_search_over_our_parameters(labelled):
    X, y = labelled
    search = GridSearchCV(SparseAttributePropagation(), {"k_g": [3, 10], "lambda4": [0.1, 1]}, cv=3)
    search.fit(X, y)
    assert search.best_score_ > 0.8
    assert set(search.best_params_) == {"k_g", "lambda4"}


def test_grid_search_passes_class_attributes_on(world):
    search = GridSearchCV(SparseAttributePropagation(), {"lambda1": [0.5, 1.0]}, cv=3)
    search.fit(world.X, world.labels, class_attributes=world.Z)
    assert search.best_estimator_.class_attributes_.shape == world.Z.shape
    assert np.mean(search.predict(world.X) == world.labels) > 0.7


def test_as_a_transformer_in_a_pipeline(world):
    pipeline = make_pipeline(SparseAttributePropagation(), StandardScaler())
    assert pipeline.fit_transform(world.X, world.labels).shape == (len(world.X), 6)


def test_clone_and_parameters():
    model = SparseAttributePropagation("paper", k_g=7, lambda2=0.5)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert copy.set_params(k_g=9).k_g == 9
    assert model.k_g == 7


def test_pickling(world):
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(
        copy.decision_function(world.X_unseen), model.decision_function(world.X_unseen)
    )


def test_two_classes_give_one_column_of_scores(world):
    X, y = world.X[world.labels < 2], world.labels[world.labels < 2]
    model = SparseAttributePropagation().fit(X, y)
    assert model.decision_function(X).shape == (len(X),)
    np.testing.assert_array_equal((model.decision_function(X) > 0).astype(int), model.predict(X))
