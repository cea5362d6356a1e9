"""Studies on seen classes that play unseen ones: their partitions, rows, tables and command line.

A third of a data set's seen classes are held out and asked; the others teach. No image of an unseen
class takes part. A study keeps its rows and does not find them again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sapwood.benchmark import fill_page, mean_and_error, read_rows
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.rows import Row
from sapwood.benchmark.run import compute
from sapwood.data import Setting, Split, ZeroShotData, standard_setting

FOLDER = Path("benchmarks/results")
#: Data sets and K's.
Asked = dict[str, tuple[int, ...]]
ASKED: Asked = {
    "demo": (1, 5, 10),
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
#: Partitions of the demo, which has the fewest classes, in units of those of the others.
MORE = {"demo": 4}


class Task(NamedTuple):
    """A partition of a data set's seen classes, and K."""

    data: str
    annotated: int
    partition: int

    def problem(self) -> tuple[ZeroShotData, Setting]:
        """Return the data, and what is learned from and asked."""
        data = partition_of(self.data, self.partition)
        return data, standard_setting(data, "held out", self.annotated, seed=self.partition)


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


def tasks(partitions: int, asked: Asked = ASKED) -> list[Task]:
    """Return data sets × partitions × K's."""
    return [
        Task(data, K, number)
        for data, counts in asked.items()
        for number in range(partitions * MORE.get(data, 1))
        for K in counts
    ]


def lead_lines(
    rows: list[Row], kind: str, names: Sequence[Any], asked: Asked = ASKED
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


def study(
    said: str,
    name: str,
    scored: Callable[[Any], list[Row]],
    told: Callable[[list[Row]], str],
    wanted: Callable[[int], Sequence[Any]] = tasks,
    partitions: int = 2,
) -> None:
    """Find the rows that the command line asks for, print what they tell, and fill a page's block.

    Parameters
    ----------
    said : str
        The script's docstring.
    name : str
        Of the script, of its file of rows and of the block.
    scored : callable
        From a task, a named tuple, to its rows, which have the task's fields.
    told : callable
        From all rows to Markdown.
    wanted : callable
        From a number of partitions to the tasks.
    partitions : int
        As many as are asked for by default.
    """
    parser = argparse.ArgumentParser(description=said.splitlines()[0])
    parser.add_argument(
        "--partitions", type=int, default=partitions, help=f"of each data set; {partitions}"
    )
    parser.add_argument("--docs", type=Path, help=f"a page whose block `{name}` is to be filled")
    arguments = parser.parse_args()
    path, todo = FOLDER / f"{name}.jsonl", wanted(arguments.partitions)
    have = {tuple(row[field] for field in todo[0]._fields) for row in read_rows(path)}
    todo = [task for task in todo if tuple(task) not in have]
    compute(scored, todo, path, graphs=FOLDER / ".work" / "graphs", title="fits")
    text = told(read_rows(path))
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, name, text, f"benchmarks/{name}.py")
