"""Data sets by name, and the problems and cases that are drawn from them."""

import numpy as np
import pytest

from sapwood.benchmark import Asked, Case, datasets, gzsl, zsl
from sapwood.benchmark.datasets import add_data, add_web, get_data, get_web, has_web, register_data
from sapwood.benchmark.draws import (
    allowed_counts,
    draw_generalized,
    draw_standard,
    split_of,
    usual_cases,
)
from sapwood.data import Split, ZeroShotData
from sapwood.errors import InputError


@pytest.fixture(autouse=True)
def _own_names(monkeypatch):
    for name in ("_data", "_web"):
        monkeypatch.setattr(datasets, name, {})
    yield
    get_data.cache_clear()
    get_web.cache_clear()


def data_with(images, unseen=2, classes=8):
    labels = np.repeat(np.arange(classes), images)
    rng = np.random.default_rng(0)
    splits = {
        name: Split(name=name, unseen=np.arange(classes - unseen, classes))
        for name in ("paper", "proposed")
    }
    X, Z = rng.random((len(labels), 4)), rng.random((classes, 3))
    return ZeroShotData(features=X, labels=labels, attributes=Z, splits=splits)


def test_a_file_is_known_by_its_stem_and_an_array_of_it_by_both(data_file, tmp_path):
    with np.load(data_file) as arrays:
        held = dict(arrays)
    np.savez(data_file, **held, others=held["attributes"][:, :4])
    assert add_data(str(data_file)) == add_data(str(data_file)) == "birds"
    assert add_data(f"{data_file}:others") == "birds:others"
    assert get_data("birds").attributes.shape == (8, 9)
    assert get_data("birds:others").attributes.shape == (8, 4)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "birds.npz"
    other.write_bytes(data_file.read_bytes())
    with pytest.raises(InputError, match="another data set is called 'birds'"):
        add_data(str(other))
    with pytest.raises(InputError, match="absent: no such file, folder or known data set"):
        add_data("absent")


@pytest.mark.parametrize("array", ["", ":others"])
def test_a_file_that_lacks_only_its_end_is_named(data_file, tmp_path, monkeypatch, array):
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setenv("SAPWOOD_HOME", str(tmp_path / "nothing"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cub.npz").write_bytes(data_file.read_bytes())
    said = f"--data cub{array}: not found .* give --data cub.npz{array}, or set SAPWOOD_DATA=. to"
    with pytest.raises(InputError, match=said):
        add_data(f"cub{array}")
    monkeypatch.setenv("SAPWOOD_DATA", ".")
    assert add_data(f"cub{array}") == f"cub{array}"


def test_web_images_go_with_a_data_set(data_file, tmp_path):
    name = add_data(str(data_file))
    assert not has_web(name)
    with pytest.raises(InputError, match="name some by --web"):
        get_web(name)
    np.savez(tmp_path / "web.npz", features=np.ones((3, 24)))
    add_web(name, str(tmp_path / "web.npz"))
    assert get_web(name).shape == (3, 24)


@pytest.mark.parametrize(
    ("images", "expected"),
    [(60, [5, 10, 15, 20, 25]), (20, [1, 2, 3, 4, 5]), (3, [1, 2, 3]), (1, [1])],
)
def test_small_classes_have_small_k(images, expected):
    register_data("some", lambda: data_with(images))
    assert allowed_counts("some", "paper", Asked(("some",))) == expected


def test_more_annotations_than_images_are_refused():
    register_data("some", lambda: data_with(6))
    assert allowed_counts("some", "paper", Asked(("some",), annotated=(6,))) == [6]
    with pytest.raises(InputError, match="--annotated 7: the largest seen class of some has 6"):
        allowed_counts("some", "paper", Asked(("some",), annotated=(7,)))


@pytest.mark.parametrize("bench", [zsl, gzsl])
def test_data_without_an_image_to_test_on_is_refused(bench):
    register_data("some", lambda: data_with([10] * 6 + [0] * 2))
    with pytest.raises(InputError, match="some: no labelled image of an unseen class to test on"):
        bench.cases(Asked(("some",)))


def test_images_that_are_held_out_cannot_be_annotated():
    register_data("some", lambda: data_with(10))
    assert {c.annotated for c in gzsl.cases(Asked(("some",), annotated=(8,)))} == {8}
    with pytest.raises(InputError, match="--annotated 9: the largest seen class of some has 8"):
        gzsl.cases(Asked(("some",), annotated=(9,)))


def test_the_first_draw_of_everything_comes_first():
    register_data("some", lambda: data_with(3))
    cases = usual_cases("zsl", Asked(("some",), annotated=(1, 2), seeds=2))
    assert [(c.seed, c.split, c.annotated) for c in cases] == [
        (seed, split, K) for seed in (0, 1) for split in ("paper", "proposed") for K in (1, 2)
    ]
    assert {c.split for c in usual_cases("gzsl", Asked(("some",)), splits=("paper",))} == {"paper"}
    with pytest.raises(InputError, match="split 'papre'"):
        usual_cases("zsl", Asked(("some",), splits=("papre",)))


def test_fresh_splits_differ_from_seed_to_seed():
    data = data_with(3, unseen=3, classes=12)
    drawn = [split_of(data, "fresh", seed).unseen.tolist() for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    # The draw that earlier figures were made with.
    assert drawn[0] == np.sort(np.random.default_rng(1000).permutation(12)[:3]).tolist()


def test_a_problem_annotates_seen_classes_and_asks_for_unseen_ones():
    register_data("some", lambda: data_with(10))
    problem = draw_standard(Case("zsl", "some", "paper", 3, 1))
    assert np.bincount(problem.y[problem.y >= 0]).tolist() == [3] * 6
    assert set(problem.truth) == {6, 7}
    assert len(problem.X) == 60
    mixed = draw_generalized(Case("gzsl", "some", "paper", 3, 1))
    assert np.bincount(mixed.y[mixed.y >= 0]).tolist() == [3] * 6
    assert np.bincount(mixed.truth).tolist() == [2] * 6 + [10, 10]
    assert len(mixed.X) == 48


def test_the_demo_is_smaller_in_a_quick_run(monkeypatch):
    asked = {}
    for kept in (get_data, datasets.get_world):
        kept.cache_clear()

    def make(**options):
        asked.update(options)
        raise InputError("not here")

    monkeypatch.setattr(datasets, "make_attribute_world", make)
    with pytest.raises(InputError, match="not here"):
        get_data("demo", quick=True)
    assert asked == datasets.SMALL


def test_draws_are_those_of_earlier_figures(shared_data):
    problem = draw_standard(Case("zsl", "cub", "paper", 5, 0))
    assert (problem.y >= 0).sum() == 750
    assert len(problem.X) == 8842
    mixed = draw_generalized(Case("gzsl", "cub", "paper", 5, 0))
    assert len(mixed.X) + len(mixed.X_test) == 11788
    assert np.isin(mixed.truth, mixed.unseen).sum() == 2946
