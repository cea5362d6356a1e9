"""NUS-WIDE and MIRFLICKR from the folders their authors give."""

import numpy as np
import pytest

from sapwood.data import check, load_tags
from sapwood.data.problems import Report
from sapwood.data.tag_text import read_indicators, read_marks
from sapwood.errors import InputError
from tests.data.original_layouts import (
    NUS_CONCEPTS,
    NUS_IMAGES,
    NUS_TAGS,
    features_for,
    write,
    write_features,
    write_mirflickr,
    write_nus_wide,
)

TAGGED = [0, 2, 3, 4]


def test_nus_wide_drops_images_without_tags(tmp_path):
    folder = write_nus_wide(tmp_path / "nus")
    data = load_tags(folder)
    np.testing.assert_array_equal(data.tags, NUS_TAGS[TAGGED])
    np.testing.assert_array_equal(data.concepts, NUS_CONCEPTS[TAGGED])
    assert data.image_names.tolist() == [NUS_IMAGES[i] for i in TAGGED]
    assert data.tag_names.tolist() == ["nature", "sky", "lake"]
    assert data.concept_names.tolist() == ["person", "lake"]
    assert data.train.tolist() == [0, 2]
    assert data.test.tolist() == [1, 3]
    assert data.features is None
    assert data.provenance["dropped"] == "1 images without any of the tags"
    assert data.tags.dtype == np.uint8
    assert not [p for p in check(folder) if p.severity == "error"]


def test_nus_wide_in_halves_is_the_same(tmp_path):
    whole = load_tags(write_nus_wide(tmp_path / "whole"))
    halves = load_tags(write_nus_wide(tmp_path / "halves", halves=True))
    order = [halves.image_names.tolist().index(name) for name in whole.image_names]
    np.testing.assert_array_equal(halves.tags[order], whole.tags)
    np.testing.assert_array_equal(halves.concepts[order], whole.concepts)
    assert set(halves.image_names[halves.train]) == set(whole.image_names[whole.train])


def test_nus_wide_with_features_in_the_same_order_or_by_name(tmp_path):
    folder = write_nus_wide(tmp_path / "nus")
    np.save(tmp_path / "f.npy", features_for(NUS_IMAGES))
    assert load_tags(folder, features=tmp_path / "f.npy").features[:, 0].tolist() == TAGGED
    # Links of some images are dead: no features for them, so they are dropped too.
    few = write_features(tmp_path / "few.npz", NUS_IMAGES, order=[4, 0, 1])
    with pytest.warns(UserWarning, match="2 of 5 images have no features"):
        data = load_tags(folder, features=few)
    assert data.features[:, 0].tolist() == [0, 4]
    assert (data.train.tolist(), data.test.tolist()) == ([0], [1])
    np.save(tmp_path / "short.npy", np.eye(4))
    with pytest.raises(InputError, match="4 rows without names for 5 images listed"):
        load_tags(folder, features=tmp_path / "short.npy")


def test_the_bad_label_of_nus_wide_counts_as_none(tmp_path):
    folder = write_nus_wide(tmp_path, halves=True)
    path = folder / "Groundtruth" / "TrainTestLabels" / "Labels_lake_Train.txt"
    write(path, "0", "-1130179", "1")
    problems = [p for p in check(folder) if "Labels_lake_Train" in p.where]
    assert [p.severity for p in problems] == ["warning"]
    assert "1 values are neither 0 nor 1, first '-1130179' in line 2" in problems[0].message
    assert load_tags(folder).concepts[:, 1].sum() == 1


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("NUS_WID_Tags/AllTags1k.txt", "0\t1\t0\t\n0\t1\t\n", "row 2 is not 3 values of 0 and 1"),
        ("NUS_WID_Tags/AllTags1k.txt", "0\t1\t2\t\n", "row 1 is not 3 values of 0 and 1"),
        ("NUS_WID_Tags/AllTags1k.txt", "0\t1\t0\t\n", "1 rows for 5 images"),
        ("NUS_WID_Tags/TagList1k.txt", "one\n", "1 rows for 3 tags"),
        ("ImageList/TestImagelist.txt", "no\\such.jpg\n", "1 of 1 images are not in Imagelist.txt"),
        ("Groundtruth/AllLabels/Labels_lake.txt", "0\n1\n", "2 rows for 5 images"),
        ("ConceptsList/Concepts81.txt", "person\nlake\nzoo\n", "no labels for the concepts 'zoo'"),
    ],
)
def test_damaged_nus_wide_files_are_named(tmp_path, file, text, message):
    folder = write_nus_wide(tmp_path / "nus")
    (folder / file).write_text(text)
    assert any(message in str(p) for p in check(folder))
    with pytest.raises(InputError, match=message.split(" '")[0]):
        load_tags(folder)


def test_nus_wide_without_ground_truth(tmp_path):
    folder = write_nus_wide(tmp_path)
    for path in (folder / "Groundtruth").rglob("*.txt"):
        path.unlink()
    assert load_tags(folder).concepts is None
    assert any("no Labels_*.txt" in p.message for p in check(folder))


def test_large_matrices_of_tags_are_read_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("sapwood.data.tag_text._BLOCK", 64)
    tags = (np.random.default_rng(0).random((50, 7)) < 0.3).astype(np.uint8)
    path = write(tmp_path / "t.txt", *("\t".join(map(str, row)) + "\t" for row in tags))
    np.testing.assert_array_equal(read_indicators(path, Report()), tags)
    assert read_marks(write(tmp_path / "m.txt", "0", "1"), Report()).tolist() == [0, 1]
    with pytest.raises(InputError, match="no line of 0 and 1"):
        read_indicators(write(tmp_path / "e.txt", " "), Report())


def test_mirflickr_folder(tmp_path, monkeypatch):
    folder = write_mirflickr(tmp_path)
    data = load_tags(folder)
    assert data.image_names.tolist() == ["im1.jpg", "im3.jpg", "im11.jpg"]
    assert data.tag_names.tolist() == ["sky", "sunset", "größe"]
    assert data.tags.tolist() == [[1, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert data.concept_names.tolist() == ["baby", "sky"]
    assert data.concepts.tolist() == [[0, 1], [0, 1], [1, 0]]
    strict = load_tags(folder, concepts="strict")
    assert strict.concept_names.tolist() == ["sky"]
    assert strict.concepts.ravel().tolist() == [1, 0, 0]
    assert not [p for p in check(folder) if p.severity == "error"]
    with pytest.raises(InputError, match="give wide or strict"):
        load_tags(folder, concepts="r1")
    given = write_features(tmp_path / "f.npz", [f"im{i}" for i in (1, 2, 3, 10, 11)])
    assert load_tags(folder, features=given).features[:, 0].tolist() == [0, 2, 4]
    monkeypatch.chdir(folder / "mirflickr")
    for place in (folder / "mirflickr", "."):
        assert load_tags(place).concept_names.tolist() == ["baby", "sky"]


def test_common_tags_of_mirflickr_are_cleaned(tmp_path):
    folder = write_mirflickr(tmp_path)
    common = folder / "mirflickr" / "doc" / "common_tags.txt"
    write(common, "\ufeffsky 2", "gro\u0308\u00dfe 1")
    assert load_tags(folder).tag_names.tolist() == ["sky", "gr\u00f6\u00dfe"]


def test_mirflickr_without_its_list_of_common_tags(tmp_path, monkeypatch):
    folder = write_mirflickr(tmp_path, common=False)
    assert any("no tag of at least 20 images" in p.message for p in check(folder))
    monkeypatch.setattr("sapwood.data.mirflickr._COMMON", 2)
    assert load_tags(folder).tag_names.tolist() == ["sky", "sunset"]


def test_mirflickr_without_annotations_and_with_a_wrong_one(tmp_path):
    folder = write_mirflickr(tmp_path / "a")
    write(folder / "mirflickr25k_annotations_v080" / "sky.txt", "1", "im3")
    assert any("'im3' is not the number of an image" in p.message for p in check(folder))
    for path in (folder / "mirflickr25k_annotations_v080").iterdir():
        path.unlink()
    assert load_tags(folder).concepts is None


@pytest.mark.parametrize("name", ["flickr8k_tags", "mirflickr_tags"])
def test_tag_sets_by_name(real, name):
    real(f"{name}.npz")
    data = load_tags(name)
    assert data.tags.dtype == np.uint8
    assert len(data.concepts) == len(data.tags)
