import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.errors import InputError
from sapwood.models.files import read_model, write_model
from sapwood.tags import TagRefiner

WAYS = {
    "robust": {"landmarks": 50, "stop_tags": {"ant"}},
    "paper": {"preset": "paper", "k_g": 10, "m": 5, "tol": 1.0},
    "paper, landmarks": {
        "preset": "paper",
        "graph": "landmark",
        "landmarks": 30,
        "m": 5,
        "tol": 1.0,
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_read_refines_as_what_was_written(photos, tmp_path, way):
    refiner = TagRefiner(**WAYS[way]).fit(photos.X[:200], photos.tags[:200])
    refiner.save(tmp_path / "r.safetensors")
    again = TagRefiner.load(tmp_path / "r.safetensors")
    new = photos.X[200:], photos.tags[200:]
    np.testing.assert_array_equal(again.transform(*new), refiner.transform(*new))
    assert again.add_threshold_ == refiner.add_threshold_
    assert again.tag_names_ == refiner.tag_names_


def test_tags_alone_and_words_come_back(tmp_path):
    words = [["sea", "sky"], ["sea"], ["dog", "sky"], ["dog"]] * 10
    refiner = TagRefiner().fit(None, words)
    refiner.save(tmp_path / "r.safetensors")
    again = TagRefiner.load(tmp_path / "r.safetensors")
    new = [["#Sea", "unheard"], []]
    np.testing.assert_array_equal(again.transform(None, new), refiner.transform(None, new))


def test_the_same_refiner_gives_the_same_file(photos, tmp_path):
    refiner = TagRefiner(landmarks=50).fit(photos.X, photos.tags)
    for name in "ab":
        refiner.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_files_of_something_else_are_refused(photos, tmp_path):
    path = tmp_path / "r.safetensors"
    TagRefiner(landmarks=50).fit(photos.X, photos.tags).save(path)
    with pytest.raises(InputError, match="holds a TagRefiner"):
        SparseAttributePropagation.load(path)
    state = read_model(path, "TagRefiner")
    for change, message in (
        ({"learned/learned": "Pickle"}, "does not describe a TagRefiner"),
        ({"learned/eval": 1}, "does not describe a TagRefiner"),
        ({"n_features_in_": 3}, "do not belong together"),
        ({"tag_names_": ["one"]}, "do not belong together"),
    ):
        write_model(path, "TagRefiner", {**state, **change})
        with pytest.raises(InputError, match=message):
            TagRefiner.load(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match="damaged"):
        TagRefiner.load(path)
