"""The top of the demo's page: the problem, the result, and who the creatures are."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.data.world import AttributeWorld
from sapwood.report.demo.experiment import ALL, ALONE, METHODS, NEAREST, SAPWOOD, Study
from sapwood.report.demo.pieces import Item, chip, described, percent, portraits, shot
from sapwood.report.plots import line_plot
from sapwood.report.tables import ResultTable, result_table, summarise

#: Columns of the table: values of K, and what they are called.
COLUMNS: dict[Any, str] = {1: "1 a class", 5: "5 a class", ALL: "all"}


def demo_table(rows: list[dict[str, Any]]) -> ResultTable:
    """Return the table the demo prints and shows: methods against annotated pictures a class."""
    present = {row["annotated"] for row in rows}
    return result_table(rows, {k: title for k, title in COLUMNS.items() if k in present})


def lead(world: AttributeWorld, study: Study) -> list[str]:
    """Return the problem in three sentences."""
    pictures, k = len(study.train), int((study.known >= 0).sum() / len(world.seen))
    some = "one of each kind is" if k == 1 else f"{k} of each kind are"
    return [
        f"There are {pictures} pictures of {len(world.seen)} kinds of creature, but only {some} "
        "annotated with its name; the others have none.",
        f"{len(world.unseen)} further kinds are not among them; of each there is only a "
        "row in a table of attributes: body, colour, horns, wings, where it lives.",
        f"The task is to name {len(study.test)} pictures of those {len(world.unseen)} kinds, "
        "which nobody has ever shown to the program.",
    ]


def hero(world: AttributeWorld, study: Study) -> list[Item]:
    """Return the three kinds of data in pictures."""
    annotated = study.train[study.known >= 0]
    first = annotated[:: max(1, len(annotated) // 9)][:9]
    rest = study.train[study.known < 0]
    unknown = rest[len(rest) // 18 :: max(1, len(rest) // 9)][:9]
    words = [
        {"words": ", ".join(described(world, world.attributes[c])), "name": world.class_names[c]}
        for c in world.unseen[:6]
    ]
    panels = [
        {"title": "A few with a name", "text": f"{len(annotated)} annotated pictures",
         "items": [shot(world, r, world.class_names[world.labels[r]]) for r in first]},
        {"title": "Many without", "text": f"{len(rest)} pictures of the same creatures",
         "items": [shot(world, r, "?") for r in unknown]},
        {"title": "Described, never shown", "text": f"{len(world.unseen)} unseen classes",
         "items": words, "mark": "words"},
    ]  # fmt: skip
    return [{"kind": "panels", "panels": panels}]


def facts(study: Study) -> list[Item]:
    """Return the headline numbers, for the smallest K."""
    k = min(row["annotated"] for row in study.rows if row["annotated"] != ALL)
    found = summarise(study.rows, ("method", "annotated"))
    label = "annotated picture a class" if k == 1 else "annotated pictures a class"
    named = {
        ALONE: ("annotated pictures only", "the others are not used"),
        NEAREST: ("nearest-neighbour labels", "each takes the label of the nearest"),
        SAPWOOD: ("sapwood", f"{k} {label}, attributes propagated to the others"),
    }
    tiles = [
        {"value": percent(found[method, k][0]), "label": title, "note": note,
         "main": method == SAPWOOD}
        for method, (title, note) in named.items()
    ]  # fmt: skip
    ceiling = {"value": percent(found[SAPWOOD, ALL][0]), "label": "every picture annotated",
               "note": "the ceiling", "main": False}  # fmt: skip
    return [*tiles, ceiling]


def results(study: Study) -> Item:
    """Return the section with the table and accuracy against K."""
    table = demo_table(study.rows)
    draws = len({row["draw"] for row in study.rows})
    found = summarise(study.rows, ("method", "annotated"))
    counts = sorted({row["annotated"] for row in study.rows if row["annotated"] != ALL})
    series = [
        {"name": method, "x": counts, "y": [100 * found[method, k][0] for k in counts],
         "spread": [100 * found[method, k][1] for k in counts]}
        for method in METHODS
    ]  # fmt: skip
    svg = line_plot(
        series,
        x="annotated pictures a class (K)",
        y="unseen pictures named correctly, %",
        label="Accuracy on unseen classes against annotated pictures a class, four methods",
        ticks={k: str(k) for k in counts},
        log="x",
        level=(100 * found[SAPWOOD, ALL][0], "every picture annotated"),
    )
    caption = (
        f"Pictures of unseen classes named correctly, in per cent, with 1, 5 or all pictures of "
        f"each seen class annotated: mean ± standard deviation over {draws} draws of the annotated "
        "ones."
    )
    blocks = [
        {"kind": "table", "columns": table.columns, "rows": table.rows, "best": table.best,
         "marked": [METHODS.index(SAPWOOD)], "caption": caption},
        {"kind": "figure", "svg": svg, "caption": "Accuracy against the number of annotated "
         "pictures a class; bands are one standard deviation."},
    ]  # fmt: skip
    text = [_gap(found, counts[0])]
    return {"id": "results", "title": "How well it works", "text": text, "blocks": blocks}


def _gap(found: dict[tuple[Any, ...], tuple[float, float, int]], k: int) -> str:
    low, own, top = found[ALONE, k][0], found[SAPWOOD, k][0], found[SAPWOOD, ALL][0]
    sentence = (
        f"With {k} annotated a class, the annotated pictures alone name {percent(low)} correctly, "
        f"and annotating everything would name {percent(top)}. "
    )
    if top <= low:
        return sentence + "There is no gap to close here."
    return sentence + (
        f"Propagating attributes to the unannotated pictures reaches {percent(own)}: "
        f"{100 * (own - low) / (top - low):.0f} % of the gap, without a single further annotation."
    )


def creatures(world: AttributeWorld) -> Item:
    """Return the section that introduces classes and attributes."""
    seen = world.seen[:: max(1, len(world.seen) // 10)][:10]
    blocks: list[Item] = [
        _cast(world, seen, "Some seen classes"),
        _cast(world, world.unseen, "The unseen classes"),
        {"kind": "strips", "title": "Some attributes, each in several classes",
         "strips": _attributes(world)},
    ]  # fmt: skip
    text = [
        f"{len(world.class_names)} classes are described by {len(world.attribute_names)} "
        "attributes. Pictures of one class differ in pose, size, light, clutter and in what hides "
        "part of the creature, and now and then a part is missing. The features are histograms of "
        "colours and edges; no network was trained."
    ]
    return {"id": "creatures", "title": "The creatures", "text": text, "blocks": blocks}


def _cast(world: AttributeWorld, labels: np.ndarray, title: str) -> Item:
    items = [
        {
            "title": world.class_names[c],
            "pictures": [shot(world, r) for r in portraits(world, c, 1)],
            "chips": [chip(name) for name in described(world, world.attributes[c])],
        }
        for c in labels
    ]
    return {"kind": "cards", "size": "small", "title": title, "items": items}


def _attributes(world: AttributeWorld) -> list[Item]:
    strips = []
    for name in ("wings", "stripes", "long neck", "one eye"):
        column = world.attribute_names.index(name)
        have = np.flatnonzero(world.attributes[:, column] >= 0.5)[:8]
        rows = [r for c in have for r in portraits(world, c, 1) if world.concepts[r, column]]
        items = [shot(world, r, world.class_names[world.labels[r]]) for r in rows]
        strips.append({"title": name, "items": items})
    return [strip for strip in strips if strip["items"]]
