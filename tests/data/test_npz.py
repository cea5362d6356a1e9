import numpy as np
import pytest

from sapwood.data import (
    AttributeTable,
    FeatureTable,
    TagData,
    ZeroShotData,
    check,
    load,
    load_attributes,
    load_features,
    load_tags,
    load_zero_shot,
)
from sapwood.errors import InputError
from tests.data.layouts import CLASSES, arrays, write_npz


def test_everything_in_the_file_arrives(tmp_path):
    content = arrays()
    data = load_zero_shot(write_npz(tmp_path))
    np.testing.assert_array_equal(data.features, content["features"])
    np.testing.assert_array_equal(data.labels, content["labels"])
    np.testing.assert_array_equal(data.attributes, content["attributes"])
    assert data.class_names.tolist() == list(CLASSES)
    assert data.image_names.tolist() == content["image_files"].tolist()
    assert data.splits["paper"].unseen.tolist() == [3]
    assert data.splits["proposed"].unseen.tolist() == [3]
    assert data.splits["proposed"].trainval.tolist() == content["ps_trainval"].tolist()
    assert data.provenance["path"] == str(tmp_path / "set.npz")


def test_proposed_versions_are_told_apart(tmp_path):
    leaking = {"ps_train": np.array([0, 1, 2, 3]), "ps_val": np.array([6, 7, 8])}
    outside = {"ps_train": np.array([0, 9])}
    cases = {"2": {}, "1": leaking, "unknown": {"ps_val": None}}
    for i, (version, changes) in enumerate({**cases, "unknown ": outside}.items()):
        data = load_zero_shot(write_npz(tmp_path, f"{i}.npz", **changes))
        assert data.splits["proposed"].version == version.strip()


def test_minus_one_is_missing_only_where_it_can_be(tmp_path):
    percent = np.array([[-1.0, 80, 3], [5, 6, 0], [0, 1, 2], [7, 8, 9]])
    signs = np.where(percent > 4, 1, -1)
    names = {"attribute_names": None}
    kept = load_zero_shot(write_npz(tmp_path, "a.npz", attributes=percent, **names)).attributes
    assert np.isnan(kept[0, 0])
    assert np.isnan(kept).sum() == 1
    kept = load_zero_shot(write_npz(tmp_path, "b.npz", attributes=signs, **names)).attributes
    np.testing.assert_array_equal(kept, signs)


def test_another_description_of_the_classes_can_be_chosen(tmp_path):
    path = write_npz(tmp_path, sentence_attributes=np.ones((4, 9)))
    data = load_zero_shot(path, attributes="sentence_attributes")
    assert data.attributes.shape == (4, 9)
    assert data.provenance["attributes"] == "sentence_attributes"


def test_published_annotated_rows_keep_their_order(tmp_path):
    data = load_zero_shot(write_npz(tmp_path, web_annotated=np.array([4, 3, 1])))
    assert data.annotated["web"].tolist() == [4, 3, 1]


def test_load_recognises_the_kind(tmp_path):
    np.savez(tmp_path / "f.npz", features=np.eye(2))
    np.savez(tmp_path / "z.npz", attributes=np.eye(2), class_names=["a", "b"])
    np.savez(tmp_path / "t.npz", tags=np.eye(2), features=np.eye(2))
    kinds = {"f": FeatureTable, "z": AttributeTable, "t": TagData}
    for name, kind in kinds.items():
        assert type(load(tmp_path / f"{name}.npz")) is kind
    assert type(load(write_npz(tmp_path))) is ZeroShotData


def test_narrow_loaders_take_what_fits_and_refuse_the_rest(tmp_path):
    path = write_npz(tmp_path)
    assert load_features(path).features.shape == (12, 5)
    assert load_attributes(path).class_names.tolist() == list(CLASSES)
    with pytest.raises(InputError, match=r"labels, .*, but images with tags were expected; give"):
        load_tags(path)
    np.savez(tmp_path / "z.npz", attributes=np.eye(2))
    with pytest.raises(InputError, match=r"z\.npz: no features of images; give"):
        load_features(tmp_path / "z.npz")
    np.savez(tmp_path / "f.npz", features=np.eye(2))
    with pytest.raises(InputError, match=r"f\.npz: no class attributes; give"):
        load_attributes(tmp_path / "f.npz")


def test_names_are_looked_up_in_the_data_folder(tmp_path, monkeypatch):
    write_npz(tmp_path, "cub.npz")
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path))
    for name in ("cub", "CUB", "cub.npz", "CUB-200-2011"):
        assert load(name).provenance["card"] == "CUB"
    monkeypatch.delenv("SAPWOOD_DATA")
    with pytest.raises(InputError, match=r"SAPWOOD_DATA \(not set\); Download .*xlsa17/data/CUB"):
        load("cub")


def test_the_data_folder_may_be_named_from_home(tmp_path, monkeypatch):
    write_npz(tmp_path, "cub.npz")
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    monkeypatch.setenv("SAPWOOD_DATA", f"~/{tmp_path.name}")
    assert load("cub").provenance["card"] == "CUB"


@pytest.mark.parametrize("loader", [load, load_attributes])
def test_attributes_that_cannot_be_chosen_are_refused(tmp_path, loader):
    (tmp_path / "a.csv").write_text("class,beak\nowl,1\njay,0\n")
    np.savez(tmp_path / "t.npz", tags=np.eye(2), attributes=np.eye(2))
    for name in ("a.csv", "t.npz"):
        with pytest.raises(InputError, match=r"attributes='attributes' means nothing.*leave it"):
            loader(tmp_path / name, attributes="attributes")


def test_rows_of_the_proposed_split_may_be_masks(tmp_path):
    content = arrays()
    rows = {name: array for name, array in content.items() if name.startswith("ps_")}
    masks = {name: np.isin(np.arange(12), array) for name, array in rows.items()}
    found = load_zero_shot(write_npz(tmp_path, **masks)).splits["proposed"]
    assert (found.version, found.unseen.tolist()) == ("2", [3])
    assert found.test_seen.tolist() == content["ps_test_seen"].tolist()
    with pytest.raises(InputError, match=r"ps_val: a mask of shape \(3,\) for 12 rows"):
        load(write_npz(tmp_path, ps_val=np.ones(3, dtype=bool)))


def test_masks_of_tagged_images_are_rows(tmp_path):
    np.savez(tmp_path / "t.npz", tags=np.eye(2), train=[False, True], test=[True, False])
    data = load_tags(tmp_path / "t.npz")
    assert (data.train.tolist(), data.test.tolist()) == ([1], [0])


def test_an_array_that_nothing_reads_is_told(tmp_path):
    said = [str(p) for p in check(write_npz(tmp_path, ps_version=np.array("2")))]
    assert any("ps_version: an array of this name is not used" in line for line in said)


def test_names_as_bytes_are_read_as_utf8(tmp_path):
    names = np.array([n.encode() for n in ("zebra", "bär", "rat", "pig")])
    assert load_zero_shot(write_npz(tmp_path, class_names=names)).class_names[1] == "bär"


def test_labels_may_be_names_of_the_classes(tmp_path):
    Z, names = np.eye(3), np.array(["owl", "jay", "emu"])
    labels = np.array(["jay", "", "owl", "jay"])
    path = tmp_path / "a.npz"
    np.savez(path, features=np.eye(4), labels=labels, attributes=Z, class_names=names)
    assert load(path).labels.tolist() == [1, -1, 0, 1]
    np.savez(path, features=np.eye(4), labels=labels, attributes=Z, class_names=names[[0, 2, 2]])
    with pytest.raises(InputError, match="2 labels are no class, first 'jay'"):
        load(path)
