import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from sapwood.metrics import mean_average_precision
from sapwood.tags import TagRefiner

WORDS = np.array(["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"])


def as_words(tags):
    return [[WORDS[j] for j in np.flatnonzero(row)] for row in tags]


def both_ways(truth, scores):
    return [mean_average_precision(truth, scores, average=a) for a in ("concepts", "images")]


def test_refined_tags_are_nearer_to_the_truth_than_those_given(photos):
    refined = TagRefiner().fit_transform(photos.X, photos.tags)
    given = both_ways(photos.truth, photos.tags)
    assert refined.shape == photos.tags.shape
    assert np.subtract(both_ways(photos.truth, refined), given).min() > 0.15


def test_without_features_forgotten_companions_come_back():
    rng = np.random.default_rng(0)
    scenes = np.kron(np.eye(5, dtype=bool), np.ones((1, 4), dtype=bool))
    truth = scenes[rng.integers(0, 5, 500)]
    tags = (truth & (rng.random(truth.shape) < 0.5)).astype(float)
    refined = TagRefiner().fit_transform(None, tags)
    assert both_ways(truth, refined)[0] > both_ways(truth, tags)[0] + 0.2


def test_what_is_predicted_of_an_image_does_not_come_from_its_own_tags(photos):
    tags = photos.tags.astype(float)
    refiner = TagRefiner(own=0.0, relations=0.0)
    before = refiner.fit_transform(photos.X, tags)
    changed = tags.copy()
    changed[7, 3] = 1 - changed[7, 3]
    after = refiner.fit_transform(photos.X, changed)
    # The others learn from the change; the image itself must not.
    own, others = abs(after - before)[7, 3], np.delete(abs(after - before)[:, 3], 7).max()
    assert own <= 3 * others


@pytest.mark.parametrize("graph", ["knn", "landmark"])
def test_images_held_out_are_refined_as_well_as_those_fitted(draw_photos, graph):
    photos = draw_photos(n=600)
    old, new = slice(0, 400), slice(400, None)
    together = TagRefiner(graph=graph).fit_transform(photos.X, photos.tags)[new]
    refiner = TagRefiner(graph=graph).fit(photos.X[old], photos.tags[old])
    apart = refiner.transform(photos.X[new], photos.tags[new])
    truth = photos.truth[new]
    np.testing.assert_allclose(both_ways(truth, apart), both_ways(truth, together), atol=0.02)


def test_images_without_tags_are_told_by_their_features(draw_photos):
    photos = draw_photos(n=900)
    refiner = TagRefiner().fit(photos.X[:600], photos.tags[:600])
    predicted = refiner.transform(photos.X[600:])
    chance = photos.truth[600:].mean()
    assert both_ways(photos.truth[600:], predicted)[0] > chance + 0.4
    assert predicted.min() >= 0
    assert predicted.max() <= 1


def test_lists_of_words_and_matrices_mean_the_same(photos):
    order = np.argsort(-photos.tags.sum(axis=0), kind="stable")
    matrix = photos.tags[:, order]
    words = TagRefiner()
    from_words = words.fit_transform(photos.X, as_words(photos.tags))
    assert words.tag_names_ == WORDS[order].tolist()
    np.testing.assert_allclose(from_words, TagRefiner().fit_transform(photos.X, matrix))
    sparse = TagRefiner().fit_transform(photos.X, scipy.sparse.csc_matrix(matrix))
    np.testing.assert_allclose(from_words, sparse)


def test_new_words_are_read_by_the_names_of_a_matrix(photos):
    refiner = TagRefiner().fit(photos.X, photos.tags, tag_names=[w.upper() for w in WORDS])
    as_matrix = refiner.transform(photos.X[:5], photos.tags[:5])
    written = [[f"#{word}" for word in row] + ["unheard of"] for row in as_words(photos.tags[:5])]
    np.testing.assert_allclose(refiner.transform(photos.X[:5], written), as_matrix)


def test_the_unit_of_weights_does_not_matter(photos):
    plain = TagRefiner().fit_transform(photos.X, photos.tags)
    np.testing.assert_allclose(TagRefiner().fit_transform(photos.X, 7.0 * photos.tags), plain)


def test_the_input_is_left_as_it_was(photos):
    X, tags = photos.X.copy(), scipy.sparse.csr_matrix(photos.tags * np.float32(3))
    before = tags.copy()
    refiner = TagRefiner().fit(X, tags)
    refiner.transform(X, tags)
    assert (X == photos.X).all()
    assert abs(tags - before).nnz == 0


def test_a_memory_mapped_file_gives_what_the_array_gives(photos, tmp_path):
    np.save(tmp_path / "X.npy", photos.X.astype(np.float32))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    expected = TagRefiner().fit_transform(photos.X.astype(np.float32), photos.tags)
    np.testing.assert_allclose(TagRefiner().fit_transform(mapped, photos.tags), expected)


@pytest.mark.parametrize("graph", ["knn", "landmark"])
def test_features_that_are_mapped_block_by_block_give_the_same(photos, monkeypatch, graph):
    held = TagRefiner(graph=graph).fit_transform(photos.X, photos.tags)
    monkeypatch.setattr("sapwood.tags.robust.HELD", 0)
    mapped = TagRefiner(graph=graph).fit_transform(photos.X, photos.tags)
    np.testing.assert_allclose(mapped, held, atol=1e-5)


def test_the_same_seed_gives_the_same_bits(photos):
    make = clone(TagRefiner(landmarks=50, random_state=3))
    first, second = (make.fit_transform(photos.X, photos.tags) for _ in range(2))
    assert (first == second).all()


def test_graphs_are_chosen_by_the_number_of_images(photos, monkeypatch):
    assert TagRefiner().fit(photos.X, photos.tags).graph_ == "knn"
    monkeypatch.setattr("sapwood.tags.parameters.MANY", 100)
    assert TagRefiner().fit(photos.X, photos.tags).graph_ == "landmark"


def test_decisions_say_what_became_of_every_tag(draw_photos):
    photos = draw_photos(recall=0.75, noise=0.1)
    refiner = TagRefiner()
    scores = refiner.fit_transform(photos.X, photos.tags)
    found = refiner.decide(scores, photos.tags)
    given = photos.tags > 0
    assert (found.kept | found.dropped).tolist() == given.tolist()
    assert not (found.added & given).any()
    assert found.counts()["dropped"] == pytest.approx(0.1 * given.sum(), abs=2)
    right = photos.truth[found.added].mean()
    assert right > photos.truth[~given].mean() + 0.4
    assert photos.truth[found.dropped].mean() < photos.truth[found.kept].mean() - 0.3
    changes = list(found.changes())
    assert len(changes) == int((given | found.final).sum())
    assert all(0 < change.rank <= 8 for change in changes)
    assert [len(row) for row in found.words(WORDS)] == found.final.sum(axis=1).tolist()


def test_thresholds_and_the_number_of_additions_can_be_set(photos):
    refiner = TagRefiner()
    scores = refiner.fit_transform(photos.X, photos.tags)
    everything = refiner.decide(scores, photos.tags, drop=-9, add=-9)
    assert everything.final.all()
    few = refiner.decide(scores, photos.tags, drop=9, add=-9, most=2)
    assert not few.kept.any()
    assert (few.added.sum(axis=1) <= 2).all()
    nothing = refiner.decide(scores, photos.tags, drop=-9, add=9)
    assert (nothing.final == (photos.tags > 0)).all()


def test_related_tags_raise_each_other(draw_photos):
    rng = np.random.default_rng(1)
    photos = draw_photos(n=800)
    # Two words for one thing; each writer uses one of them.
    thing = photos.truth[:, 0]
    first = thing & (rng.random(len(thing)) < 0.5)
    tags = np.column_stack([first, thing & ~first, photos.tags[:, 1:]]).astype(float)
    # A stiff regression leaves the thing unexplained, in an image as in its neighbours.
    relations = TagRefiner(ridge=100.0).fit(photos.X, tags).relations_
    assert relations.shape == (9, 9)
    assert relations[0, 1] > max(0.01, relations[0, 2:].max())
    assert relations[1, 0] > max(0.01, relations[1, 2:].max())


def test_what_was_not_fitted_says_so():
    with pytest.raises(NotFittedError):
        TagRefiner().transform(np.eye(2))


def test_a_fit_that_fails_leaves_nothing_of_the_one_before(photos):
    refiner = TagRefiner().fit(photos.X, photos.tags)
    with pytest.raises(ValueError, match="no image has a tag"):
        refiner.fit(photos.X, 0 * photos.tags)
    with pytest.raises(NotFittedError):
        refiner.transform(photos.X)


def test_words_may_come_from_a_generator(photos):
    words = as_words(photos.tags)
    expected = TagRefiner().fit_transform(photos.X, words)
    np.testing.assert_allclose(TagRefiner().fit_transform(photos.X, iter(words)), expected)
    np.testing.assert_allclose(TagRefiner().fit_transform(photos.X, map(iter, words)), expected)


def test_one_huge_weight_does_not_silence_the_other_tags(photos):
    weights = photos.tags.astype(float)
    first = tuple(np.argwhere(weights)[0])
    weights[first] = 3e37
    refined = TagRefiner().fit(photos.X, weights).transform(photos.X, photos.tags)
    usual = TagRefiner().fit(photos.X, photos.tags).transform(photos.X, photos.tags)
    others = np.setdiff1d(np.arange(photos.tags.shape[1]), first[1])
    assert np.corrcoef(refined[:, others].ravel(), usual[:, others].ravel())[0, 1] > 0.9


def test_names_come_out(photos):
    refiner = TagRefiner().fit(photos.X, photos.tags, tag_names=WORDS)
    assert refiner.get_feature_names_out().tolist() == WORDS.tolist()


@pytest.mark.parametrize("d", [2, 4, 8])
@pytest.mark.parametrize("features", ["unit", "rooted"])
def test_few_features_are_enough(d, features):
    rng = np.random.default_rng(d)
    X, tags = rng.random((800, d)), rng.random((800, 5)) < 0.3
    assert np.isfinite(TagRefiner(features=features).fit_transform(X, tags)).all()
