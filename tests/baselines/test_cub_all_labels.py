"""Every rival with every seen image of CUB annotated: a floor under what it must reach.

Settings are the best of each method's grid over three folds of the seen classes (`ClassKFold`,
shuffled with seed 0, images of held-out classes scored among those classes); unseen classes had
no part in it. Floors are half a point or so below what they then reach on the proposed split.
"""

import pytest

from sapwood.baselines import ESZSL, RPL, SAE, SSE, ZSKL, ConSE, KernelESZSL, KernelRidge
from sapwood.data import get_split, load_zero_shot
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.metrics import accuracy

FLOORS = [
    (RPL(ridge=2.4), 60.2),
    (ESZSL(ridge_features=10.0, ridge_attributes=0.1, labels="binary"), 58.5),
    (KernelESZSL(ridge_features=1.0, ridge_attributes=0.1, labels="binary"), 58.5),
    (SAE(forward=0.15), 58.5),
    (KernelRidge(ridge=0.01, width=1.0), 62.2),
    (ConSE(sharpness=30.0, top=5), 33.0),
    (ZSKL(width=1.01, steps=80), 57.0),
    (SSE(), 44.0),
]


@pytest.fixture(scope="module")
def cub(shared_data):
    """The "rooted" features, for all methods the best without whitening, mapped once for all."""
    data = load_zero_shot(shared_data / "cub.npz")
    split = get_split(data, "proposed")
    rooted = FeatureMap(**FEATURE_MAPS["rooted"])
    X = rooted.fit_transform(data.features[split.trainval].astype(float))
    X_test = rooted.transform(data.features[split.test_unseen].astype(float))
    return data, split, X, X_test


@pytest.mark.parametrize(("model", "floor"), FLOORS, ids=[type(m).__name__ for m, _ in FLOORS])
def test_mean_accuracy_over_unseen_classes(cub, model, floor):
    data, split, X, X_test = cub
    model.set_params(features="raw")
    model.fit(X, data.labels[split.trainval], class_attributes=data.attributes)
    answers = model.predict(X_test, classes=split.unseen)
    found = 100 * accuracy(data.labels[split.test_unseen], answers, average="classes")
    assert found >= floor
