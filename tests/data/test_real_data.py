"""The loaders on real files, where the environment variable SAPWOOD_DATA says they are."""

import numpy as np
import pytest

from sapwood.data import (
    AttributeTable,
    FeatureTable,
    TagData,
    card,
    check,
    external_setting,
    generalized_setting,
    get_split,
    load,
    load_features,
    load_zero_shot,
    standard_setting,
)


@pytest.mark.parametrize(("file", "name"), [("cub.npz", "CUB"), ("awa1_lowlevel.npz", "AwA1")])
def test_counts_are_those_of_the_card(real, file, name):
    data = load_zero_shot(real(file))
    counts = card(name).paper
    assert data.features.shape[0] == counts["images"]
    assert data.attributes.shape == (counts["seen"] + counts["unseen"], counts["attributes"])
    assert len(get_split(data, "paper").unseen) == counts["unseen"]
    proposed = get_split(data, "proposed")
    for part in ("trainval", "test_seen", "test_unseen"):
        assert len(getattr(proposed, part)) == card(name).splits["proposed"][part]
    assert proposed.version == "1"
    assert data.features.dtype == np.float16


def test_cub_has_the_papers_test_images_and_the_web_list(real):
    data = load_zero_shot(real("cub.npz"))
    setting = standard_setting(data, annotated=5)
    assert len(setting.test_unseen) == 2946
    assert (setting.y >= 0).sum() == 750
    rows = data.annotated["cub_web"]
    assert np.bincount(data.labels[rows]).tolist().count(5) == 150
    web = load_features(real("cub_web.npz"))
    external = external_setting(data, web, annotated=3, listed="cub_web")
    X, _ = external.training(data)
    assert X.shape == (450 + 1204, 1280)
    np.testing.assert_array_equal(external.train, np.sort(rows.reshape(150, 5)[:, :3].ravel()))


def test_generalized_setting_on_cub(real):
    data = load_zero_shot(real("cub.npz"))
    setting = generalized_setting(data, annotated=5)
    seen_images = 11788 - 2946
    assert abs(len(setting.test_seen) / seen_images - 0.2) < 0.005
    assert len(setting.train) + len(setting.test_seen) == seen_images


def test_missing_attributes_of_awa(real):
    data = load_zero_shot(real("awa1_lowlevel.npz"))
    assert np.isnan(data.attributes).sum() == 4
    assert np.nanmin(data.attributes) == 0
    binary = load_zero_shot(real("awa1_lowlevel.npz"), attributes="attributes_binary")
    assert set(np.unique(binary.attributes)) == {0, 1}


def test_tags(real):
    data = load(real("flickr8k_tags.npz"))
    assert isinstance(data, TagData)
    assert (data.tags.shape, data.concepts.shape) == ((4284, 400), (4284, 81))
    assert len(data.train) + len(data.test) == 4284
    other = load(real("mirflickr_tags.npz"))
    assert isinstance(other, TagData)
    assert other.features is None


@pytest.mark.parametrize(
    ("file", "shape"), [("awa2", (50, 85)), ("sun", (717, 102)), ("apy", (32, 64))]
)
def test_attributes_alone(real, file, shape):
    data = load(real(f"class_attributes_{file}.npz"))
    assert isinstance(data, AttributeTable)
    assert data.attributes.shape == shape


def test_features_alone(real):
    assert isinstance(load(real("cub_web.npz")), FeatureTable)


@pytest.mark.parametrize(
    "file",
    ["cub.npz", "cub_web.npz", "awa1_lowlevel.npz", "flickr8k_tags.npz", "mirflickr_tags.npz",
     "class_attributes_sun.npz"],
)  # fmt: skip
def test_real_files_have_no_errors(real, file):
    assert [str(p) for p in check(real(file)) if p.severity == "error"] == []
