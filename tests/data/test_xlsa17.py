import sys

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from scipy.sparse import csr_matrix

from sapwood.data import check, load_zero_shot
from sapwood.data.mat5 import Damaged, read_mat5
from sapwood.data.matrix_files import read_matrix
from sapwood.data.problems import Report
from sapwood.errors import InputError
from tests.data.layouts import CLASSES, arrays, cells, write_v5, write_xlsa17, xlsa17_content

pytest.importorskip("h5py")
VERSIONS = ("5", "7.3")


@pytest.mark.parametrize("matlab", VERSIONS)
def test_columns_become_rows_counted_from_zero(tmp_path, matlab):
    data = load_zero_shot(write_xlsa17(tmp_path, matlab=matlab))
    expected = arrays()
    np.testing.assert_allclose(data.features, expected["features"])
    np.testing.assert_array_equal(data.labels, expected["labels"])
    assert data.class_names.tolist() == list(CLASSES)
    assert data.image_names[0] == "/somewhere/JPEGImages/zebra/0.jpg"
    split = data.splits["proposed"]
    for part in ("trainval", "test_seen", "test_unseen"):
        np.testing.assert_array_equal(getattr(split, part), expected[f"ps_{part}"])


@pytest.mark.parametrize("matlab", VERSIONS)
@pytest.mark.parametrize("version", ["1", "2"])
def test_versions_of_the_proposed_split_are_told_apart(tmp_path, matlab, version):
    path = write_xlsa17(tmp_path, matlab=matlab, version=version)
    assert load_zero_shot(path).splits["proposed"].version == version
    warned = [p for p in check(path) if "version 1" in str(p)]
    assert bool(warned) == (version == "1")


def test_without_train_and_val_the_version_is_unknown(tmp_path):
    path = write_xlsa17(tmp_path, train_loc=None, val_loc=None)
    assert load_zero_shot(path).splits["proposed"].version == "unknown"


@pytest.mark.parametrize("matlab", VERSIONS)
def test_classes_in_another_order_are_mapped_by_name(tmp_path, matlab):
    """Labels that count another list of classes than allclasses_names follow the image paths."""
    order = np.array([2, 0, 3, 1])
    labels = np.argsort(order)[arrays()["labels"]][:, None] + 1.0
    path = write_xlsa17(tmp_path, matlab=matlab, labels=labels)
    data = load_zero_shot(path)
    np.testing.assert_array_equal(data.labels, arrays()["labels"])
    assert data.provenance["class order"] == "mapped by the names in the image paths"


def test_a_permuted_list_of_classes_moves_names_and_attributes_together(tmp_path):
    order = [2, 0, 3, 1]
    _, classes = xlsa17_content()
    changes = {name: classes[name][:, order] for name in ("att", "original_att")}
    names = [CLASSES[i] for i in order]
    data = load_zero_shot(write_xlsa17(tmp_path, allclasses_names=names, **changes))
    plain = load_zero_shot(write_xlsa17(tmp_path, name="plain"))
    np.testing.assert_allclose(data.attributes[data.labels], plain.attributes[plain.labels])
    np.testing.assert_array_equal(data.class_names[data.labels], plain.class_names[plain.labels])


def test_paths_that_name_no_classes_leave_the_labels_alone(tmp_path):
    files = [f"/jpg/image_{i:05d}.jpg" for i in range(12)]
    labels = np.roll(arrays()["labels"], 1)[:, None] + 1.0
    loc = {f"{part}_loc": None for part in ("trainval", "test_seen", "test_unseen")}
    data = load_zero_shot(write_xlsa17(tmp_path, image_files=files, labels=labels, **loc))
    np.testing.assert_array_equal(data.labels, np.roll(arrays()["labels"], 1))


@pytest.mark.parametrize("matlab", VERSIONS)
def test_att_and_original_att(tmp_path, matlab):
    path = write_xlsa17(tmp_path, matlab=matlab)
    _, classes = xlsa17_content()
    raw = load_zero_shot(path, attributes="original_att").attributes
    scaled = load_zero_shot(path).attributes
    for table, key in ((raw, "original_att"), (scaled, "att")):
        assert np.argwhere(np.isnan(table)).tolist() == [[1, 2]]
        known = ~np.isnan(table)
        np.testing.assert_allclose(table[known], classes[key].T[known])


def test_a_set_without_class_names_like_flo_gets_numbers(tmp_path):
    path = write_xlsa17(tmp_path, name="FLO", allclasses_names=None, original_att=None)
    data = load_zero_shot(path)
    assert data.class_names.tolist() == ["class_1", "class_2", "class_3", "class_4"]
    assert data.provenance["card"] == "FLO"
    assert list(data.splits) == ["proposed"]


def test_the_papers_split_comes_from_the_card_where_the_classes_are_there(tmp_path, monkeypatch):
    pascal = ["aeroplane", "bicycle", "bird"]
    yahoo = ["donkey", "monkey", "goat", "wolf", "jetski", "zebra", "centaur", "mug", "statue",
             "building", "bag", "carriage"]  # fmt: skip
    images = {
        "features": np.random.default_rng(0).random((4, 15)),
        "labels": np.arange(1.0, 16)[:, None],
    }
    names = cells(yahoo + pascal)
    (tmp_path / "APY").mkdir()
    write_v5(tmp_path / "APY" / "res101.mat", images)
    att = np.random.default_rng(1).random((5, 15))
    write_v5(tmp_path / "APY" / "att_splits.mat", {"att": att, "allclasses_names": names})
    monkeypatch.chdir(tmp_path / "APY")
    for place in (tmp_path / "APY", "."):
        assert load_zero_shot(place).splits["paper"].unseen.tolist() == list(range(12))


def test_several_objects_in_one_image_are_only_odd(tmp_path):
    path = write_xlsa17(tmp_path, image_files=["one.jpg"] * 12)
    assert load_zero_shot(path).image_names.tolist() == ["one.jpg"] * 12
    assert any("more than once" in str(p) for p in check(path))


def test_version_73_without_h5py_names_the_extra(tmp_path, monkeypatch):
    path = write_xlsa17(tmp_path, matlab="7.3")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(InputError, match=r'res101\.mat: MATLAB 7\.3 .*pip install -e "\.\[matlab'):
        load_zero_shot(path)


@pytest.mark.parametrize("compressed", [False, True])
def test_the_reader_agrees_with_scipy(tmp_path, compressed):
    rng = np.random.default_rng(0)
    content = {
        dtype: (rng.random((3, 4)) * 100).astype(dtype)
        for dtype in ("f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
    }
    texts = ["a", "bär", "", "Ελλάδα", "long " * 20]
    content |= {"cell": cells(texts), "rows": np.array(["ab ", "cde"]), "tall": np.ones((5, 1))}
    content |= {"other": {"a": 1.0}, "complex": np.ones(2) * 1j}
    path = tmp_path / "a.mat"
    savemat(path, content, do_compression=compressed)
    numbers = [n for n in content if n not in ("cell", "rows", "other", "complex")]
    mine = read_mat5(path.read_bytes(), [*numbers, "cell", "rows", "absent"])
    theirs = loadmat(path)
    for name in numbers:
        np.testing.assert_array_equal(mine[name], theirs[name])
        assert mine[name].dtype == theirs[name].dtype
    assert mine["cell"] == texts
    assert mine["rows"] == ["ab", "cde"]
    assert set(mine) == {*numbers, "cell", "rows"}
    for name in ("other", "complex"):
        with pytest.raises(Damaged, match=f"variable '{name}' is neither"):
            read_mat5(path.read_bytes(), [name])


@pytest.mark.parametrize(
    ("features", "version", "message"),
    [
        (csr_matrix(np.eye(3)), "5", "variable 'features' is a sparse matrix; store it full"),
        (np.eye(3) * 1j, "5", "variable 'features' is neither real numbers"),
        (np.eye(3), "4", "a MATLAB 4 file; save it again with -v7"),
    ],
)
def test_whole_files_of_another_kind_are_not_called_damaged(tmp_path, features, version, message):
    savemat(tmp_path / "f.mat", {"features": features}, format=version)
    with pytest.raises(InputError, match=message) as told:
        read_matrix(tmp_path / "f.mat", Report())
    assert "copy it again" not in str(told.value)


def test_every_damaged_byte_is_read_or_refused_but_nothing_else(tmp_path):
    path = tmp_path / "a.mat"
    savemat(path, {"x": np.eye(2), "names": cells(["ab", "c"])})
    raw = path.read_bytes()
    refused = 0
    for i in range(124, len(raw)):
        for value in (0, 15, 255):
            damaged = raw[:i] + bytes([value]) + raw[i + 1 :]
            try:
                read_mat5(damaged, ["x", "names"])
            except (Damaged, UnicodeDecodeError):
                refused += 1
    assert refused > 100
