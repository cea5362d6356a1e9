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

import argparse
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sapwood import SparseAttributePropagation
from sapwood.benchmark import fill_page, markdown_table, mean_and_error, read_rows
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.rows import Row
from sapwood.benchmark.run import compute
from sapwood.data import Split, ZeroShotData, standard_setting
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.metrics import accuracy
from sapwood.models.coordinates import OTHER_MAPS, USUAL_MAP
from sapwood.projection import Evidence

ROWS = Path("benchmarks/results/coordinates.jsonl")
CHOSEN = "auto"
MAPS = (USUAL_MAP, *OTHER_MAPS, CHOSEN)
#: Data sets and K's. The demo has the fewest classes, and so the most partitions.
ASKED = {
    "demo": (1, 2, 5, 10),
    "awa1_lowlevel": (5, 25),
    "cub": (1, 5, 25),
    "cub:sentence_attributes": (1, 5, 25),
}
TITLES = {
    "demo": "the demo's creatures",
    "awa1_lowlevel": "AwA1",
    "cub": "CUB",
    "cub:sentence_attributes": "CUB, sentences",
}
#: Partitions of the demo in units of those of the others.
MORE = {"demo": 4}


class Task(NamedTuple):
    """One fit."""

    data: str
    annotated: int
    partition: int
    attribute_map: str


@lru_cache(maxsize=1)
def partition_of(name: str, number: int) -> ZeroShotData:
    """Return the seen classes of a data set's first split, a third of them as unseen ones."""
    data = get_data(name)
    seen = next(iter(data.splits.values())).seen(len(data.attributes))
    held = np.random.default_rng(500 + number).permutation(len(seen))[: round(len(seen) / 3)]
    return among(data, seen, held)


def among(data: ZeroShotData, classes: np.ndarray, held: np.ndarray) -> ZeroShotData:
    """Return some classes and their images alone; those held, by place, as unseen ones."""
    rows = np.flatnonzero(np.isin(data.labels, classes))
    return ZeroShotData(
        features=data.features[rows],
        labels=np.searchsorted(classes, data.labels[rows]),
        attributes=data.attributes[classes],
        splits={"held out": Split(name="held out", unseen=np.sort(held))},
    )


def scored(task: Task) -> list[Row]:
    data = partition_of(task.data, task.partition)
    setting = standard_setting(data, "held out", task.annotated, seed=task.partition)
    X, y = setting.training(data)
    alike = {"attribute_freedom": 0, "error_whitening": 0, "remoteness": 0}
    model = SparseAttributePropagation(attribute_map=task.attribute_map, **alike)
    model.fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    right = accuracy(data.labels[setting.test_unseen], answers)
    chosen = {"coordinates": model.coordinates_, "ridge": model.lambda4_}
    return [{**task._asdict(), "accuracy": right, **chosen}]


def wanted(partitions: int) -> list[Task]:
    return [Task(*place, name) for place in places(ASKED, partitions) for name in MAPS]


def places(asked: dict[str, tuple[int, ...]], partitions: int) -> list[tuple[str, int, int]]:
    """Return data sets, K's and numbers of partitions."""
    return [
        (data, K, number)
        for data, counts in asked.items()
        for number in range(partitions * MORE.get(data, 1))
        for K in counts
    ]


def lead_lines(
    rows: list[Row], asked: dict[str, tuple[int, ...]], kind: str, names: Sequence[Any]
) -> list[list[str]]:
    """Lines of a table: per cents of the first name of a kind, and leads of the others on it."""
    found = {(r["data"], r["annotated"], r["partition"], r[kind]): r["accuracy"] for r in rows}
    lines = []
    for data, counts in asked.items():
        for K in counts:
            percent = np.array(list(_whole(found, data, K, names)))
            if len(percent):
                leads = [mean_and_error((one - percent[:, 0]).tolist()) for one in percent.T[1:]]
                told = [f"{TITLES[data]}, K = {K}", str(len(percent))]
                lines.append([*told, f"{percent[:, 0].mean():.1f}", *leads])
    return lines


def _whole(
    found: dict[tuple[Any, ...], float], data: str, K: int, names: Sequence[Any]
) -> Iterator[list[float]]:
    """Yield the per cents of all names for each partition that all were asked on."""
    for number in sorted({place[2] for place in found if place[0] == data}):
        places = [(data, K, number, name) for name in names]
        if all(place in found for place in places):
            yield [100 * found[place] for place in places]


def table(rows: list[Row]) -> str:
    head = ["", "partitions", f"`{USUAL_MAP}`", *(f"`{name}`" for name in OTHER_MAPS), "chosen"]
    return markdown_table(head, lead_lines(rows, ASKED, "attribute_map", MAPS))


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=2, help="of each data set; 2")
    parser.add_argument(
        "--docs", type=Path, help="a page whose block `coordinates` is to be filled"
    )
    arguments = parser.parse_args()
    have = {Task(*(row[name] for name in Task._fields)) for row in read_rows(ROWS)}
    todo = [task for task in wanted(arguments.partitions) if task not in have]
    compute(scored, todo, ROWS, graphs=Path("benchmarks/results/.work/graphs"), title="fits")
    text = f"{table(read_rows(ROWS))}\n\n{noise_line()}."
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "coordinates", text, "benchmarks/coordinates.py")


if __name__ == "__main__":
    main()
