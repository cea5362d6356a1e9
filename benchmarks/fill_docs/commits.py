"""Methods whose rows in one table come from several versions of the program."""

from __future__ import annotations

from collections.abc import Iterator

from cases import EXTERNAL, GZSL, SIA, STRESS, SUGGEST, ZSL

from sapwood.benchmark import Row

TABLES = {
    "zsl": ZSL,
    "gzsl": GZSL,
    "external": EXTERNAL,
    "stress": STRESS,
    "suggest": SUGGEST,
    "sia": SIA,
}
#: Letters of a commit that are told.
SHORT = 7


def mixed(rows: dict[str, list[Row]]) -> Iterator[str]:
    """Yield a line for each table that has such methods: their commits, and who shares them.

    Parameters
    ----------
    rows : dict of str to list of dict
        By benchmark.
    """
    for bench, tables in TABLES.items():
        for name, shown in tables.items():
            sharing: dict[tuple[str, ...], list[str]] = {}
            for method, commits in _commits(shown.of(rows[bench])).items():
                sharing.setdefault(tuple(sorted(commits)), []).append(method)
            told = [
                f"{', '.join(methods)} ({', '.join(commits)})"
                for commits, methods in sharing.items()
                if len(commits) > 1
            ]
            if told:
                yield f"{bench} {name}: rows of several commits: {'; '.join(told)}"


def _commits(rows: list[Row]) -> dict[str, set[str]]:
    of: dict[str, set[str]] = {}
    for row in rows:
        commit, dash, changed = str(row.get("commit") or "unknown").partition("-")
        of.setdefault(row["method"], set()).add(f"{commit[:SHORT]}{dash}{changed}")
    return of
