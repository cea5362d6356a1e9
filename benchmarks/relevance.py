"""How far attributes are to differ in what they count, on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. Each freedom is taken by itself, 0 being attributes that count alike, and then the one
that annotated images choose, as by default. No image of an unseen class takes part. Per cent of
images named correctly, mean over partitions, and the difference from attributes that count alike
with its standard error. Rows that were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/relevance.py [--partitions 2] [--docs docs/algorithm.md]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from coordinates import lead_lines, named, partition_of, places

from sapwood.benchmark import fill_page, markdown_table, read_rows
from sapwood.benchmark.rows import Row
from sapwood.benchmark.run import compute

ROWS = Path("benchmarks/results/relevance.jsonl")
FREEDOMS = (0.0, 2.5, 5.0, 10.0, "auto")
#: Data sets and K's.
ASKED = {
    "demo": (1, 5, 10),
    "awa1_lowlevel": (5, 25),
    "cub": (1, 5, 25),
    "cub:sentence_attributes": (5,),
}


class Task(NamedTuple):
    """One fit."""

    data: str
    annotated: int
    partition: int
    attribute_freedom: float | str


def scored(task: Task) -> list[Row]:
    data = partition_of(task.data, task.partition)
    freedom = {"attribute_freedom": task.attribute_freedom}
    return [{**task._asdict(), **named(data, task.annotated, task.partition, **freedom)}]


def table(rows: list[Row]) -> str:
    head = ["", "partitions", "0", *(f"{value:g}" for value in FREEDOMS[1:-1]), "chosen"]
    lines = lead_lines(rows, ASKED, "attribute_freedom", FREEDOMS)
    return markdown_table(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=2, help="of each data set; 2")
    parser.add_argument("--docs", type=Path, help="a page whose block `relevance` is to be filled")
    arguments = parser.parse_args()
    wanted = [Task(*place, f) for place in places(ASKED, arguments.partitions) for f in FREEDOMS]
    have = {Task(*(row[name] for name in Task._fields)) for row in read_rows(ROWS)}
    todo = [task for task in wanted if task not in have]
    compute(scored, todo, ROWS, graphs=Path("benchmarks/results/.work/graphs"), title="fits")
    text = table(read_rows(ROWS))
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "relevance", text, "benchmarks/relevance.py")


if __name__ == "__main__":
    main()
