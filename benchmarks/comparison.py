"""How far directions in which new classes err are to count less, on seen classes that play unseen.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. Each fit is asked with every exponent of the whitening of errors, 0 being none. No image
of an unseen class takes part. Per cent of images named correctly, mean over partitions, and the
difference from no whitening with its standard error. Where classes have too few images to tell
errors from noise there is none. Rows that were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/comparison.py [--partitions 2] [--docs docs/algorithm.md]
"""

from __future__ import annotations

from functools import partial

import numpy as np
from held_out import TITLES, Asked, Task, study, tasks

from sapwood import SparseAttributePropagation
from sapwood.benchmark import markdown_table, mean_and_error
from sapwood.benchmark.rows import Row
from sapwood.metrics import accuracy
from sapwood.models.comparison import PLAIN

EXPONENTS = (0.1, 0.15, 0.2, 0.25, 0.35, 0.5)
#: Data sets and K's: AwA's weak features need many images.
ASKED: Asked = {
    "demo": (1, 2, 5, 10),
    "awa1_lowlevel": (25, 200),
    "cub": (1, 5, 25),
    "cub:sentence_attributes": (1, 5, 25),
}


def comparisons(model: SparseAttributePropagation) -> dict[str, np.ndarray]:
    """Return the comparison of every exponent: powers of the model's own."""
    found = {"0": PLAIN}
    if model.comparison_.size:
        values, vectors = np.linalg.eigh(model.comparison_)
        for exponent in EXPONENTS:
            powers = values ** (exponent / model.error_whitening_)
            found[f"{exponent:g}"] = (vectors * powers) @ vectors.T
    return found


def scored(task: Task) -> list[Row]:
    data, setting = task.problem()
    X, y = setting.training(data)
    model = SparseAttributePropagation(attribute_freedom=0, remoteness=0)
    model.fit(X, y, class_attributes=data.attributes)
    right = {}
    for exponent, comparison in comparisons(model).items():
        model.comparison_ = comparison
        answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
        right[exponent] = accuracy(data.labels[setting.test_unseen], answers)
    return [{**task._asdict(), "accuracy": right}]


def table(rows: list[Row]) -> str:
    lines = []
    for data, counts in ASKED.items():
        for K in counts:
            own = [r["accuracy"] for r in rows if (r["data"], r["annotated"]) == (data, K)]
            if own:
                none = np.array([100 * one["0"] for one in own])
                told = [f"{TITLES[data]}, K = {K}", str(len(own)), f"{none.mean():.1f}"]
                lines.append([*told, *(_lead(own, f"{e:g}") for e in EXPONENTS)])
    return markdown_table(["", "partitions", "0", *(f"{e:g}" for e in EXPONENTS)], lines)


def _lead(own: list[dict[str, float]], exponent: str) -> str:
    """Tell the difference from no whitening over partitions, in which fits without one are 0."""
    if not any(exponent in one for one in own):
        return "–"
    return mean_and_error([100 * (one.get(exponent, one["0"]) - one["0"]) for one in own])


if __name__ == "__main__":
    study(__doc__, "comparison", scored, table, partial(tasks, asked=ASKED))
