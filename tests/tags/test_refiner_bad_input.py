import numpy as np
import pytest
import scipy.sparse

from sapwood.errors import InputError
from sapwood.tags import TagRefiner

X = np.random.default_rng(0).random((6, 4))
T = np.eye(6, 3)


@pytest.mark.parametrize(
    ("X", "tags", "message"),
    [
        (X, T[:5], "X has 6, tags has 5 rows"),
        (X[:5], [["sea"]] * 6, "X has 5, tags has 6 rows"),
        (X, None, "tags is None"),
        (X, 5, "expected numbers of shape"),
        (X, np.zeros((6, 3)), "no image has a tag"),
        (X, [[]] * 6, "stop list"),
        (X, ["a", "b", "c", "d", "e", "f"], r"expected numbers of shape \(images, tags\)"),
        (X, [["a"], ["b"], "c", ["d"], [], []], r"tags\[2\] is 'c'"),
        (X, [["a"], [1], [], [], [], []], r"tags\[1\] is \[1\]"),
        (X, [[0, 1], [1]], "unequal length"),
        (X, -T, "negative, NaN or infinite"),
        (X, np.where(T, np.nan, 0), "negative, NaN or infinite"),
        (X, np.empty((6, 0)), "at least one image and one tag"),
        (X, T[:, 0], "expected numbers of shape"),
        (X, scipy.sparse.coo_array(T[:, 0]), "expected numbers of shape"),
        ([[1.0, 2.0], [3.0]], T[:2], "X has rows of unequal length"),
        (X[:1], T[:1], "2 images or more"),
        (np.ones((6, 4)), T, "X is constant"),
        (np.where(X > 0.9, np.nan, X), T, "contains NaN"),
        (np.empty((6, 0)), T, "none of them 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_training_data_that_cannot_be_used_is_refused(X, tags, message):
    with pytest.raises(InputError, match=message):
        TagRefiner().fit(X, tags)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "robst"}, "did you mean 'robust'"),
        ({"graph": "tree"}, "graph is 'tree'"),
        ({"own": 1.5}, "a share from 0 to 1"),
        ({"m": 5}, "m has no meaning under preset='robust'"),
        ({"preset": "paper", "ridge": 1.0}, "ridge has no meaning"),
        ({"features": "raw"}, "features is 'raw'"),
        ({"n_tags": 0}, "n_tags is 0"),
        ({"random_state": -1}, "random_state is -1"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        TagRefiner(**options).fit(X, T)


def test_names_must_fit_the_columns():
    with pytest.raises(InputError, match="tag_names has 2 names; expected 3"):
        TagRefiner().fit(X, T, tag_names=["a", "b"])


@pytest.mark.parametrize(
    ("X_new", "tags_new", "message"),
    [
        (X[:, :3], T, "X has 3 columns; expected 4"),
        (X, T[:, :2], "tags has 2 columns; expected 3"),
        (X, T[:4], "rows; expected one row"),
        (None, T, "fit was with features"),
    ],
)
def test_new_images_of_another_shape_are_refused(X_new, tags_new, message):
    refiner = TagRefiner().fit(X, T)
    with pytest.raises(InputError, match=message):
        refiner.transform(X_new, tags_new)


def test_a_refiner_of_tags_alone_needs_tags_and_no_features():
    refiner = TagRefiner().fit(None, T)
    with pytest.raises(InputError, match="nothing to go by"):
        refiner.transform(None)
    with pytest.raises(InputError, match="fit was without features"):
        refiner.transform(X, T)


def test_scores_of_other_tags_are_refused():
    refiner = TagRefiner()
    scores = refiner.fit_transform(X, T)
    with pytest.raises(InputError, match="give the scores that transform made"):
        refiner.decide(scores[:3], T)


@pytest.mark.parametrize("with_features", [True, False])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda X, T: (X, np.where(np.arange(len(T))[:, None] < 20, 0, T)),
        lambda X, T: (X, np.column_stack([T, np.zeros(len(T))])),
        lambda X, T: (np.repeat(X[:20], 3, axis=0), np.repeat(T[:20], 3, axis=0)),
        lambda X, T: (X, np.ones_like(T)),
        lambda X, T: (X, T[:, :1]),
        lambda X, T: (X[:2], T[:2] + 1),
        lambda X, T: (np.vstack([X[:-1], 0 * X[:1]]), T),
        lambda X, T: (X, scipy.sparse.csr_array(T * np.arange(1, 5))),
    ],
    ids=[
        "empty rows",
        "a tag nobody used",
        "duplicated images",
        "all rows equal",
        "a vocabulary of one",
        "two images",
        "an image without features",
        "weights",
    ],
)
def test_poor_data_gives_numbers_all_the_same(draw_photos, spoil, with_features):
    photos = draw_photos(n=60, t=4)
    X, tags = spoil(photos.X, photos.tags.astype(float))
    refiner = TagRefiner()
    refined = refiner.fit_transform(X if with_features else None, tags)
    assert refined.shape == tags.shape
    assert np.isfinite(refined).all()
    again = refiner.transform(X if with_features else None, tags)
    assert np.isfinite(again).all()
    assert sum(refiner.decide(refined, tags).counts().values()) > 0


def test_a_tag_nobody_used_is_not_given_to_anybody(photos):
    tags = np.column_stack([photos.tags, np.zeros(len(photos.tags))])
    refiner = TagRefiner()
    refined = refiner.fit_transform(photos.X, tags)
    assert not refiner.decide(refined, tags).final[:, -1].any()


@pytest.mark.parametrize("names", [None, ["Dog", "dog", "cat"]])
def test_words_are_refused_where_no_column_can_be_told_by_them(names):
    refiner = TagRefiner().fit(X, T, tag_names=names)
    with pytest.raises(InputError, match="tags are words, and the columns"):
        refiner.transform(X, [["dog"]] * 6)


def test_a_name_that_is_given_twice():
    with pytest.raises(InputError, match="tag_names repeats 'sea'"):
        TagRefiner().fit(X, T, tag_names=["sea", "sea", "sky"])


def test_words_have_names_already():
    with pytest.raises(InputError, match="tag_names is given beside words"):
        TagRefiner().fit(X, [["sea"]] * 6, tag_names=["sea"])


def test_stop_tags_are_a_list():
    with pytest.raises(InputError, match="stop_tags is the text 'sea sky'"):
        TagRefiner(stop_tags="sea sky").fit(X, [["sea"]] * 6)
