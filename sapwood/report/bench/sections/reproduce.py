"""How to get the same numbers, and where these come from."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import data_alone, has_web
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
        "that holds the data; data of your own is named by its path, FILE are its unlabelled "
        "images, and FILE.py is the plugin that registers a method of your own."
    ]
    code = {"kind": "code", "title": "Commands", "lines": commands(rows, results.folder)}
    missing = missing_commands(rows, results.folder)
    others = [{"kind": "code", "title": "Not run here", "lines": missing}] if missing else []
    return text, [code, *others, _provenance(rows)]


def commands(rows: Iterable[Row], folder: str) -> list[str]:
    """Return one command for each benchmark, data and split; rows of other programs have none.

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
        _command(bench, *case, of_case, folder)
        for bench, of_bench in by_bench.items()
        for case, of_case in by_case(of_bench).items()
    ]


def _command(bench: str, data: str, split: str, rows: list[Row], folder: str) -> str:
    counts = sorted({row["annotated"] for row in rows})
    alone = data_alone(data, split)
    parts = ["sapwood", "bench", bench, "--data", given_as(alone, rows), "--split", split]
    # No option asks for none: the benchmark that begins with none does so by itself.
    parts += ["--annotated", ",".join(map(str, counts))] if min(counts) else []
    parts += ["--seeds", str(1 + max(row["seed"] for row in rows))]
    parts += ["--quick"] * all(bool(row.get("quick")) for row in rows)
    parts += ["--web", "FILE"] * (alone != data and not has_web(alone))
    return shlex.join([*parts, *_methods(bench, rows), "--out", folder])


def _methods(bench: str, rows: list[Row]) -> list[str]:
    """Name the methods where they are not those that each case would be run with anyway."""
    found, known = dict.fromkeys(row["method"] for row in rows), BENCHES[bench]
    cases: dict[Case, set[str]] = {}
    for row in rows:
        case = Case(**{name: row[name] for name in CASE}, quick=bool(row.get("quick")))
        cases.setdefault(case, set()).add(row["method"])
    usual = {case: set(known.methods(case)) for case in cases}
    all_usual = set[str]().union(*usual.values())
    as_usual = all(methods <= usual[case] for case, methods in cases.items())
    foreign = set(found) - all_usual - set(known.known())
    named = [] if as_usual and set(found) == all_usual else ["--methods", ",".join(found)]
    return named + ["--plugin", "FILE.py"] * bool(foreign)


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
