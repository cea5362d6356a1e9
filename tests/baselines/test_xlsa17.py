"""ESZSL against published figures, on the features they were published for.

Opt-in: ``pytest tests/baselines/test_xlsa17.py --xlsa17 PATH``. We have never run it: the files,
the ResNet-101 features of Xian et al. (2017), are not at hand. Settings and figures are those of
public re-implementations of ESZSL on the proposed split: labels in {0, 1}, features as they are.
"""

from pathlib import Path

import numpy as np
import pytest

from sapwood.baselines import ESZSL
from sapwood.data import get_split, load_zero_shot
from sapwood.metrics import accuracy
from tests.data.layouts import write_xlsa17

# Folder: ridge of the features, ridge of the attributes, mean accuracy over unseen classes.
PUBLISHED = {
    "CUB": (1e3, 1e-1, 53.94),
    "AWA1": (1e3, 1.0, 56.80),
    "AWA2": (1e3, 1.0, 54.82),
    "APY": (1e3, 1e-1, 38.56),
    "SUN": (1e3, 1e2, 55.69),
}


@pytest.fixture
def folder(request):
    path = request.config.getoption("--xlsa17")
    if path is None:
        pytest.skip("--xlsa17 PATH is not given: it names the folder with the published features")
    return Path(path)


def unseen_accuracy(folder, ridge_features, ridge_attributes):
    data = load_zero_shot(folder)
    split = get_split(data, "proposed")
    model = ESZSL(
        ridge_features=ridge_features,
        ridge_attributes=ridge_attributes,
        labels="binary",
        features="raw",
        attribute_map="raw",
    )
    X, y = data.features[split.trainval], data.labels[split.trainval]
    model.fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[split.test_unseen], classes=split.unseen)
    return 100 * accuracy(data.labels[split.test_unseen], answers, average="classes")


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_accuracy(folder, name):
    *ridges, published = PUBLISHED[name]
    assert unseen_accuracy(folder / name, *ridges) == pytest.approx(published, abs=0.2)


def test_the_way_there_works_on_a_small_folder_of_this_layout(tmp_path):
    table = np.random.default_rng(0).random((6, 4))
    # It has one unseen class, so nothing else can be answered.
    assert unseen_accuracy(write_xlsa17(tmp_path, att=table, original_att=table), 1e3, 1.0) == 100
