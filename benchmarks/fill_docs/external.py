"""Tables of images from elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from cases import EXTERNAL, STRESS

from sapwood.benchmark import Row, leads, markdown_table, mean_and_error, method_table
from sapwood.benchmark.external import IGNORING
from sapwood.benchmark.stress import KINDS

#: Percentages by K and seed.
Found = dict[int, dict[int, float]]


def table_text(rows: list[Row], name: str) -> str:
    """Return the accuracies of a table, leads, the worth of web images and how many were used."""
    own = EXTERNAL[name].of(rows)
    return "\n\n".join(
        [f"### {EXTERNAL[name].title}", method_table(own), leads(own), gains(own), used(own)]
    )


def gains(rows: list[Row]) -> str:
    """Return what unlabelled images are worth to each of our methods, draw by draw."""
    without = _accuracies(rows, IGNORING)
    ours = dict.fromkeys(row["method"] for row in rows if row["method"].startswith("sapwood"))
    body = [
        [name, *_differences(_accuracies(rows, name), without)] for name in ours if name != IGNORING
    ]
    table = markdown_table(["", *(f"K = {K}" for K in sorted(without))], body)
    return f"With web images minus ignoring them (± standard error):\n\n{table}"


def used(rows: list[Row]) -> str:
    """Return how many unlabelled images the default used, and why, as means over draws."""
    of: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["method"] == "sapwood":
            of[row["annotated"]].append(row)
    reasons = sorted({reason for own in of.values() for row in own for reason in row["reasons"]})
    body = [[f"K = {K}", *_counts(of[K], reasons)] for K in sorted(of)]
    table = markdown_table(["", "web images", "used", *reasons], body)
    return f"Web images that *sapwood* used, and what became of all of them:\n\n{table}"


def stress_text(rows: list[Row], name: str) -> str:
    """Return what each kind of unlabelled images does to the default."""
    own = STRESS[name].of(rows)
    without = _accuracies(own, IGNORING)
    body = []
    for method, kind in KINDS.items():
        of_kind = [row for row in own if row["method"] == method]
        worth = _differences(_accuracies(own, method), without)
        share = [f"{100 * np.mean([r['used'] / r['given'] for r in of_kind]):.0f}"]
        body.append([kind, *worth, *share, _strangeness(of_kind)])
    head = ["", *(f"K = {K}" for K in sorted(without)), "used (%)", "strangeness"]
    said = "*sapwood* with these unlabelled images minus ignoring them (± standard error):"
    return "\n\n".join([f"### {STRESS[name].title}", said, markdown_table(head, body)])


def _strangeness(rows: list[Row]) -> str:
    """Return the least and the largest over draws; with one annotation a class there is none."""
    found = [row["strangeness"] for row in rows if row.get("strangeness") is not None]
    return f"{min(found):.2f} to {max(found):.2f}" if found else "–"


def _accuracies(rows: list[Row], method: str) -> Found:
    found: Found = defaultdict(dict)
    for row in rows:
        if row["method"] == method:
            found[row["annotated"]][row["seed"]] = 100 * row["accuracy"]
    return found


def _differences(found: Found, without: Found) -> list[str]:
    return [
        mean_and_error([of[seed] - without[K][seed] for seed in of if seed in without[K]])
        for K in sorted(without)
        for of in (found.get(K, {}),)
    ]


def _counts(rows: list[Row], reasons: list[str]) -> list[str]:
    counts = [[row["given"], row["used"]] for row in rows]
    why = [[Counter(row["reasons"])[reason] for reason in reasons] for row in rows]
    return [f"{mean:.0f}" for mean in np.mean(np.hstack([counts, why]), axis=0)]
