"""What happened inside: propagated attributes, neighbours, convergence."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.data.world import AttributeWorld
from sapwood.graph import nearest_neighbors
from sapwood.metrics import accuracy
from sapwood.report.demo.experiment import Study
from sapwood.report.demo.pieces import Item, chip, described, one_each, percent, shot
from sapwood.report.plots import line_plot


def propagated(world: AttributeWorld, study: Study, count: int = 6) -> Item:
    """Return the section on unlabelled pictures and the attributes they were given."""
    guess = _nearest_class(world, study.model.attributes_)
    truth = world.labels[study.train]
    unknown = np.flatnonzero(study.known < 0)
    right = guess[unknown] == truth[unknown]
    order = unknown[np.argsort(-study.model.confidence_[unknown], kind="stable")]
    # The surest mistakes say most; rights are taken from the middle, where it was not easy.
    good, bad = order[guess[order] == truth[order]], order[guess[order] != truth[order]]
    good = good[len(good) // 3 :]
    blocks = [
        _given_cards(world, study, guess, one_each(rows, truth[rows], count), title, mark)
        for rows, title, mark in ((good, "Right", "right"), (bad, "Wrong", "wrong"))
        if len(rows)
    ]
    text = [
        "From here on: the first of the draws, one model to look into. "
        f"Of the {len(unknown)} unlabelled pictures, propagation along the graph gave "
        f"{percent(right.mean())} attributes that are nearest to those of the right class. Green "
        "attributes are truly in the picture, struck-out ones are not, and those with a plus were "
        "overlooked. The right ones shown are of middling confidence, the wrong ones the surest "
        "mistakes."
    ]
    title = "What unlabelled pictures were given"
    return {"id": "propagated", "title": title, "text": text, "blocks": blocks}


def _nearest_class(world: AttributeWorld, Y: np.ndarray) -> np.ndarray:
    Z = world.attributes[world.seen]
    distance = (Z * Z).sum(axis=1) - 2 * Y @ Z.T
    return world.seen[distance.argmin(axis=1)]


def _given_cards(
    world: AttributeWorld, study: Study, guess: np.ndarray, rows: np.ndarray, title: str, mark: str
) -> Item:
    items = []
    for i in rows:
        row = study.train[i]
        name, really = world.class_names[guess[i]], world.class_names[world.labels[row]]
        sure = f"confidence {study.model.confidence_[i]:.2f}"
        first = f"given {name}, {sure}" if mark == "right" else f"given {name}, is {really}; {sure}"
        had = set(described(world, study.model.attributes_[i]))
        shows = set(described(world, world.concepts[row].astype(float)))
        marks = [(n, "right" if n in shows else "wrong") for n in world.attribute_names if n in had]
        marks += [(n, "missed") for n in world.attribute_names if n in shows - had]
        items.append(
            {
                "title": really,
                "lines": [first],
                "mark": mark,
                "pictures": [shot(world, row)],
                "chips": [chip(*m) for m in marks],
            }
        )
    return {"kind": "cards", "title": title, "items": items}


def neighbours(world: AttributeWorld, study: Study, count: int = 4) -> Item:
    """Return the section on the graph: a few pictures and those nearest to them."""
    X = study.model.feature_map_.transform(world.features[study.train])
    k = min(8, len(X) - 1)
    near, _ = nearest_neighbors(X, k)
    truth = world.labels[study.train]
    same = truth[near] == truth[:, None]
    share = same.mean(axis=1)
    # From a clean neighbourhood to a mixed one.
    order = np.argsort(-share, kind="stable")
    places = np.linspace(0.1, 0.9, count) * (len(order) - 1)
    strips = [
        {
            "first": shot(world, study.train[i], world.class_names[truth[i]]),
            "items": [
                shot(
                    world, study.train[j], world.class_names[truth[j]], _mark(truth[i] == truth[j])
                )
                for j in near[i]
            ],
        }
        for i in order[places.astype(int)]
    ]
    caption = (
        f"The {k} nearest pictures of each outlined one, green of its own class, red of another: "
        f"over all pictures {percent(same.mean())} of these neighbours are of the same class."
    )
    text = ["Attributes travel along a graph that joins each picture to those most like it."]
    block = {"kind": "strips", "strips": strips, "caption": caption}
    return {"id": "graph", "title": "Neighbours", "text": text, "blocks": [block]}


def _mark(right: bool) -> str:
    return "right" if right else "wrong"


def convergence(world: AttributeWorld, study: Study) -> Item:
    """Return the section with the printed algorithm's objective and step against iterations."""
    trace: list[dict[str, Any]] = study.traced.trace_[1:]
    at = [int(step["iteration"]) for step in trace]
    series = [
        {"name": "objective, Eq. 3", "x": at, "y": [step["objective"] for step in trace]},
        {"name": "relative change of W", "x": at, "y": [step["delta_W"] for step in trace]},
    ]
    svg = line_plot(
        series,
        x="iteration",
        y="value",
        label="Objective and change of W of the printed algorithm against iterations",
        log="y",
        ticks={i: str(i) for i in at if i == 1 or i % 5 == 0},
        size=(6.2, 3.2),
    )
    answers = study.printed.predict(world.features[study.test], classes=world.unseen)
    right = accuracy(world.labels[study.test], answers)
    caption = (
        f"Algorithm 1 with the published parameters on the same pictures and annotations, run for "
        f"{len(at)} iterations. Stopped after {study.printed.n_iter_}, as published, it names "
        f"{percent(right)} of the unseen pictures correctly."
    )
    text = [
        f'{_rounds(study.model)} The algorithm as the paper prints it (preset "paper") alternates '
        "between attributes and projection:"
    ]
    block = {"kind": "figure", "svg": svg, "caption": caption}
    return {"id": "convergence", "title": "Convergence", "text": text, "blocks": [block]}


def _rounds(model: Any) -> str:
    """Say how often the default propagated, and what let the projection vote or kept it silent."""
    if model.information_ is None:
        return "The default propagates once here and has no iterations to show."
    tells = percent(max(model.information_, 0.0))
    asked = f"its projection tells {tells} of what annotations withheld from it say"
    if model.n_iter_ == 1:
        return f"The default propagates once here: {asked}, which is too little for a vote."
    return (
        f"The default takes a fixed number of rounds, {model.n_iter_}: {asked}, so from the second "
        "on it votes on the unannotated pictures."
    )
