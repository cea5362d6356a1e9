"""Flat rows of results as a table: methods down, settings across, mean ± spread in the cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Mean, standard deviation and count.
Summary = tuple[float, float, int]


@dataclass(frozen=True)
class ResultTable:
    """A table ready to be printed or put on a page; all cells are text.

    Parameters
    ----------
    columns : list of str
        The first is the method's.
    rows : list of list of str
    best : list of list of int
        For each column after the first, the rows with the highest mean as it is printed.
    """

    columns: list[str]
    rows: list[list[str]]
    best: list[list[int]]

    def text(self) -> str:
        """Return the table as text with aligned columns.

        Examples
        --------
        >>> print(ResultTable(["method", "K = 1"], [["SAP", "88.1 ± 0.9"]], [[0]]).text())
        method       K = 1
        SAP     88.1 ± 0.9
        """
        lines = [self.columns, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        padded = [
            [
                line[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)),
            ]
            for line in lines
        ]
        return "\n".join("  ".join(line).rstrip() for line in padded)


def summarise(
    rows: Iterable[Mapping[str, Any]], by: tuple[str, ...]
) -> dict[tuple[Any, ...], Summary]:
    """Return mean, standard deviation and count of the accuracies of rows alike in `by`.

    Examples
    --------
    >>> summarise([{"k": 1, "accuracy": 0.5}, {"k": 1, "accuracy": 0.7}], ("k",))
    {(1,): (0.6, 0.141421356237, 2)}
    """
    groups: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in by), []).append(float(row["accuracy"]))
    return {
        key: (round(float(np.mean(v)), 12), round(deviation(v), 12), len(v))
        for key, v in groups.items()
    }


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample; one value has none: 0."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def result_table(rows: Iterable[Mapping[str, Any]], settings: Mapping[Any, str]) -> ResultTable:
    """Arrange rows with ``method``, ``annotated`` and ``accuracy`` as a table, in per cent.

    Parameters
    ----------
    rows : iterable of dict
        One a run; runs of the same method and setting are averaged.
    settings : mapping
        Values of ``annotated`` that get a column, and the column's title.

    Examples
    --------
    >>> rows = [{"method": "SAP", "annotated": 1, "accuracy": a} for a in (0.80, 0.84)]
    >>> result_table(rows, {1: "K = 1", 5: "K = 5"}).rows
    [['SAP', '82.0 ± 2.8', '–']]
    """
    rows = list(rows)
    found = summarise(rows, ("method", "annotated"))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    cells = [[m, *(_cell(found.get((m, k))) for k in settings)] for m in methods]
    best = [_best([found.get((m, k)) for m in methods]) for k in settings]
    return ResultTable(["method", *settings.values()], cells, best)


def _best(column: list[Summary | None]) -> list[int]:
    means = [-1.0 if one is None else round(100 * one[0], 1) for one in column]
    return [i for i, mean in enumerate(means) if mean == max(means) >= 0]


def _cell(found: Summary | None) -> str:
    if found is None:
        return "–"
    mean, spread, count = found
    return f"{100 * mean:.1f} ± {100 * spread:.1f}" if count > 1 else f"{100 * mean:.1f}"
