"""What is run: a case, and what a user asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sapwood.benchmark.rows import Row

#: The fields of a row that no two rows of a benchmark share.
IDENTITY = ("bench", "data", "split", "annotated", "seed", "method")


class Case(NamedTuple):
    """A problem of a benchmark: data, split, K annotated images a class and a draw of them.

    Examples
    --------
    >>> Case("zsl", "cub", "paper", 5, 0).told()["annotated"]
    5
    """

    bench: str
    data: str
    split: str
    annotated: int
    seed: int
    quick: bool = False

    def told(self) -> Row:
        """Return the fields of a row that name the case."""
        return self._asdict()

    def __str__(self) -> str:
        where = f"{self.bench} {self.data} {self.split}"
        return f"{where} K={self.annotated} seed={self.seed}"


def identity(row: Row) -> tuple[object, ...]:
    """Return what tells a row from all others.

    Examples
    --------
    >>> identity({**Case("zsl", "cub", "paper", 5, 0).told(), "method": "rpl", "accuracy": 0.6})
    ('zsl', 'cub', 'paper', 5, 0, 'rpl')
    """
    return tuple(row.get(name) for name in IDENTITY)


@dataclass(frozen=True)
class Asked:
    """What a user asks a benchmark for; None leaves it to the benchmark.

    Attributes
    ----------
    data : tuple of str
        Names, as :func:`sapwood.benchmark.datasets.add_data` returns them.
    splits, methods, presets : tuple of str, optional
    annotated : tuple of int, optional
        Values of K.
    seeds : int, optional
        How many draws.
    quick : bool
        A small run that only shows that everything works.
    """

    data: tuple[str, ...]
    splits: tuple[str, ...] | None = None
    annotated: tuple[int, ...] | None = None
    seeds: int | None = None
    methods: tuple[str, ...] | None = None
    presets: tuple[str, ...] | None = None
    quick: bool = False
