"""Coordinates of classes, compared on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. Each map of attributes is taken by itself, with the usual ridge, and then the map and the
ridge that annotated images choose, as by default. No image of an unseen class takes part. Per cent
of images named correctly, mean over partitions, and the difference from the usual map with its
standard error. Last comes ν, the noise of an image in units of the variance of classes. Rows that
were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/coordinates.py [--partitions 2] [--docs docs/algorithm.md]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from held_out import TITLES, Asked, Task, lead_lines, study, tasks

from sapwood import SparseAttributePropagation
from sapwood.benchmark import markdown_table
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.rows import Row
from sapwood.data import standard_setting
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.metrics import accuracy
from sapwood.models.coordinates import OTHER_MAPS, USUAL_MAP
from sapwood.projection import Evidence

CHOSEN = "auto"
MAPS = (USUAL_MAP, *OTHER_MAPS, CHOSEN)
#: Data sets and K's.
ASKED: Asked = {
    "demo": (1, 2, 5, 10),
    "awa1_lowlevel": (5, 25),
    "cub": (1, 5, 25),
    "cub:sentence_attributes": (1, 5, 25),
}


class Fit(NamedTuple):
    """A task of :mod:`held_out`, and a map."""

    data: str
    annotated: int
    partition: int
    attribute_map: str


def scored(fit: Fit) -> list[Row]:
    data, setting = Task(*fit[:-1]).problem()
    X, y = setting.training(data)
    alike = {"attribute_freedom": 0, "error_whitening": 0, "remoteness": 0}
    model = SparseAttributePropagation(attribute_map=fit.attribute_map, **alike)
    model.fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    right = accuracy(data.labels[setting.test_unseen], answers)
    chosen = {"coordinates": model.coordinates_, "ridge": model.lambda4_}
    return [{**fit._asdict(), "accuracy": right, **chosen}]


def wanted(partitions: int) -> list[Fit]:
    return [Fit(*task, name) for task in tasks(partitions, ASKED) for name in MAPS]


def told(rows: list[Row]) -> str:
    head = ["", "partitions", f"`{USUAL_MAP}`", *(f"`{name}`" for name in OTHER_MAPS), "chosen"]
    table = markdown_table(head, lead_lines(rows, "attribute_map", MAPS, ASKED))
    return f"{table}\n\n{noise_line()}."


def noise_line() -> str:
    """Tell the noise of an image, from as many annotated images of the first split as are asked."""
    found = {}
    for name, counts in ASKED.items():
        data = get_data(name)
        setting = standard_setting(data, next(iter(data.splits)), max(counts), seed=0)
        X, y = setting.training(data)
        mapped = FeatureMap(**FEATURE_MAPS["whitened"]).fit_transform(X[y >= 0])
        F = (y[y >= 0, None] == setting.seen).astype(float)
        found[TITLES[name]] = Evidence(mapped, F, np.eye(F.shape[1]), np.ones(len(F))).noise
    return "ν: " + ", ".join(f"{title} {noise:.1f}" for title, noise in found.items())


if __name__ == "__main__":
    study(__doc__, "coordinates", scored, told, wanted)
