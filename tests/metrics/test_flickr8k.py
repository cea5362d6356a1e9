"""Raw tags of one annotator against the concepts others agree on: known figures on real data."""

import os
from pathlib import Path

import numpy as np
import pytest

from sapwood.metrics import decide_threshold, mean_average_precision, tag_precision_recall


@pytest.fixture(scope="module")
def concepts_and_raw_tags():
    folder = os.environ.get("SAPWOOD_DATA")
    if not folder:
        pytest.skip("SAPWOOD_DATA is not set: it names the folder that holds flickr8k_tags.npz")
    path = Path(folder) / "flickr8k_tags.npz"
    if not path.is_file():
        pytest.skip("the folder named by SAPWOOD_DATA has no flickr8k_tags.npz")
    with np.load(path, allow_pickle=False) as data:
        column = {name: i for i, name in enumerate(data["tag_names"])}
        return data["concepts"], data["tags"][:, [column[name] for name in data["concept_names"]]]


@pytest.mark.parametrize(
    ("average", "empty", "expected"),
    [("concepts", "skip", 31.8), ("images", "skip", 44.8), ("images", "zero", 41.0)],
)
def test_mean_average_precision_of_raw_tags(concepts_and_raw_tags, average, empty, expected):
    found = mean_average_precision(*concepts_and_raw_tags, average=average, empty=empty)
    assert 100 * found == pytest.approx(expected, abs=0.05)


def test_overall_precision_and_recall_of_raw_tags(concepts_and_raw_tags):
    concepts, raw_tags = concepts_and_raw_tags
    found = tag_precision_recall(concepts, decide_threshold(raw_tags), average="overall")
    assert (found.precision, found.recall) == pytest.approx((0.57, 0.60), abs=0.005)
