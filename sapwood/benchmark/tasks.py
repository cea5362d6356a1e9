"""What is run at once: a group of methods on one problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sapwood._version import __version__
from sapwood.benchmark.rows import Row


class Task(NamedTuple):
    """A group of methods on the problem that a case, K and a seed name.

    Examples
    --------
    >>> Task("ours", "cub", 5, 0).rows([{"method": "sapwood"}])[0]["annotated"]
    5
    """

    group: str
    case: str
    annotated: int
    seed: int

    def rows(self, found: Iterable[Row]) -> list[Row]:
        """Return what was found, each row with the task and the version it comes from."""
        told = {**self._asdict(), "version": __version__}
        return [{**told, **row} for row in found]


def task_of(row: Row) -> Task:
    """Return the task that a row comes from.

    Examples
    --------
    >>> task_of({"group": "ours", "case": "cub", "annotated": 5, "seed": 0, "accuracy": 0.6})
    Task(group='ours', case='cub', annotated=5, seed=0)
    """
    return Task(row["group"], row["case"], row["annotated"], row["seed"])
