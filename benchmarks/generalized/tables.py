"""From rows to tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from cases import CASES
from methods import CLOSELY

from sapwood.benchmark import Row, leads, markdown_table, mean_and_deviation, method_table

DETAILS = {
    "unseen": "acc_u",
    "seen": "acc_s",
    "H": "harmonic_mean",
    "H, uncalibrated": "uncalibrated",
    "AUSUC": "ausuc",
    "H at the best bias (ceiling)": "ceiling",
    "H over classes": "harmonic_mean_over_classes",
}
PROBABILITIES = {
    "expected calibration error": "ece",
    "negative log-likelihood": "nll",
    "area under risk–coverage": "aurc",
}


def case_text(rows: list[Row], case: str) -> str:
    """Return the harmonic means of a case, the lead of ours, and the details of each K."""
    own = [row for row in rows if row["case"] == case and row["about"] == "classes"]
    parts = [
        f"### {CASES[case].title}",
        "Harmonic mean H of the accuracies on seen and on unseen images, calibrated:",
        method_table(own, "harmonic_mean"),
        leads(own, "harmonic_mean"),
    ]
    for K in sorted({row["annotated"] for row in own}):
        parts += [f"K = {K} in detail:", details([row for row in own if row["annotated"] == K])]
    return "\n\n".join(parts)


def details(rows: list[Row]) -> str:
    """Return all scores of each method at one K, the largest H first."""
    of = _by_method(rows)
    order = sorted(of, key=lambda name: -np.mean([row["harmonic_mean"] for row in of[name]]))
    body = [
        [name, *(mean_and_deviation([100 * row[s] for row in of[name]]) for s in DETAILS.values())]
        for name in order
    ]
    return markdown_table(["", *DETAILS], body)


def probabilities(rows: list[Row]) -> str:
    """Return how far probabilities can be believed, lower being better everywhere."""
    said = [row for row in rows if row["about"] == "probabilities"]
    parts = []
    for case in (name for name in CASES if any(row["case"] == name for row in said)):
        of = _by_method(row for row in said if row["case"] == case)
        body = [
            [name.removeprefix("sapwood, "), *(_three(own, s) for s in PROBABILITIES.values())]
            for name, own in of.items()
        ]
        table = markdown_table(["", *PROBABILITIES], body)
        parts.append(f"{CASES[case].title}, K = {CLOSELY}:\n\n{table}")
    return "\n\n".join(parts)


def _three(rows: list[Row], score: str) -> str:
    return mean_and_deviation([row[score] for row in rows], digits=3)


def _by_method(rows: Iterable[Row]) -> dict[str, list[Row]]:
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["method"], []).append(row)
    return of
