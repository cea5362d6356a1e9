import numpy as np
import pytest
from sklearn.base import BaseEstimator

from sapwood.errors import InputError
from sapwood.models.files import read_model, write_model
from sapwood.tags import SocialImageAnnotator, TagRefiner


@pytest.fixture
def photos():
    rng = np.random.default_rng(0)
    concepts = rng.random((120, 3)) < 0.4
    X = concepts @ rng.random((3, 10)) + 0.1 * rng.random((120, 10))
    tags = (concepts & (rng.random((120, 3)) < 0.7)).astype(float)
    return X, tags, concepts


NAMES = {"concept_names": ["dog", "sea", "joy"], "tag_names": ["Dog", "#sea", "sun"]}


@pytest.mark.parametrize("refiner", ["default", None, TagRefiner(ridge=1.0)])
@pytest.mark.parametrize("inputs", ["tags+features", "tags", "features"])
def test_what_is_read_annotates_as_what_was_written(photos, tmp_path, refiner, inputs):
    X, tags, concepts = photos
    made = SocialImageAnnotator(refiner, inputs=inputs, C=[0.1, 1.0, 2.0])
    made.fit(X[:90], tags[:90], concepts[:90], **NAMES)
    made.save(tmp_path / "a.sap")
    read = SocialImageAnnotator.load(tmp_path / "a.sap")
    for method in ("decision_function", "predict", "predict_proba"):
        expected = getattr(made, method)(X[90:], tags[90:])
        np.testing.assert_array_equal(getattr(read, method)(X[90:], tags[90:]), expected)
    assert read.concept_names_ == NAMES["concept_names"]
    assert read.tag_names_ == (None if inputs == "features" else NAMES["tag_names"])
    # It can be fitted again as it was.
    if read.refiner is not None or refiner is None:
        again = read.fit(X[:90], tags[:90], concepts[:90], **NAMES).decision_function(X, tags)
        np.testing.assert_array_equal(again, made.decision_function(X, tags))


def test_photos_without_tags_and_tags_without_photos(photos, tmp_path):
    X, tags, concepts = photos
    SocialImageAnnotator().fit(X, tags, concepts).save(tmp_path / "a.sap")
    assert SocialImageAnnotator.load(tmp_path / "a.sap").predict(X[:4]).shape == (4, 3)
    words = [["dog"] * int(row[0]) + ["sea"] * int(row[1]) + ["sun"] for row in tags]
    alone = SocialImageAnnotator(inputs="tags").fit(None, words, concepts)
    alone.save(tmp_path / "words.sap")
    read = SocialImageAnnotator.load(tmp_path / "words.sap")
    asked = [["SEA", "never seen"], []]
    np.testing.assert_array_equal(
        read.decision_function(None, asked), alone.decision_function(None, asked)
    )


class Unsaveable(BaseEstimator):
    def fit(self, X, tags):
        return self

    def transform(self, X, tags):
        return tags.toarray()


def test_a_refiner_of_ones_own_cannot_be_written(photos, tmp_path):
    annotator = SocialImageAnnotator(Unsaveable()).fit(*photos)
    with pytest.raises(InputError, match="refiner is a Unsaveable, which cannot be written"):
        annotator.save(tmp_path / "a.sap")
    assert not list(tmp_path.iterdir())


def without(name):
    return lambda state: {n: value for n, value in state.items() if n != name}


BROKEN = {
    "no words": (without("words"), "does not describe a SocialImageAnnotator"),
    "no weights": (without("svm/coef_"), "does not describe a SocialImageAnnotator"),
    "no mean": (without("design/tag_mean"), "does not describe a SocialImageAnnotator"),
    "no features": (without("feature_map/params"), "does not describe a FeatureMap"),
    "a strange part": (lambda s: {**s, "named/joy": 1}, "does not describe a SocialImageAnnotator"),
    "a concept less": (
        lambda s: {**s, "svm/coef_": s["svm/coef_"][:2]},
        "parts that do not belong together",
    ),
    "an intercept less": (
        lambda s: {**s, "svm/intercept_": s["svm/intercept_"][:2]},
        "do not belong together",
    ),
    "a sigmoid's slope less": (
        lambda s: {**s, "svm/slope_": s["svm/slope_"][:2]},
        "do not belong together",
    ),
    "a sigmoid's offset less": (
        lambda s: {**s, "svm/offset_": s["svm/offset_"][:2]},
        "do not belong together",
    ),
    "a slope less": (
        lambda s: {**s, "named/slope": s["named/slope"][:3]},
        "do not belong together",
    ),
    "a tag beyond": (
        lambda s: {**s, "named/tags": s["named/tags"] + 3},
        "do not belong together",
    ),
    "no rarity": (lambda s: {**s, "named/rarity": None}, "do not belong together"),
    "a word for a number": (lambda s: {**s, "threshold_": "x"}, "does not describe a Social"),
    "scores of another meaning": (
        lambda s: {**without("threshold_")(s), "offset_": s["svm/offset_"]},
        "of an earlier sapwood.*learn anew",
    ),
    "a tag less": (
        lambda s: {**s, "design/tag_mean": s["design/tag_mean"][:2]},
        "parts that do not belong together",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_lacks_something_is_refused(photos, tmp_path, case):
    change, message = BROKEN[case]
    SocialImageAnnotator(None).fit(*photos, **NAMES).save(tmp_path / "a.sap")
    state = read_model(tmp_path / "a.sap", "SocialImageAnnotator")
    write_model(tmp_path / "b.sap", "SocialImageAnnotator", change(state))
    with pytest.raises(InputError, match=message):
        SocialImageAnnotator.load(tmp_path / "b.sap")


def test_another_kind_of_model_is_refused(photos, tmp_path):
    TagRefiner().fit(*photos[:2]).save(tmp_path / "refiner.sap")
    with pytest.raises(InputError, match="holds a TagRefiner; expected a SocialImageAnnotator"):
        SocialImageAnnotator.load(tmp_path / "refiner.sap")
