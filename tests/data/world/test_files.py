"""The world on disk: it reads back, and a folder that cannot be written is named."""

import errno
from pathlib import Path

import numpy as np
import pytest

from sapwood import data
from sapwood.data.world import make_attribute_world, write_attribute_world
from sapwood.errors import InputError


@pytest.fixture(scope="module")
def world():
    return make_attribute_world(seen=4, unseen=2, strangers=1, per_class=7, web=5, size=24)


@pytest.fixture(scope="module")
def folder(world, tmp_path_factory):
    return write_attribute_world(world, tmp_path_factory.mktemp("out") / "new" / "world")


def test_the_npz_reads_back(world, folder):
    read = data.load(folder / "world.npz")
    assert (read.features == world.features).all()
    assert (read.labels == world.labels).all()
    assert (read.attributes == world.attributes).all()
    assert read.class_names.tolist() == world.class_names
    assert read.attribute_names.tolist() == world.attribute_names
    assert read.image_names.tolist() == world.image_files
    assert read.splits["paper"].unseen.tolist() == world.unseen.tolist()


def test_tags_and_web_pictures_read_back(world, folder):
    tags, web = data.load(folder / "tags.npz"), data.load(folder / "web.npz")
    assert (tags.tags == world.tags).all()
    assert (tags.concepts == world.concepts).all()
    assert tags.tag_names.tolist() == world.tag_names
    assert (web.features == world.web_features).all()


def test_the_tables_read_back_as_anybodys_own_data(world, folder):
    read = data.load(folder / "tables")
    seen = np.isin(world.labels, world.seen)
    assert (read.features == world.features[seen]).all()
    assert np.bincount(read.labels[read.labels >= 0]).tolist() == [5, 5, 5, 5]
    known = read.labels >= 0
    assert (read.labels[known] == world.labels[seen][known]).all()
    assert (read.attributes == world.attributes).all()
    new = data.load_features(folder / "tables" / "new_pictures.csv")
    assert (new.features == world.features[~seen]).all()
    answers = (folder / "tables" / "new_pictures_answers.csv").read_text().splitlines()
    assert answers[1] == f"{world.image_files[28]},{world.class_names[4]}"


def test_every_picture_is_a_file(world, folder):
    assert all((folder / name).is_file() for name in world.image_files + world.web_files)
    assert "28 " not in (folder / "README.txt").read_text()
    assert "42 pictures of 6 classes" in (folder / "README.txt").read_text()


def test_writing_twice_is_no_mistake(world, folder):
    before = (folder / "world.npz").read_bytes()
    write_attribute_world(world, folder)
    assert (folder / "world.npz").read_bytes() == before


def test_a_file_in_place_of_the_folder_is_named(world, tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match=r"cannot make the folder .*taken"):
        write_attribute_world(world, tmp_path / "taken")


def test_an_interrupted_world_is_known_as_one(world, tmp_path):
    def interrupt(stage, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_attribute_world(world, tmp_path, progress=interrupt)
    assert (tmp_path / "README.txt").read_text().startswith("A world of drawn creatures")


def test_a_full_disk_is_named(world, tmp_path, monkeypatch):
    def full(self, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"cannot write .*000\.png: No space left on device"):
        write_attribute_world(world, tmp_path)
