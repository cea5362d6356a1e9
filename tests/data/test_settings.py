from itertools import pairwise

import numpy as np
import pytest

from sapwood.data import (
    FeatureTable,
    Split,
    ZeroShotData,
    annotate,
    external_setting,
    generalized_setting,
    hold_out,
    load_tables,
    load_zero_shot,
    standard_setting,
)
from sapwood.errors import InputError
from tests.data.layouts import write_tables


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.repeat(np.arange(6), [10, 11, 12, 3, 10, 10]))
    labels[labels == 5] = -1
    n = len(labels)
    paper = Split(name="paper", unseen=np.array([1, 4]))
    rows = [np.flatnonzero(labels == c) for c in range(5)]
    parts = {
        "trainval": np.concatenate([rows[c][2:] for c in (0, 2, 3)]),
        "test_seen": np.concatenate([rows[c][:2] for c in (0, 2, 3)]),
        "test_unseen": np.concatenate([rows[1], rows[4]]),
    }
    proposed = Split(name="proposed", unseen=np.array([1, 4]), **parts)
    return ZeroShotData(
        features=rng.random((n, 4)), labels=labels, attributes=rng.random((5, 3)),
        splits={"paper": paper, "proposed": proposed}, annotated={"web": rows[2][::-1]},
    )  # fmt: skip


def test_annotation_is_the_published_sampler(data):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        expected = [rng.permutation(np.flatnonzero(data.labels == c))[:4] for c in (0, 2, 3)]
        drawn = annotate(data.labels, [3, 0, 2], 4, seed)
        assert drawn.tolist() == np.concatenate(expected).tolist()


def test_annotation_is_frozen_in_time():
    """These rows were drawn when the sampler was written; they must never change."""
    labels = np.repeat([0, 1], 5)
    assert annotate(labels, [0, 1], 2, 0).tolist() == [2, 4, 9, 6]


def test_annotation_is_nested_and_takes_what_there_is(data):
    sets = [set(annotate(data.labels, [0, 2, 3], k, 7).tolist()) for k in (1, 2, 5, 11, None)]
    for small, large in pairwise(sets):
        assert small < large
    assert len(sets[2]) == 5 + 5 + 3
    assert sets[-1] == set(np.flatnonzero(np.isin(data.labels, [0, 2, 3])).tolist())


def test_standard_setting(data):
    setting = standard_setting(data, annotated=2, seed=3)
    seen_or_unknown = np.flatnonzero(np.isin(data.labels, [0, 2, 3, -1]))
    np.testing.assert_array_equal(setting.train, seen_or_unknown)
    np.testing.assert_array_equal(setting.test_unseen, np.flatnonzero(np.isin(data.labels, [1, 4])))
    known = setting.train[setting.y >= 0]
    assert set(known) == set(annotate(data.labels, [0, 2, 3], 2, 3))
    np.testing.assert_array_equal(setting.y[setting.y >= 0], data.labels[known])
    assert len(setting.test_seen) == 0
    X, y = setting.training(data)
    np.testing.assert_array_equal(X, data.features[setting.train])
    assert y is setting.y


def test_a_split_with_rows_is_followed(data):
    split = data.splits["proposed"]
    standard = standard_setting(data, "proposed", annotated=1)
    np.testing.assert_array_equal(standard.train, np.sort(split.trainval))
    generalized = generalized_setting(data, "proposed", annotated=1)
    np.testing.assert_array_equal(generalized.test_seen, np.sort(split.test_seen))
    np.testing.assert_array_equal(generalized.train, np.sort(split.trainval))


def test_a_fifth_of_each_seen_class_is_held_out_before_annotation(data):
    one, five = (generalized_setting(data, annotated=k, seed=2) for k in (1, 5))
    np.testing.assert_array_equal(one.test_seen, five.test_seen)
    counts = np.bincount(data.labels[one.test_seen], minlength=5)
    assert counts.tolist() == [2, 0, 2, 1, 0]
    assert not np.intersect1d(one.train, one.test_seen).size
    everything = np.concatenate([one.train, one.test_seen, one.test_unseen])
    assert sorted(everything) == list(range(len(data.labels)))
    assert set(one.train[one.y >= 0]) < set(five.train[five.y >= 0])
    expected = annotate(data.labels, [0, 2, 3], 5, 2, rows=one.train)
    assert set(five.train[five.y >= 0]) == set(expected)


def test_the_stream_of_the_hold_out_is_as_documented(data):
    rng = np.random.default_rng([4, 1])
    expected = []
    for c in (0, 2, 3):
        own = rng.permutation(np.flatnonzero(data.labels == c))
        expected += own[: int(0.2 * len(own) + 0.5)].tolist()
    assert hold_out(data.labels, [0, 2, 3], 0.2, 4).tolist() == sorted(expected)


def test_a_class_of_one_image_keeps_it():
    assert hold_out([0, 1, 1], [0, 1], 0.9).tolist() in ([1], [2])


def test_external_setting_uses_only_annotated_rows_and_the_images_from_elsewhere(data):
    extra = FeatureTable(features=np.ones((7, 4)))
    setting = external_setting(data, extra, annotated=2, seed=1)
    assert set(setting.train) == set(annotate(data.labels, [0, 2, 3], 2, 1))
    assert (setting.y == data.labels[setting.train]).all()
    X, y = setting.training(data)
    assert X.shape == (len(setting.train) + 7, 4)
    assert y[-7:].tolist() == [-1] * 7


def test_a_published_list_is_taken_from_its_beginning(data):
    setting = external_setting(data, np.ones((1, 4)), annotated=3, listed="web")
    assert setting.train.tolist() == sorted(data.annotated["web"][:3])
    with pytest.raises(InputError, match=r"^listed='wbe': no such list of rows; .*has: web"):
        external_setting(data, np.ones((1, 4)), listed="wbe")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: standard_setting(d, annotated=0), r"^annotated=0: not a number of images; give"),
        (lambda d: standard_setting(d, annotated=True), r"^annotated=True: .*give 1 or more"),
        (lambda d: standard_setting(d, seed=-1), r"^seed=-1: not a seed; give"),
        (lambda d: generalized_setting(d, holdout=1.0), r"^holdout=1\.0: not a share; give"),
        (lambda d: external_setting(d, np.ones((2, 3))), r"^extra: 3 features, but .* has 4; use"),
        (lambda d: external_setting(d, [[np.nan] * 4]), r"^extra: 4 NaN or infinite values"),
    ],
)
def test_mistakes_are_told_in_one_line(data, call, message):
    with pytest.raises(InputError, match=message):
        call(data)


def test_a_set_without_annotations_of_seen_classes_is_refused():
    data = ZeroShotData(features=np.eye(3), labels=[-1, -1, 1], attributes=np.eye(2))
    with pytest.raises(InputError, match=r"^annotated: no image of a seen class is annotated; ann"):
        standard_setting(data, Split(name="mine", unseen=np.array([1])))


@pytest.mark.parametrize("text", ["image,class\n", "image,class\na.jpg,\n"])
def test_the_file_without_annotations_is_named(tmp_path, text):
    write_tables(tmp_path, annotations=text)
    paths = [tmp_path / f"{part}.csv" for part in ("features", "annotations", "attributes")]
    for data, where in (
        (load_zero_shot(tmp_path), f"{tmp_path}: annotations.csv"),
        (load_tables(*paths), str(paths[1])),
    ):
        with pytest.raises(InputError) as told:
            standard_setting(data, None)
        assert str(told.value).startswith(f"{where}: no image of a seen class is annotated")
