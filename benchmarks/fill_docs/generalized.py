"""Tables of seen and unseen classes together, and of probabilities."""

from __future__ import annotations

import numpy as np
from cases import GZSL

from sapwood.benchmark import Row, leads, markdown_table, mean_and_deviation, method_table

#: The K at which probabilities are shown, and those of which all scores are.
CLOSELY, DETAILED = 5, (1, 5, 25)
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
SAID = {"predict_proba": "", "softmax of raw similarities": "raw_"}
#: Whose images, named among their own classes.
AMONG = {"": "", ", seen classes": "seen_"}


def table_text(rows: list[Row], name: str) -> str:
    """Return the harmonic means of a table, the lead of ours, and the details of some K."""
    own = GZSL[name].of(rows)
    parts = [
        f"### {GZSL[name].title}",
        "Harmonic mean H of the accuracies on seen and on unseen images, calibrated:",
        method_table(own, "harmonic_mean"),
        leads(own, "harmonic_mean"),
    ]
    for K in DETAILED:
        some = [row for row in own if row["annotated"] == K]
        parts += [f"K = {K} in detail:", details(some)] if some else []
    return "\n\n".join(parts)


def details(rows: list[Row]) -> str:
    """Return all scores of each method at one K, the largest H first."""
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["method"], []).append(row)
    order = sorted(of, key=lambda name: -np.mean([row["harmonic_mean"] for row in of[name]]))
    body = [
        [name, *(mean_and_deviation([100 * row[s] for row in of[name]]) for s in DETAILS.values())]
        for name in order
    ]
    return markdown_table(["", *DETAILS], body)


def probabilities(rows: list[Row]) -> str:
    """Return how far probabilities can be believed, lower being better everywhere."""
    parts = []
    for shown in GZSL.values():
        own = [row for row in shown.of(rows) if _of_ours(row) and row["annotated"] == CLOSELY]
        if own:
            body = [
                [name + kind, *(_three(own, f"{of}{start}{s}") for s in PROBABILITIES.values())]
                for kind, of in AMONG.items()
                for name, start in SAID.items()
                if all(f"{of}{start}ece" in row for row in own)
            ]
            table = markdown_table(["", *PROBABILITIES], body)
            parts.append(f"{shown.title}, K = {CLOSELY}:\n\n{table}")
    return "\n\n".join(parts)


def _of_ours(row: Row) -> bool:
    return row["method"] == "sapwood" and "ece" in row


def _three(rows: list[Row], score: str) -> str:
    return mean_and_deviation([row[score] for row in rows], digits=3)
