"""The table of images that were suggested for annotation."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from cases import SUGGEST

from sapwood.benchmark import Row, markdown_table, mean_and_deviation, mean_and_error
from sapwood.benchmark.suggest import FIRST, MORE, RANDOM, SUGGESTED

NAMES = {
    (0, RANDOM): f"{MORE} drawn at random",
    (0, SUGGESTED): f"{MORE} chosen by `suggest_images`",
    (1, FIRST): "one image of each seen class",
    (1, RANDOM): f"and {MORE} drawn at random",
    (1, SUGGESTED): f"and {MORE} chosen by `suggest`",
}


def table_text(rows: list[Row]) -> str:
    """Return means over draws, and the differences from random annotations seed by seed."""
    means, body = _means(SUGGEST["suggest"].of(rows)), []
    for (start, name), shown in NAMES.items():
        own, drawn = means.get((start, name), {}), means.get((start, RANDOM), {})
        paired = [own[seed] - drawn[seed] for seed in sorted(set(own) & set(drawn))]
        lead = "" if name == RANDOM else mean_and_error(paired)
        body.append([shown, mean_and_deviation([own[seed] for seed in sorted(own)]), lead])
    return markdown_table(["annotated", "named correctly, %", "against random"], body)


def _means(rows: list[Row]) -> dict[tuple[int, str], dict[int, float]]:
    """Return percentages by K, kind of method and seed; several random draws are averaged."""
    of: dict[tuple[int, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        kind = row["method"].partition("-")[0]
        of[row["annotated"], kind][row["seed"]].append(100 * row["accuracy"])
    return {key: {s: float(np.mean(v)) for s, v in own.items()} for key, own in of.items()}
