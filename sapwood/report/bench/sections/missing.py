"""Benchmarks that have no row, and the commands that would run them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.datasets import PATH, data_alone, knows_web
from sapwood.benchmark.draws import NAMED
from sapwood.benchmark.rows import Row

#: It is of photos with tags; all others are of images with classes.
TAGGED = "sia"


def missing_commands(rows: Sequence[Row], folder: str) -> list[str]:
    """Return commands for the benchmarks without a row, on the data of the others.

    Parameters
    ----------
    rows : sequence of dict
    folder : str

    Examples
    --------
    >>> row = {"bench": "zsl", "data": "cub", "split": "paper"}
    >>> missing_commands([row], "out")[0]
    'sapwood bench gzsl --data cub --out out'
    """
    there = {row["bench"] for row in rows}
    quick = ["--quick"] * all(bool(row.get("quick")) for row in rows)
    return [
        shlex.join(["sapwood", "bench", name, *data, *quick, "--out", folder])
        for name, bench in BENCHES.items()
        if not bench.hidden and name not in there
        for data in _data_options(name, rows)
    ]


def _data_options(bench: str, rows: Iterable[Row]) -> list[list[str]]:
    if bench == TAGGED:
        return [[]]
    by_split: dict[tuple[str, ...], dict[str, str]] = {}
    for data, of_data in _by_data(rows).items():
        files = tuple(dict.fromkeys(r["split"] for r in of_data if r["split"] not in NAMED))
        by_split.setdefault(files, {})[data] = given_as(data, of_data)
    if bench == "external":
        known = {data: given for group in by_split.values() for data, given in group.items()}
        web = [] if any(map(knows_web, known)) else ["--web", "FILE"]
        return [["--data", ",".join(known.values()), *web]] if known else [[]]
    return [
        ["--data", ",".join(group.values()), *(["--split", ",".join(files)] if files else [])]
        for files, group in by_split.items()
    ] or [[]]


def _by_data(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row["bench"] in BENCHES and row["bench"] != TAGGED:
            found.setdefault(data_alone(row["bench"], row["data"], row["split"]), []).append(row)
    return found


def given_as(data: str, rows: Iterable[Row]) -> str:
    """Return what data was named by when it was run: a path, or the name itself.

    Examples
    --------
    >>> given_as("birds", [{"data": "birds", "path": "my/birds.npz"}])
    'my/birds.npz'
    """
    return next((row[PATH] for row in rows if row.get(PATH)), data)
