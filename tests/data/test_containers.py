import pickle

import numpy as np
import pytest

from sapwood.data import AttributeTable, FeatureTable, Split, TagData, ZeroShotData
from sapwood.errors import InputError
from tests.data.layouts import arrays


def make(**changes):
    fields = {"features": np.eye(3), "labels": [0, 1, -1], "attributes": np.eye(2)}
    return ZeroShotData(**{**fields, **changes})


def test_nobodys_array_is_changed_or_frozen():
    mine = np.eye(3)
    data = make(features=mine)
    assert mine.flags.writeable
    assert np.shares_memory(mine, data.features)
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 5
    for array in (data.labels, data.attributes, data.class_names, data.image_names):
        assert not array.flags.writeable


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floating_features_keep_their_width(dtype):
    assert make(features=np.eye(3, dtype=dtype)).features.dtype == dtype


@pytest.mark.parametrize(
    ("given", "kept"),
    [("uint8", "float32"), ("bool", "float32"), ("int64", "float64"), (">f4", "float32")],
)
def test_other_features_become_floating_and_native(given, kept):
    features = make(features=np.eye(3).astype(given)).features
    assert features.dtype == kept
    assert features.dtype.isnative
    np.testing.assert_array_equal(features, np.eye(3))


def test_names_are_made_up_cleaned_and_kept():
    data = make(class_names=[" owl", "cafe\u0301"])
    assert data.class_names.tolist() == ["owl", "caf\u00e9"]
    assert data.image_names.tolist() == ["image_1", "image_2", "image_3"]


def test_the_first_of_several_problems_is_told_with_their_number():
    with pytest.raises(InputError, match=r"^features: 1 NaN .* \(and 2 more\)$"):
        make(features=[[1, np.nan]] * 1 + [[1, 1]] * 2, labels=[0, 1], class_names=["a", "a"])


def test_ragged_lists_are_refused():
    with pytest.raises(InputError, match=r"^features: rows of different lengths; give an array"):
        make(features=[[1, 2], [3]])


def test_missing_attributes_are_kept_as_nan():
    data = make(attributes=[[1, np.nan], [0, 1]])
    assert np.isnan(data.attributes[0, 1])


def test_splits_are_tidied():
    data = make(attributes=np.eye(4), splits={"mine": Split(name="mine", unseen=[3, 1])})
    assert data.splits["mine"].unseen.tolist() == [1, 3]
    assert data.splits["mine"].seen(4).tolist() == [0, 2]


def test_pickle_keeps_everything():
    data = make(splits={"mine": Split(name="mine", unseen=[1])}, provenance={"path": "x"})
    again = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(again.features, data.features)
    assert again.splits["mine"].unseen.tolist() == [1]
    assert again.provenance == {"path": "x"}


def test_tag_data_knows_its_parts():
    data = TagData(tags=[[1, 0], [0, 1], [1, 1]], concepts=[[1], [0], [1]], train=[0], test=[1, 2])
    assert data.concept_names.tolist() == ["concept_1"]
    assert data.test.tolist() == [1, 2]
    with pytest.raises(InputError, match=r"^test: 1 row both in train and in test, first 0; keep"):
        TagData(tags=[[1], [1]], train=[0, 1], test=[0])


def test_reprs_say_the_shapes():
    assert repr(FeatureTable(features=np.ones((2, 3)))) == "FeatureTable(2 images × 3 features)"
    table = AttributeTable(attributes=arrays()["attributes"])
    assert repr(table) == "AttributeTable(4 classes × 6 attributes)"


def test_images_that_nobody_annotated_are_minus_one():
    given = [[1.0, 0.0], [np.nan, np.nan], [-1.0, -1.0]]
    data = TagData(tags=np.eye(3), concepts=given)
    assert data.concepts.tolist() == [[1, 0], [-1, -1], [-1, -1]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([-1, 0], "1 value negative, NaN or infinite; write 0 or 1, or -1 throughout"),
        ([np.nan, 1], "1 value negative, NaN or infinite"),
        ([-2, -2], "2 values negative, NaN or infinite"),
        ([np.inf, 0], "1 value negative, NaN or infinite"),
    ],
)
def test_concepts_are_known_of_an_image_or_not(row, message):
    with pytest.raises(InputError, match=message):
        TagData(tags=np.eye(2), concepts=[[1.0, 0.0], row])


def test_concepts_that_nobody_knows_are_none():
    with pytest.raises(InputError, match="no image with known concepts"):
        TagData(tags=np.eye(2), concepts=[[-1, -1], [-1, -1]])
