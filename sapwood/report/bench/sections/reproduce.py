"""How to get the same numbers, and where these come from."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from itertools import product

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import data_alone, knows_web
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.bench.sections.missing import given_as, missing_commands

CASE = ("bench", "data", "split", "annotated", "seed")
#: Values of a field that are told apart.
MOST = 3
#: Fields of provenance and what they are called.
FIELDS = {
    "version": "sapwood",
    "commit": "commit",
    "python": "Python",
    "numpy": "NumPy",
    "scipy": "SciPy",
    "sklearn": "scikit-learn",
    "cpu": "processor",
    "gpu": "graphics processor",
    "threads": "threads a process",
    "platform": "system",
}


def _make(results: Results) -> Content:
    rows = results.rows + results.skipped
    text = [
        "At one commit the same commands give the same numbers, times apart; the rows here may be "
        "of several, which are counted below, and each row names its own. Rows that are there are "
        "not run again, so for a second opinion name another folder. SAPWOOD_DATA names the folder "
        "that holds the data; data of your own is named by its path, or registered by the plugin "
        "FILE.py, as methods of your own are; FILE are its unlabelled images, where no plugin has "
        "them."
    ]
    code = {"kind": "code", "title": "Commands", "lines": commands(rows, results.folder)}
    missing = missing_commands(rows, results.folder)
    others = [{"kind": "code", "title": "Not run here", "lines": missing}] if missing else []
    return text, [code, *others, _provenance(rows)]


def commands(rows: Iterable[Row], folder: str) -> list[str]:
    """Return the commands that give these rows and no others; those of other programs have none.

    There is one for each benchmark, data and split, or one for each group of methods that were run
    for other K or seeds.

    Parameters
    ----------
    rows : iterable of dict
    folder : str

    Examples
    --------
    >>> row = {"bench": "zsl", "data": "cub", "split": "paper", "annotated": 5, "seed": 1,
    ...        "method": "rpl"}
    >>> commands([row], "out")
    ['sapwood bench zsl --data cub --split paper --annotated 5 --seeds 2 --methods rpl --out out']
    """
    by_bench: dict[str, list[Row]] = {}
    for row in rows:
        if row["bench"] in BENCHES:
            by_bench.setdefault(row["bench"], []).append(row)
    return [
        _command(bench, *case, group, folder)
        for bench, of_bench in by_bench.items()
        for case, of_case in by_case(of_bench).items()
        for group in ([of_case] if _is_usual(bench, of_case) else _rectangles(of_case))
    ]


def _rectangles(rows: list[Row]) -> list[list[Row]]:
    """Return groups of rows in which every method has every K and every seed."""
    seeds: dict[str, dict[int, int]] = {}
    for row in rows:
        of = seeds.setdefault(row["method"], {})
        of[row["annotated"]] = max(of.get(row["annotated"], 0), 1 + row["seed"])
    groups: dict[tuple[int, ...], list[Row]] = {}
    for row in rows:
        of = seeds[row["method"]]
        draws = of[row["annotated"]]
        counts = sorted(K for K in of if of[K] == draws)
        groups.setdefault((draws, *counts), []).append(row)
    return list(groups.values())


def _command(bench: str, data: str, split: str, rows: list[Row], folder: str) -> str:
    counts = sorted({row["annotated"] for row in rows})
    alone = data_alone(bench, data, split)
    parts = ["sapwood", "bench", bench, "--data", given_as(alone, rows), "--split", split]
    # No option asks for none: the benchmark that begins with none does so by itself.
    parts += ["--annotated", ",".join(map(str, counts))] if min(counts) else []
    parts += ["--seeds", str(1 + max(row["seed"] for row in rows))]
    parts += ["--quick"] * all(bool(row.get("quick")) for row in rows)
    parts += ["--web", "FILE"] * (alone != data and not knows_web(alone))
    return shlex.join([*parts, *_methods(bench, rows), "--out", folder])


def _methods(bench: str, rows: list[Row]) -> list[str]:
    """Name the methods where they are not the usual ones, and the plugins."""
    found, known = dict.fromkeys(row["method"] for row in rows), BENCHES[bench]
    usual = set[str]().union(*(known.methods(case) for case in _by_problem(rows)))
    named = [] if _is_usual(bench, rows) else ["--methods", ",".join(found)]
    plugins = dict.fromkeys(file for row in rows for file in row.get("plugins", ()))
    unnamed = ["FILE.py"] * bool(set(found) - usual - set(known.known()))
    return named + [part for file in plugins or unnamed for part in ("--plugin", file)]


def _is_usual(bench: str, rows: list[Row]) -> bool:
    """Tell whether rows are those that are found where nobody names methods."""
    problems = _by_problem(rows)
    draws = {(case.annotated, case.seed) for case in problems}
    whole = product({K for K, _ in draws}, range(1 + max(seed for _, seed in draws)))
    return draws == set(whole) and all(
        found == set(BENCHES[bench].methods(case)) for case, found in problems.items()
    )


def _by_problem(rows: list[Row]) -> dict[Case, set[str]]:
    """Return the methods of each case."""
    problems: dict[Case, set[str]] = {}
    for row in rows:
        case = Case(**{name: row[name] for name in CASE}, quick=bool(row.get("quick")))
        problems.setdefault(case, set()).add(row["method"])
    return problems


def _provenance(rows: list[Row]) -> Item:
    body = [[name, _told(row.get(field) for row in rows)] for field, name in FIELDS.items()]
    changed = sum(str(row.get("commit")).endswith("-dirty") for row in rows)
    if changed:
        body.append(["rows of a checkout with changes not committed", str(changed)])
    started = sorted(str(row["started"]) for row in rows if row.get("started"))
    if started:
        body.append(["run", f"{started[0][:10]} to {started[-1][:10]}"])
    body.append(["rows", str(len(rows))])
    return {"kind": "table", "words": True, "title": "Where the rows come from",
            "columns": ["what", "value (rows, where there are several)"], "rows": body}  # fmt: skip


def _told(values: Iterable[object]) -> str:
    counted = Counter("not told" if value is None else str(value) for value in values)
    if len(counted) == 1:
        return next(iter(counted))
    told = [f"{value} ({count})" for value, count in counted.most_common(MOST)]
    others = sum(counted.values()) - sum(count for _, count in counted.most_common(MOST))
    return "; ".join([*told, *([f"{len(counted) - MOST} others ({others})"] if others else [])])


SECTION = Section("reproduce", "How to reproduce it", "", _make)
