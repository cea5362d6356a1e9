"""How much a class far from all seen ones is to be favoured, on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. Each fit is asked with every weight of `remoteness`, 0 being no favour. No image of an
unseen class takes part. Per cent of images named correctly, mean over partitions, and the
difference from no favour with its standard error. Rows that were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/remoteness.py [--partitions 8] [--docs docs/algorithm.md]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from comparison import Task
from coordinates import lead_lines, partition_of, places

from sapwood import SparseAttributePropagation
from sapwood.benchmark import fill_page, markdown_table, read_rows
from sapwood.benchmark.rows import Row
from sapwood.benchmark.run import compute
from sapwood.data import standard_setting
from sapwood.metrics import accuracy

ROWS = Path("benchmarks/results/remoteness.jsonl")
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
#: Data sets and K's.
ASKED = {
    "demo": (1, 5, 10),
    "awa1_lowlevel": (5, 25),
    "cub": (1, 5, 25),
    "cub:sentence_attributes": (1, 5, 25),
}


def scored(task: Task) -> list[Row]:
    data = partition_of(task.data, task.partition)
    setting = standard_setting(data, "held out", task.annotated, seed=task.partition)
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
    return markdown_table(head, lead_lines(rows, ASKED, "remoteness", WEIGHTS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=8, help="of each data set; 8")
    parser.add_argument("--docs", type=Path, help="a page whose block `remoteness` is to be filled")
    arguments = parser.parse_args()
    wanted = [Task(*place) for place in places(ASKED, arguments.partitions)]
    have = {Task(*(row[name] for name in Task._fields)) for row in read_rows(ROWS)}
    todo = [task for task in wanted if task not in have]
    compute(scored, todo, ROWS, graphs=Path("benchmarks/results/.work/graphs"), title="fits")
    text = table(read_rows(ROWS))
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "remoteness", text, "benchmarks/remoteness.py")


if __name__ == "__main__":
    main()
