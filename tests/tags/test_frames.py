"""Data frames in place of arrays: columns go by their names."""

import numpy as np
import pytest

from sapwood.errors import InputError
from sapwood.tags import OneVsAllSVM, SocialImageAnnotator, TagRefiner

pd = pytest.importorskip("pandas")
NAMES = ["dog", "Sea", "sky"]


@pytest.fixture
def framed(draw_photos):
    photos = draw_photos(n=60, d=5, t=3)
    columns = [f"f{j}" for j in range(5)]
    return pd.DataFrame(photos.X, columns=columns), pd.DataFrame(photos.tags, columns=NAMES)


def turned(frame):
    return frame[frame.columns[::-1]]


def test_tags_in_another_order_are_brought_into_that_of_fit(framed):
    X, tags = framed
    refiner = TagRefiner().fit(X, tags)
    assert refiner.tag_names_ == NAMES
    expected = refiner.transform(X, tags)
    np.testing.assert_array_equal(refiner.transform(X, turned(tags)), expected)
    spelled = turned(tags).rename(columns=str.upper)
    np.testing.assert_array_equal(refiner.transform(X, spelled), expected)
    given = refiner.decide(expected, turned(tags)).counts()
    assert given == refiner.decide(expected, tags).counts()


def test_names_that_differ_in_their_spelling_alone_are_told_apart(framed):
    X, tags = framed
    tags = tags.rename(columns={"dog": "sea"})
    refiner = TagRefiner().fit(X, tags)
    expected = refiner.transform(X, tags.to_numpy())
    np.testing.assert_array_equal(refiner.transform(X, tags), expected)
    np.testing.assert_array_equal(refiner.transform(X, turned(tags)), expected)
    with pytest.raises(InputError, match="names that mean the same"):
        refiner.transform(X, tags.rename(columns={"sea": "SEA", "Sea": "sEA"}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda tags: tags.rename(columns={"sky": "sun"}),
            "has 'sun', which fit had not and lacks",
        ),
        (lambda tags: tags.drop(columns="sky"), "lacks 'sky', which fit had;"),
        (lambda tags: tags.assign(sun=0), "has 'sun', which fit had not;"),
    ],
    ids=["renamed", "missing", "more"],
)
def test_tags_of_other_names_are_refused(framed, change, message):
    X, tags = framed
    refiner = TagRefiner().fit(X, tags)
    with pytest.raises(InputError, match=message):
        refiner.transform(X, change(tags))
    assert refiner.transform(X, turned(tags).to_numpy()).shape == (60, 3)


@pytest.mark.parametrize("saved", [False, True])
def test_features_of_other_names_are_refused(framed, saved, tmp_path):
    X, tags = framed
    flags = np.asarray(tags) > 0
    for model, given in (
        (TagRefiner().fit(X, tags), {"tags": tags}),
        (SocialImageAnnotator(C=1.0, tag_weight=1.0).fit(X, tags, flags), {"tags": tags}),
        (OneVsAllSVM(C=1.0).fit(X, flags), {}),
    ):
        if saved and hasattr(model, "save"):
            model.save(tmp_path / "model")
            model = type(model).load(tmp_path / "model")
        answer = model.transform if hasattr(model, "transform") else model.decision_function
        with pytest.raises(ValueError, match="feature names should match"):
            answer(turned(X), **given)
        assert len(answer(X, **given)) == 60


def test_concepts_and_tags_are_matched_by_the_names_of_their_columns(framed):
    X, tags = framed
    annotator = SocialImageAnnotator(C=1.0, tag_weight=1.0).fit(X, tags, turned(tags))
    assert annotator.concept_names_ == NAMES[::-1]
    assert annotator.tag_names_ == annotator.refiner_.tag_names_ == NAMES
    assert annotator.named_.tags.tolist() == [2, 1, 0]
    np.testing.assert_array_equal(
        annotator.decision_function(X, turned(tags)), annotator.decision_function(X, tags)
    )


def test_any_kind_of_number_is_one(framed):
    X, tags = framed
    expected = TagRefiner().fit_transform(X, tags)
    mixed = tags.astype({"dog": bool})
    for other in (tags.convert_dtypes(), mixed, tags.astype("boolean")):
        np.testing.assert_allclose(TagRefiner().fit_transform(X, other), expected)
    np.testing.assert_allclose(TagRefiner().fit_transform(X.convert_dtypes(), tags), expected)
    holed = X.convert_dtypes()
    holed.iloc[3, 1] = pd.NA
    with pytest.raises(InputError, match=r"NaN or inf in 1 rows \(first: row 3"):
        TagRefiner().fit(holed, tags)
    with pytest.raises(InputError, match="not numbers"):
        TagRefiner().fit(X.astype(str), tags)


def test_numbers_as_names_are_no_names(framed):
    X, tags = (pd.DataFrame(np.asarray(frame)) for frame in framed)
    refiner = TagRefiner().fit(X, tags)
    assert refiner.tag_names_ == ["tag 0", "tag 1", "tag 2"]
    assert refiner.transform(X, turned(tags)).shape == (60, 3)
