import numpy as np
import pytest

from sapwood.data import check, load
from sapwood.data.check import warnings_about
from sapwood.errors import InputError
from tests.data.layouts import arrays, write_npz, write_xlsa17


def test_a_sound_set_has_nothing_to_say(tmp_path):
    assert check(write_npz(tmp_path)) == []


def test_every_error_is_reported_not_only_the_first(tmp_path):
    content = arrays()
    content["features"][1, 1] = np.nan
    content["features"][2] = np.inf
    content["labels"][0] = 77
    content["attributes"][3] = np.nan
    content["attribute_names"] = content["attribute_names"][:-1]
    content["class_names"][1] = content["class_names"][0]
    content["paper_unseen_classes"] = np.array([8])
    path = write_npz(tmp_path, **content)
    found = [str(p) for p in check(path)]
    expected = [
        "6 NaN or infinite values in 2 rows, first at (row, column) (1, 1), (2, 0), (2, 1)",
        "attribute_names: 5 names for 6",
        "class_names: given twice: 'zebra'",
        "attributes: no attribute at all for 'pig'",
        "labels: 1 image of classes without attributes",
    ]
    for text in expected:
        assert any(text in line for line in found), (text, found)
    with pytest.raises(InputError, match=rf"\(and 4 more; run `sapwood data check {path}`\)$"):
        load(path)


def test_oddities_are_warnings_and_the_set_still_loads(tmp_path):
    content = arrays()
    content["features"][:, 2] = 1
    content["features"][5] = content["features"][4]
    content["attributes"][2] = 0
    content["attributes"][1] = content["attributes"][0]
    content["attributes"][:, 3] = 0
    content["image_files"][1] = content["image_files"][0]
    content["labels"][:3] = -1
    for part in ("train", "val", "trainval", "test_seen", "test_unseen"):
        content[f"ps_{part}"] = None
    content["note"] = np.array("hello")
    path = write_npz(tmp_path, **content)
    found = check(path)
    expected = {
        "features": ["1 of 5 features are constant, first column 2", "1 image has the same"],
        "attributes": ["all zero for 'rat'", "same row for another class as for 'zebra'",
                       "1 column is the same for all classes, first column 3"],
        "image_names": ["given more than once: 'zebra/0.jpg'"],
        "labels": ["no annotated image of 'zebra'"],
        "note": ["an array of this name is not used"],
    }  # fmt: skip
    for where, texts in expected.items():
        for text in texts:
            assert any(p.where.endswith(where) and text in p.message for p in found), text
    # No model can be fitted to a class of which nothing is said.
    assert [p.message for p in found if p.severity == "error"] == ["all zero for 'rat'"]
    assert load(path).labels[0] == -1


def test_cells_that_are_no_numbers_are_told_once(tmp_path):
    (tmp_path / "features.csv").write_text("image,a,b\n1,1,2\n2,2,1\n3,0,1\n")
    (tmp_path / "annotations.csv").write_text("image,class\n1,owl\n2,jay\n")
    (tmp_path / "attributes.csv").write_text("class,colour,size\nowl,red,2\njay,red,2\n")
    (found,) = check(tmp_path)
    assert found.message.startswith("2 cells are not numbers, first 'red'")


def test_tags_and_tables_are_checked_too(tmp_path):
    np.savez(tmp_path / "t.npz", tags=np.array([[1, 0], [0, 0]]))
    assert [p.message for p in check(tmp_path / "t.npz")] == [
        "1 image without any",
        "1 of 2 columns never used",
    ]
    (tmp_path / "f.csv").write_text("image,f1\na,1\na,2\n")
    assert check(tmp_path / "f.csv")[0].severity == "error"


def test_a_folder_is_named_in_every_problem(tmp_path):
    path = write_xlsa17(tmp_path, version="1")
    assert all(p.where.startswith(str(path)) for p in check(path))


def test_the_version_of_a_split_is_for_who_asks(tmp_path):
    path = write_xlsa17(tmp_path, version="1")
    assert any("this is version 1: do not tune" in str(problem) for problem in check(path))
    data = load(path)
    assert data.splits["proposed"].version == "1"
    assert not any("split" in problem.where for problem in warnings_about(data, path))


def test_what_is_not_there_is_a_problem_not_an_exception(tmp_path):
    (found,) = check(tmp_path / "none.npz")
    assert found.severity == "error"
    assert "no such file" in str(found)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("labels", lambda y: np.full_like(y, -1), "no image is annotated"),
        ("labels", lambda y: np.where(y == y[0], y, -1), "all annotated images are of"),
        ("features", np.ones_like, "all images have the same features"),
        (
            "features",
            lambda X: np.where(np.arange(X.size).reshape(X.shape) == 3, 1e101, X),
            "beyond",
        ),
    ],
)
def test_what_no_model_can_use_is_an_error(tmp_path, name, change, said):
    content = arrays()
    content[name] = change(content[name].astype(float) if name == "features" else content[name])
    found = check(write_npz(tmp_path, **content))
    assert any(p.severity == "error" and said in p.message for p in found), found
