"""Rows of the robust preset that were found before it had all of today's settings."""

from __future__ import annotations

from collections.abc import Iterable

from sapwood.benchmark.rows import Row
from sapwood.models.parameters import PRESETS
from sapwood.report.bench.results import case_title

DEFAULT = "robust"


def told_age(rows: Iterable[Row]) -> str:
    """Say which settings of the preset some of its rows lack, and where; empty if none does.

    Parameters
    ----------
    rows : iterable of dict

    Examples
    --------
    >>> case = {"data": "demo", "split": "paper", "preset": "robust"}
    >>> today = {**case, "parameters": PRESETS["robust"]}
    >>> told_age([today])
    ''
    >>> old = {**case, "parameters": {**today["parameters"]}}
    >>> del old["parameters"]["remoteness"]
    >>> told_age([today, old]).partition("in them: ")[2]
    "remoteness in 1 of 2 (The demo's creatures)."
    """
    ours = [row for row in rows if row.get("preset") == DEFAULT and row.get("parameters")]
    older = {name: [r for r in ours if name not in r["parameters"]] for name in PRESETS[DEFAULT]}
    told = [_told(name, found, len(ours)) for name, found in older.items() if found]
    if not told:
        return ""
    return (
        "Rows of sapwood here are older than settings of today's default, and what these are worth "
        f"is not in them: {'; '.join(told)}."
    )


def _told(setting: str, older: list[Row], total: int) -> str:
    where = dict.fromkeys(case_title(row["data"], row["split"]) for row in older)
    return f"{setting} in {len(older)} of {total} ({' · '.join(where)})"
