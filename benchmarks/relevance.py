"""How far attributes are to differ in what they count, on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K images of each
annotated. From what is propagated, and in the map and with the ridge that are chosen with
attributes that count alike, each freedom learns by itself, 0 being alike, and then the one that
annotated images choose, as by default. No image of an unseen class takes part. Per cent of
images named correctly, mean over partitions, and the difference from attributes that count alike
with its standard error. Rows that were found before are not found again.

    SAPWOOD_DATA=... python benchmarks/relevance.py [--partitions 2] [--docs docs/algorithm.md]
"""

from __future__ import annotations

from functools import partial

import numpy as np
from held_out import Task, lead_lines, study

from sapwood.benchmark import markdown_table
from sapwood.benchmark.rows import Row
from sapwood.metrics import accuracy
from sapwood.models.annotations import read_annotations
from sapwood.models.checks import draw_seed
from sapwood.models.comparison import PLAIN, compared_scores, error_comparison, errors_show
from sapwood.models.coordinates import alike_or_weighed, choose_coordinates, maps_and_ridges
from sapwood.models.learned import coordinates
from sapwood.models.parameters import USUAL
from sapwood.models.runs import solve
from sapwood.models.weighted import weighted_map
from sapwood.projection import learn_scaled

FREEDOMS = (0.0, 2.5, 5.0, 10.0, "auto")


def scored(task: Task) -> list[Row]:
    data, setting = task.problem()
    X, y = setting.training(data)
    known = read_annotations(y, len(X), data.attributes)
    given, settings = known.Z[known.seen], {**USUAL, "graph": "knn", "seed": draw_seed(0)}
    _, Z = coordinates(known, USUAL["attribute_map"])
    ones, X = np.ones(len(X)), np.asarray(X, dtype=float)
    last = solve(X, known.seen_codes, given, Z[known.seen], ones, settings)[0][-1]
    evidence, codes = last.described(given), known.seen_codes[last.part.rows]
    ask = partial(choose_coordinates, evidence, codes, metric="euclidean", seed=settings["seed"])
    chosen = ask(tried=maps_and_ridges(settings["lambda4"], 0.0))
    comparison = PLAIN
    if errors_show(last.evidence):
        exponent, seed = settings["error_whitening"], settings["seed"]
        comparison = error_comparison(evidence, *chosen[:2], exponent, seed)
    images = last.feature_map.transform(data.features[setting.test_unseen].astype(float))
    rows = []
    for freedom in FREEDOMS:
        auto = freedom == "auto"
        own = ask(tried=alike_or_weighed(chosen)) if auto else chosen._replace(freedom=freedom)
        classes = weighted_map(evidence, *own)
        found = learn_scaled(evidence.described(classes.transform), own.ridge, 0.0)
        prototypes = classes.transform(known.Z[setting.unseen]) @ found.W * found.scale
        answers = compared_scores(images, prototypes, comparison, "euclidean").argmax(axis=1)
        right = accuracy(data.labels[setting.test_unseen], setting.unseen[answers])
        told = {"attribute_freedom": freedom, "accuracy": right, **own._asdict()}
        rows.append({**task._asdict(), **told})
    return rows


def table(rows: list[Row]) -> str:
    head = ["", "partitions", "0", *(f"{value:g}" for value in FREEDOMS[1:-1]), "chosen"]
    lines = lead_lines(rows, "attribute_freedom", FREEDOMS)
    return markdown_table(head, lines)


if __name__ == "__main__":
    study(__doc__, "relevance", scored, table)
