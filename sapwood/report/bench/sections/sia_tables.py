"""Tables and bars of annotators: scores by method, mean over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sapwood.benchmark.cells import mean_and_deviation, signed
from sapwood.benchmark.rows import Row
from sapwood.report.bench.section import Item
from sapwood.report.plots import bar_plot
from sapwood.report.tables import deviation

Found = Mapping[str, list[Row]]
#: Scores of a ranking, whatever is decided.
RANKING = ("mAP", "mAP_images")
DECISION = ("C-P", "C-R", "C-F1", "I-P", "I-R", "I-F1", "O-P", "O-R", "O-F1")
_TITLES = {"mAP_images": "mAP by image"}


def by_method(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each method, one a seed.

    Examples
    --------
    >>> list(by_method([{"method": "ria"}, {"method": "sinn"}, {"method": "ria"}]))
    ['ria', 'sinn']
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["method"], []).append(row)
    return found


def score_names(mode: str) -> list[str]:
    """Return the fields of a way to decide, with those of the ranking where it is the first.

    Examples
    --------
    >>> score_names("_top3")[:2], score_names("")[0]
    (['C-P_top3', 'C-R_top3'], 'mAP')
    """
    return [*(() if mode else RANKING), *(f"{name}{mode}" for name in DECISION)]


def mean(rows: Sequence[Row], score: str) -> float:
    """Return the mean of a score over seeds, in per cent."""
    return float(np.mean([100 * row[score] for row in rows]))


def table(found: Found, names: Sequence[str], scores: Sequence[str], said: str) -> Item:
    """Return a block with methods down and scores across.

    Examples
    --------
    >>> found = {"a": [{"mAP": 0.5}, {"mAP": 0.6}], "b": [{"mAP": 0.4}]}
    >>> table(found, ["a", "b"], ["mAP"], "Test.")["rows"]
    [['a', '55.0 ± 7.1'], ['b', '40.0']]
    """
    body = [
        [name, *(mean_and_deviation([100 * row[s] for row in found[name]]) for s in scores)]
        for name in names
    ]
    columns = [_TITLES.get(score, score.partition("_")[0]) for score in scores]
    seeds = max(len(found[name]) for name in names)
    return {
        "kind": "table",
        "columns": ["method", *columns],
        "rows": body,
        "marked": [i for i, name in enumerate(names) if name == "sapwood"],
        "caption": f"{said} {seeds} seed{'s' * (seeds != 1)}.",
    }


def lead(found: Found, ours: str, rivals: Sequence[str]) -> str:
    """Return how far a method is ahead of the best rival by C-F1 and by mAP, in words.

    Examples
    --------
    >>> found = {"sapwood": [{"C-F1": 0.5, "mAP": 0.5}], "ria": [{"C-F1": 0.4, "mAP": 0.6}]}
    >>> lead(found, "sapwood", ["ria"])
    'Lead of sapwood on the best of the eight: C-F1 +10.0 on ria; mAP −10.0 on ria.'
    """
    parts = []
    for score in ("C-F1", "mAP"):
        best = max(rivals, key=lambda name: mean(found[name], score))
        by = mean(found[ours], score) - mean(found[best], score)
        error = _error(found[ours], found[best]) if score == "mAP" else ""
        parts.append(f"{score} {signed(by)}{error} on {best}")
    return f"Lead of {ours} on the best of the eight: {'; '.join(parts)}."


def _error(ours: Sequence[Row], theirs: Sequence[Row]) -> str:
    """Return the standard error of the lead over concepts, where all rows tell of the same."""
    sizes = {len(row.get("concept_ap") or ()) for row in (*ours, *theirs)}
    if len(sizes) > 1 or 0 in sizes:
        return ""
    first, second = (
        np.mean([np.array(row["concept_ap"], dtype=float) for row in rows], axis=0)
        for rows in (ours, theirs)
    )
    known = (first - second)[~np.isnan(first - second)]
    return f" ± {100 * np.std(known, ddof=1) / np.sqrt(len(known)):.1f} (over concepts)"


def bars(found: Found, names: Sequence[str], label: str) -> str:
    """Draw C-F1 and mAP of methods side by side."""
    series = [
        {"name": score, "y": [mean(found[name], score) for name in names],
         "spread": [deviation([100 * row[score] for row in found[name]]) for name in names]}
        for score in ("C-F1", "mAP")
    ]  # fmt: skip
    groups = [name.replace("sapwood-", "sapwood\n").replace("-", "-\n", 1) for name in names]
    return bar_plot(series, groups, x="", y="%", label=label, size=(10.8, 3.8))
