import json

import numpy as np
import pytest

from sapwood.data import Split, get_split, load_zero_shot
from sapwood.errors import InputError
from tests.data.layouts import write_npz


@pytest.fixture
def data(tmp_path):
    return load_zero_shot(write_npz(tmp_path))


def test_by_name(data):
    assert get_split(data) is data.splits["paper"]
    assert get_split(data, "proposed").test_seen.tolist() == [2, 5, 8]


@pytest.mark.parametrize(
    "text",
    [
        "pig\nzebra\n",
        "\ufeffclass\r\nzebra\r\npig\r\n",
        'n;class\n1;"pig"\n2;zebra\n',
        "pig\n\nzebra",
    ],
)
def test_a_list_of_names(data, tmp_path, text):
    path = tmp_path / "unseen.csv"
    path.write_bytes(text.encode())
    split = get_split(data, path)
    assert split.unseen.tolist() == [0, 3]
    assert split.name == "unseen.csv"
    assert split.trainval is None


@pytest.mark.parametrize(
    ("text", "unseen"),
    [
        ("jay\nowl, great\n", [1, 2]),
        ("owl, great\njay\n", [1, 2]),
        ('class\n"owl, great"\njay\n', [1, 2]),
        ("class\nowl, great\n", [1]),
        ("class,why\nowl,rare\n", [0]),
        ("owl; small\n", [3]),
    ],
)
def test_names_with_commas(tmp_path, text, unseen):
    names = np.array(["owl", "owl, great", "jay", "owl; small"])
    data = load_zero_shot(write_npz(tmp_path, class_names=names))
    path = tmp_path / "unseen.txt"
    path.write_text(text)
    assert get_split(data, path).unseen.tolist() == unseen


@pytest.mark.parametrize("text", ["pig, wild\nzebra\n", "pig\nzebra,rat\n", "class\nzebra,rat\n"])
def test_lines_that_are_no_name_are_refused(data, tmp_path, text):
    path = tmp_path / "unseen.txt"
    path.write_text(text)
    with pytest.raises(
        InputError, match=r"line \d has 2 cells and is no class name; keep one class name a line"
    ):
        get_split(data, path)


def test_json_with_rows_or_image_names(data, tmp_path):
    path = tmp_path / "s.json"
    content = {"unseen": ["pig"], "version": "7", "trainval": ["zebra/0.jpg", "rat/7.jpg"],
               "test_seen": [1], "test_unseen": [9]}  # fmt: skip
    path.write_text(json.dumps(content))
    split = get_split(data, str(path))
    assert (split.version, split.trainval.tolist()) == ("7", [0, 7])
    assert split.test_unseen.tolist() == [9]


def test_unknown_images_in_json(data, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"unseen": ["pig"], "trainval": ["zebra/00.jpg"]}))
    with pytest.raises(
        InputError, match=r"trainval: 1 unknown image, first 'zebra/00.jpg'; did you"
    ):
        get_split(data, path)


def test_everything_wrong_with_a_split_file_is_told_at_once(data, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"unseen": ["pigg"], "trainval": ["x"]}))
    with pytest.raises(
        InputError, match=r"'pigg'.*\(and 1 more: trainval: 1 unknown image"
    ) as told:
        get_split(data, path)
    assert "data check" not in str(told.value)


def test_masks_are_rows(data):
    mask = np.isin(np.arange(12), [0, 3])
    split = Split(name="mine", unseen=[False, False, False, True], trainval=mask)
    assert get_split(data, split).unseen.tolist() == [3]
    assert get_split(data, split).trainval.tolist() == [0, 3]
    with pytest.raises(InputError, match=r"trainval: a mask of shape \(2,\) for 12 rows; give"):
        get_split(data, Split(name="mine", unseen=[3], trainval=np.array([True, False])))


def test_a_split_object_is_checked(data):
    assert get_split(data, Split(name="mine", unseen=np.array([2, 1]))).unseen.tolist() == [1, 2]
    with pytest.raises(InputError, match=r"^split 'mine': unseen: 1 of 1 positions outside 0…3"):
        get_split(data, Split(name="mine", unseen=np.array([9])))
