import numpy as np
import pytest

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.errors import InputError
from sapwood.graph import landmark_graph
from sapwood.models import parameters, search
from sapwood.models.learned import affinity_of, basis_of
from sapwood.models.parameters import PRESETS, graph_for

LANDMARK = {"graph": "landmark", "seed": 0}


def test_the_paper_gets_the_eigenvectors_of_the_landmark_laplacian(world):
    settings = {**PRESETS["paper"], **LANDMARK, "m": 9}
    basis = basis_of(world.X, settings)
    Z_hat = landmark_graph(world.X, p=len(world.X) // 4, sigma=1.0)[1].toarray()
    values, vectors = np.linalg.eigh(np.eye(len(world.X)) - Z_hat @ Z_hat.T)
    np.testing.assert_allclose(basis.values, values[:9], atol=1e-10)
    overlap = np.linalg.svd(basis.vectors.T @ vectors[:, :9], compute_uv=False)
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)


def test_the_robust_preset_propagates_over_the_same_laplacian(world):
    R = affinity_of(world.X, {**PRESETS["robust"], **LANDMARK}).R
    Z_hat = landmark_graph(world.X, p=len(world.X) // 4, sigma=1.0)[1]
    np.testing.assert_allclose(R.toarray(), Z_hat.toarray(), atol=1e-12)


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_landmarks_name_unseen_classes_about_as_well(preset, draw_world):
    world = draw_world(n=600, noise=0.15)
    options = {"preset": preset}
    if preset == "paper":
        options |= {"attribute_map": "l2", "metric": "cosine", "tol": 1.0, "k_g": 20, "m": 20}
    found = {}
    for graph in ("knn", "landmark"):
        model = SparseAttributePropagation(graph=graph, **options)
        model.fit(world.X, world.y, class_attributes=world.Z)
        assert model.graph_ == graph
        answers = model.predict(world.X_unseen, classes="unseen")
        found[graph] = (answers == world.labels_unseen).mean()
    assert found["landmark"] >= found["knn"] - 0.1


def test_many_images_get_landmarks_by_themselves(world, monkeypatch):
    assert graph_for("auto", parameters.EXACT_IMAGES) == "knn"
    model = SparseAttributePropagation().fit(world.X, world.y, class_attributes=world.Z)
    assert model.graph_ == "knn"
    monkeypatch.setattr(parameters, "EXACT_IMAGES", len(world.X) - 1)
    model.fit(world.X, world.y, class_attributes=world.Z)
    assert model.graph_ == "landmark"
    assert model.graph is None


def test_a_search_over_many_images_compares_them_with_landmarks_alone(world, monkeypatch):
    monkeypatch.setattr(parameters, "EXACT_IMAGES", len(world.X) - 1)
    monkeypatch.setattr(search, "nearest_neighbors", None)
    model = SparseAttributePropagationCV().fit(world.X, world.y, class_attributes=world.Z)
    assert model.graph_ == "landmark"
    assert len(model.search_log_) > 100
    assert not any("k_g" in tried["parameters"] for tried in model.search_log_)


def test_a_saved_model_remembers_its_graph(world, tmp_path):
    model = SparseAttributePropagation(graph="landmark")
    model.fit(world.X, world.y, class_attributes=world.Z).save(tmp_path / "model.sap")
    loaded = SparseAttributePropagation.load(tmp_path / "model.sap")
    assert loaded.graph_ == loaded.graph == "landmark"


def test_an_unknown_graph_is_refused(world):
    with pytest.raises(InputError, match=r"graph is 'landmarks'; expected one of .* did you mean"):
        SparseAttributePropagation(graph="landmarks").fit(
            world.X, world.y, class_attributes=world.Z
        )
