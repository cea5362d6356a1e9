"""How much a class far from all seen ones is to be favoured, on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. Each fit is asked with every weight of `remoteness`, 0 being no favour. No image of an
unseen class takes part. Per cent of images named correctly, mean over partitions, and the
difference from no favour with its standard error. Rows that were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/remoteness.py [--partitions 8] [--docs docs/algorithm.md]
"""

from __future__ import annotations

from held_out import Task, lead_lines, study

from sapwood import SparseAttributePropagation
from sapwood.benchmark import markdown_table
from sapwood.benchmark.rows import Row
from sapwood.metrics import accuracy

WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


def scored(task: Task) -> list[Row]:
    data, setting = task.problem()
    X, y = setting.training(data)
    model = SparseAttributePropagation().fit(X, y, class_attributes=data.attributes)
    images, truth = data.features[setting.test_unseen], data.labels[setting.test_unseen]
    rows = []
    for weight in WEIGHTS:
        model.remoteness_ = weight
        right = accuracy(truth, model.predict(images, classes=setting.unseen))
        rows.append({**task._asdict(), "remoteness": weight, "accuracy": right})
    return rows


def table(rows: list[Row]) -> str:
    head = ["", "partitions", "0", *(f"{weight:g}" for weight in WEIGHTS[1:])]
    return markdown_table(head, lead_lines(rows, "remoteness", WEIGHTS))


if __name__ == "__main__":
    study(__doc__, "remoteness", scored, table, partitions=8)
