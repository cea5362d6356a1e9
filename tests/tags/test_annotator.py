import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

from sapwood.errors import InputError
from sapwood.metrics import mean_average_precision
from sapwood.tags.annotator import SocialImageAnnotator
from sapwood.tags.refiner import TagRefiner

QUICK = {"C": 0.3, "tag_weight": 1.0}


class Smoothing(BaseEstimator):
    """Refines by half the tags, half what a ridge says of the features."""

    def fit(self, X, tags):
        tags = tags.toarray()
        self.mean_ = tags.mean(axis=0)
        G = X.T @ X + len(X) / 10 * np.eye(X.shape[1])
        self.W_ = np.linalg.solve(G, X.T @ (tags - self.mean_))
        return self

    def transform(self, X, tags=None):
        seen = X @ self.W_ + self.mean_
        return seen if tags is None else (tags.toarray() + seen) / 2


class Parrot(BaseEstimator):
    """Gives the images it was fitted to away: a refiner that has overfitted."""

    def fit(self, X, tags):
        self.known_ = {row.tobytes() for row in np.asarray(X)}
        return self

    def transform(self, X, tags=None):
        known = np.array([row.tobytes() in self.known_ for row in np.asarray(X)])
        return np.where(known[:, None], 100.0, tags.toarray())


def photos(n=300, d=12, t=20, c=5, seed=0):
    """Concepts, features that show them, and tags of which half are missing or wrong."""
    rng = np.random.default_rng(seed)
    concepts = rng.random((n, c)) < 0.3
    X = concepts @ rng.standard_normal((c, d)) + rng.standard_normal((n, d))
    words = np.repeat(concepts, t // c, axis=1)
    tags = np.where(rng.random((n, t)) < 0.3, rng.random((n, t)) < 0.2, words)
    return X, tags.astype(np.uint8), concepts.astype(np.uint8)


def quality(annotator, X, tags, concepts, half=150):
    annotator.fit(X[:half], tags[:half], concepts[:half])
    return mean_average_precision(
        concepts[half:], annotator.decision_function(X[half:], tags[half:])
    )


def test_the_variants_of_the_paper_are_told_apart_by_their_inputs():
    data = photos()
    scores = {
        inputs: quality(SocialImageAnnotator(Smoothing(), inputs=inputs, **QUICK), *data)
        for inputs in ("tags", "features", "tags+features")
    }
    assert scores["tags+features"] > scores["features"]
    assert min(scores.values()) > 0.5
    noisy = SocialImageAnnotator(None, inputs="tags", **QUICK)
    assert quality(noisy, *data) < scores["tags+features"]
    assert noisy.svm_.n_features_in_ == 20


def test_training_images_are_refined_by_what_was_learned_from_others():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(Parrot(), inputs="tags", **QUICK).fit(X, tags, concepts)
    # Had one image been refined by a refiner that knew it, its row would be a hundred.
    np.testing.assert_allclose(annotator.design_.tag_mean, tags.mean(axis=0), atol=1e-6)
    assert len(annotator.refiner_.known_) == len(X)


def test_new_images_do_not_depend_on_each_other():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(Smoothing(), **QUICK).fit(X, tags, concepts)
    together = annotator.decision_function(X[:9], tags[:9])
    alone = np.vstack(
        [annotator.decision_function(X[i : i + 1], tags[i : i + 1]) for i in range(9)]
    )
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_new_images_may_have_no_tags_if_there_is_a_refiner():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(Smoothing(), **QUICK).fit(X[:200], tags[:200], concepts[:200])
    scores = annotator.decision_function(X[200:])
    assert mean_average_precision(concepts[200:], scores) > 0.5
    with pytest.raises(InputError, match="tags is None"):
        SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts).predict(X)


def test_the_chosen_weight_helps_the_better_part():
    _, tags, concepts = photos(150)
    # Features that say nothing: the tags must count for more.
    X = np.random.default_rng(1).standard_normal((150, 80))
    annotator = SocialImageAnnotator(None).fit(X, tags, concepts)
    assert annotator.tag_weight_ > 1


def test_a_memory_mapped_file_gives_the_same_scores(tmp_path):
    X, tags, concepts = photos()
    np.save(tmp_path / "X.npy", X.astype(np.float32))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    from_file = SocialImageAnnotator(Smoothing(), **QUICK).fit(mapped, tags, concepts)
    from_array = SocialImageAnnotator(Smoothing(), **QUICK).fit(X, tags, concepts)
    np.testing.assert_allclose(
        from_file.decision_function(mapped, tags),
        from_array.decision_function(X, tags),
        atol=2e-2,
    )


class Framed(Smoothing):
    """Gives a data frame."""

    def transform(self, X, tags=None):
        return pd.DataFrame(super().transform(X, tags))


class Sparse(Smoothing):
    """Gives a sparse array."""

    def transform(self, X, tags=None):
        return scipy.sparse.csr_array(super().transform(X, tags))


@pytest.mark.parametrize("refiner", [Framed(), Sparse()])
def test_a_refiner_may_give_any_kind_of_matrix(refiner):
    X, tags, concepts = photos()
    usual = SocialImageAnnotator(Smoothing(), **QUICK).fit(X, tags, concepts)
    other = SocialImageAnnotator(refiner, **QUICK).fit(X, tags, concepts)
    np.testing.assert_allclose(
        other.decision_function(X, tags), usual.decision_function(X, tags), atol=1e-5
    )


def test_sparse_tags_and_boolean_concepts_are_welcome():
    X, tags, concepts = photos()
    usual = SocialImageAnnotator(None, **QUICK).fit(X, tags, concepts)
    other = SocialImageAnnotator(None, **QUICK).fit(
        X.tolist(), scipy.sparse.csr_matrix(tags), concepts.astype(bool)
    )
    np.testing.assert_allclose(usual.svm_.coef_, other.svm_.coef_, atol=1e-6)


def test_words_are_tags_too():
    _, tags, concepts = photos()
    names = [f"word{j}" for j in range(20)]
    words = [[names[j].upper() for j in np.flatnonzero(row)] for row in tags]
    by_words = SocialImageAnnotator(None, inputs="tags", C=0.3).fit(None, words, concepts)
    columns = [names.index(name) for name in by_words.vocabulary_.names]
    by_matrix = SocialImageAnnotator(None, inputs="tags", C=0.3).fit(
        None, tags[:, columns], concepts
    )
    np.testing.assert_allclose(
        by_words.decision_function(None, [["#word3", "unheard"]]),
        by_matrix.decision_function(None, (np.array(columns) == 3)[None]),
        atol=1e-6,
    )
    with pytest.raises(InputError, match="tags are words, and the columns"):
        by_matrix.predict(None, [["word3"]])
    named = SocialImageAnnotator(None, inputs="tags", C=0.3).fit(
        None, tags, concepts, tag_names=names
    )
    np.testing.assert_array_equal(
        named.decision_function(None, (iter(row) for row in words)),
        named.decision_function(None, tags),
    )


def test_words_are_read_as_the_refiner_would():
    X, tags, concepts = photos(60)
    words = [[f"word{j}" for j in np.flatnonzero(row)] for row in tags]
    refiner = TagRefiner(n_tags=6, stop_tags=["word3"])
    annotator = SocialImageAnnotator(refiner, **QUICK).fit(X, words, concepts)
    expected = TagRefiner(n_tags=6, stop_tags=["word3"]).fit(X, words).tag_names_
    assert annotator.tag_names_ == annotator.refiner_.tag_names_ == expected


def test_duplicated_images_and_empty_rows_do_no_harm():
    X, tags, concepts = photos(60)
    X, tags, concepts = (np.vstack([part, part]) for part in (X, tags, concepts))
    tags[:5], tags[:, 3] = 0, 0
    annotator = SocialImageAnnotator(Smoothing(), **QUICK).fit(X, tags, concepts)
    assert np.isfinite(annotator.decision_function(X, tags)).all()


def test_it_is_a_scikit_learn_estimator():
    annotator = SocialImageAnnotator(Smoothing(), inputs="tags", cv=4)
    copy = clone(annotator)
    assert copy.get_params()["inputs"] == "tags"
    assert not hasattr(copy, "svm_")


@pytest.mark.parametrize(
    ("params", "change", "message"),
    [
        ({"inputs": "tag"}, {}, "did you mean 'tags'"),
        ({"features": "white"}, {}, "features is 'white'"),
        ({}, {"X": None}, "X is None; inputs='tags.features' needs it"),
        ({"inputs": "tags"}, {"tags": None}, "tags is None"),
        ({}, {"tags": np.ones((299, 20))}, "X has 300, tags has 299 rows"),
        ({}, {"concepts": np.ones((299, 5))}, "concepts has 299 rows; expected 300"),
        ({}, {"concepts": np.zeros((300, 5))}, "marks nothing"),
        ({}, {"concept_names": ["a"]}, "1 names; expected 5"),
        ({}, {"tag_names": ["a"]}, "tag_names has 1 names; expected 20"),
        ({}, {"concept_names": "abcde"}, "concept_names is the text 'abcde'"),
        ({}, {"tags": [["sea"]] * 300, "tag_names": ["sea"]}, "given beside words"),
        ({"folds": 1, "refiner": Smoothing()}, {}, "folds is 1; expected a whole number from 2"),
        ({"refiner": "defualt"}, {}, "did you mean 'default'"),
    ],
)
def test_refusals(params, change, message):
    X, tags, concepts = photos()
    given = {"X": X, "tags": tags, "concepts": concepts, **change}
    with pytest.raises(InputError, match=message):
        SocialImageAnnotator(**{"refiner": None, **QUICK, **params}).fit(**given)


def test_the_default_refiner_leaves_own_tags_out_by_itself(monkeypatch):
    X, tags, concepts = photos(80)
    fitted, learn = [], TagRefiner.fit_transform

    def counted(self, X, tags, **rest):
        fitted.append(len(X))
        return learn(self, X, tags, **rest)

    monkeypatch.setattr(TagRefiner, "fit_transform", counted)
    SocialImageAnnotator(**QUICK).fit(X, tags, concepts)
    assert fitted == [80]
    fitted.clear()
    # The printed algorithm does not: it is fitted to parts, and to all for new images.
    printed = TagRefiner(preset="paper", k_g=10, m=5, tol=1.0)
    SocialImageAnnotator(printed, folds=2, **QUICK).fit(X, tags, concepts)
    assert fitted == [40, 40, 80]


def test_a_fit_that_fails_leaves_no_model_behind():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(**QUICK).fit(X, tags, concepts)
    with pytest.raises(InputError, match="tag_names has 1 names; expected 20"):
        annotator.fit(X, tags, concepts, tag_names=["a"])
    with pytest.raises(NotFittedError):
        annotator.predict(X, tags)


def test_answers_teach_nothing():
    X, _, concepts = photos()
    annotator = SocialImageAnnotator(inputs="features", **QUICK).fit(X, None, concepts)
    annotator.predict(X, [["sea"]] * len(X))
    assert annotator.vocabulary_ is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": -1.0}, "C is -1.0; expected a finite number above 0"),
        ({"C": "x"}, "C is 'x'"),
        ({"C": [1.0, 2.0]}, r"C has shape \(2,\)"),
        ({"C": ["x"] * 5}, "C has entries that are not numbers"),
        ({"tag_weight": "x"}, "tag_weight is 'x'"),
        ({"cv": 1.5}, "cv is 1.5"),
    ],
)
def test_settings_that_cannot_be_meant(options, message):
    with pytest.raises(InputError, match=message):
        SocialImageAnnotator(**{**QUICK, **options}).fit(*photos())


def test_any_kind_of_whole_number_is_one():
    SocialImageAnnotator(cv=np.int64(2), **QUICK).fit(*photos())


def test_features_that_fit_had_not_are_refused():
    X, tags, concepts = photos()
    annotator = SocialImageAnnotator(None, inputs="tags", **QUICK).fit(None, tags, concepts)
    with pytest.raises(InputError, match="fit was without features"):
        annotator.decision_function(X, tags)
