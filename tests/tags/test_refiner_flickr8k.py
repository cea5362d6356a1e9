"""Real photographs: one writer's words against those that others agree on (about 10 s)."""

import numpy as np
import pytest

from sapwood.data import load_tags
from sapwood.metrics import mean_average_precision
from sapwood.tags import TagRefiner


@pytest.fixture(scope="module")
def flickr(shared_data):
    path = shared_data / "flickr8k_tags.npz"
    if not path.is_file():
        pytest.skip("the folder named by SAPWOOD_DATA has no flickr8k_tags.npz")
    return load_tags(path)


@pytest.fixture(scope="module")
def refined(flickr):
    # Half the landmarks of the default: a third of its time, and half a point of its lead.
    return TagRefiner(landmarks=2048).fit_transform(flickr.features, flickr.tags)


@pytest.mark.parametrize(("average", "least"), [("concepts", 49.8), ("images", 70.7)])
def test_refined_tags_agree_with_other_people(flickr, refined, average, least):
    column = {name: j for j, name in enumerate(flickr.tag_names)}
    scores = refined[:, [column[name] for name in flickr.concept_names]]
    found = mean_average_precision(flickr.concepts, scores, average=average)
    assert 100 * found >= least


def test_scores_are_near_to_shares(flickr, refined):
    assert refined.min() > -0.2
    assert refined.max() < 1.2
    assert refined.mean() == pytest.approx(flickr.tags.mean(), rel=0.1)


def test_dropped_tags_are_those_others_do_not_write(flickr, refined):
    given = flickr.tags > 0
    low = np.quantile(refined[given], 0.1)
    column = {name: j for j, name in enumerate(flickr.tag_names)}
    columns = [column[name] for name in flickr.concept_names]
    concepts, given, scores = flickr.concepts > 0, given[:, columns], refined[:, columns]
    dropped, kept = given & (scores < low), given & (scores >= low)
    assert concepts[dropped].mean() < 0.3 < 0.55 < concepts[kept].mean()
