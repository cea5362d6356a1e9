"""Pictures of unseen classes: what they were named, what decided, and the mistakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.data.world import AttributeWorld
from sapwood.report.demo.experiment import Study
from sapwood.report.demo.pieces import Item, one_each, percent, shot

#: Attributes named in the account of a prediction; the others are summed up.
NAMED = 5
#: Attributes whose weights are shown at either end.
WEIGHED = 8
#: What the model has for classes of which little is known is no attribute's doing.
REMOTE = "remoteness"


@dataclass(frozen=True, eq=False)
class Answers:
    """What was said about each test picture, and against which rival; all of shape (n,).

    ``lead`` is over the rival: the runner-up or, for a mistake, the truth.
    """

    truth: np.ndarray
    best: np.ndarray
    rival: np.ndarray
    lead: np.ndarray


def predicted(world: AttributeWorld, study: Study, count: int = 6) -> Item:
    """Return the section on pictures of unseen classes, what decided, and the mistakes."""
    answers = _answers(world, study)
    margin = answers.lead
    hit = answers.best == answers.truth
    right, wrong = np.flatnonzero(hit), np.flatnonzero(~hit)
    typical = np.median(margin[right]) if len(right) else 0.0
    middle = right[np.argsort(np.abs(margin[right] - typical), kind="stable")]
    surest = wrong[np.argsort(-margin[wrong], kind="stable")]
    blocks: list[Item] = []
    for rows, title, mark in ((middle, "Right", "right"), (surest, "Mistakes", "wrong")):
        chosen = one_each(rows, answers.truth[rows], count)
        cards = [_account(world, study, answers, i, mark) for i in chosen]
        if cards:
            blocks.append({"kind": "cards", "title": title, "items": cards})
    blocks.append(_confusion(world, answers))
    if study.model.attribute_freedom_:
        blocks.append(_weights(world, study.model.attribute_weights_))
    text = [
        f"In this draw {percent(hit.mean())} are named correctly. "
        "A picture gets the name of the class whose projected description is nearest. Each bar is "
        "one attribute's share of the winner's lead over its rival (the runner-up, or for a "
        "mistake the true class): green bars spoke for the winner, red ones against it, and all "
        "of them add up to the lead exactly. The mistakes shown are the surest."
    ]
    if study.model.remoteness_:
        text.append(
            f"“{REMOTE.capitalize()}” is no attribute's: the further a class is from the nearest "
            "seen one, the less is known of where its pictures lie, so a little of that distance "
            "is given back to it; shown is what the winner gets more than its rival."
        )
    title = "Naming classes never shown"
    return {"id": "predicted", "title": title, "text": text, "blocks": blocks}


def _answers(world: AttributeWorld, study: Study) -> Answers:
    X, truth = world.features[study.test], world.labels[study.test]
    scores = study.model.decision_function(X, classes=world.unseen)
    order = np.argsort(-scores, axis=1, kind="stable")
    best, second = world.unseen[order[:, 0]], world.unseen[order[:, min(1, len(world.unseen) - 1)]]
    rival = np.where(best == truth, second, truth)
    places = np.searchsorted(world.unseen, np.stack([best, rival]))
    won, lost = np.take_along_axis(scores, places.T, axis=1).T
    return Answers(truth, best, rival, won - lost)


def _account(world: AttributeWorld, study: Study, answers: Answers, i: int, mark: str) -> Item:
    image, pair = world.features[study.test[i]], [answers.best[i], answers.rival[i]]
    found = study.model.explain(image[None], classes=pair)
    lead, shares = float(found.lead[0]), found.parts[0]
    top = np.argsort(-np.abs(shares), kind="stable")[:NAMED]
    parts = [(world.attribute_names[j], float(shares[j])) for j in top]
    parts.append(("all others", float(shares.sum() - shares[top].sum())))
    if study.model.remoteness_:
        parts.append((REMOTE, float(found.bias[0])))
    unit = max(*(abs(value) for _, value in parts), abs(lead), 1e-12)
    bars = [_bar(name, value, unit) for name, value in parts]
    bars.append({**_bar("lead", lead, unit), "side": "total"})
    told = "runner-up" if mark == "right" else "really"
    return {
        "title": world.class_names[answers.best[i]],
        "lines": [f"{told} {world.class_names[answers.rival[i]]}"],
        "mark": mark,
        "pictures": [shot(world, int(study.test[i]))],
        "bars": bars,
    }


def _bar(name: str, value: float, unit: float) -> Item:
    side = "for" if value >= 0 else "against"
    return {
        "name": name,
        "side": side,
        "share": f"{abs(value) / unit:.3f}",
        "text": f"{value:+.3f}".replace("-", "−"),
    }


def _weights(world: AttributeWorld, weights: np.ndarray) -> Item:
    order, unit = np.argsort(-weights, kind="stable"), float(weights.max())
    items: list[Item] = []
    for title, rows in (("count most", order[:WEIGHED]), ("count least", order[::-1][:WEIGHED])):
        bars = [
            {**_bar(world.attribute_names[j], weights[j], unit), "text": f"{weights[j]:.2f}"}
            for j in rows
        ]
        items.append({"title": title, "pictures": [], "bars": bars})
    note = (
        "Attributes do not count alike. With these weights the other classes tell best where the "
        "pictures of each seen class lie: what pictures hardly show counts little."
    )
    return {"kind": "cards", "title": "Which attributes count", "items": items, "note": note}


def _confusion(world: AttributeWorld, answers: Answers) -> Item:
    names = [world.class_names[c] for c in world.unseen]
    rows = []
    for c, name in zip(world.unseen, names, strict=True):
        given = answers.best[answers.truth == c]
        values = [int((given == other).sum()) for other in world.unseen]
        rows.append({"name": name, "values": values, "total": max(len(given), 1)})
    return {
        "kind": "heat",
        "title": "Who was taken for whom",
        "columns": names,
        "rows": rows,
        "caption": "Rows are the true classes, columns the answers, each over all its pictures.",
    }
