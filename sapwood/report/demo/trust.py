"""How far an answer can be trusted, and which pictures would be worth an annotation."""

from __future__ import annotations

import numpy as np

from sapwood.data.world import AttributeWorld
from sapwood.evaluation import accuracy_against_coverage
from sapwood.report.demo.experiment import Study
from sapwood.report.demo.pieces import Item, percent, shot
from sapwood.report.plots import line_plot

#: Shares of pictures answered that are marked in the plot.
SHARES = tuple(i / 20 for i in range(1, 21))
#: The least probability in the example of the text.
REJECT = 0.9


def trusted(world: AttributeWorld, study: Study, count: int = 8) -> Item:
    """Return the section on probabilities, abstaining and what to annotate next."""
    X, truth = world.features[study.test], world.labels[study.test]
    proba = study.model.predict_proba(X, classes=world.unseen)
    right, sure = world.unseen[proba.argmax(axis=1)] == truth, proba.max(axis=1)
    answered = study.model.predict(X, classes=world.unseen, reject=REJECT) >= 0
    text = (
        f"Every answer has a probability. With predict(…, reject={REJECT}) the model says nothing "
        f"where its best answer is less probable than that: it answers for "
        f"{percent(answered.mean())} of the pictures."
    )
    if answered.any():
        text += f" Of those answers {percent(right[answered].mean())} are right."
    blocks = [_coverage(right, sure), _suggested(world, study, count)]
    title = "Which answers to trust"
    return {"id": "trust", "title": title, "text": [text], "blocks": blocks}


def _coverage(right: np.ndarray, sure: np.ndarray) -> Item:
    found = accuracy_against_coverage(right, sure, SHARES)
    stated = np.cumsum(-np.sort(-sure)) / np.arange(1, len(sure) + 1)
    at = [one["coverage"] for one in found]
    x = [100 * share for share in at]
    said = [100 * stated[round(share * len(sure)) - 1] for share in at]
    series: list[Item] = [
        {"name": "named correctly", "x": x, "y": [100 * one["accuracy"] for one in found]},
        {"name": "mean probability stated", "x": x, "y": said, "colour": 2},
    ]
    svg = line_plot(
        series,
        x="pictures answered, the surest first, %",
        y="of these, %",
        label="Accuracy and stated probability against the share of pictures answered",
        size=(6.2, 3.2),
    )
    caption = (
        "Pictures of unseen classes, the surest answers first: how many of them are named "
        "correctly, and how probable the model called them. Where the two lines part, its "
        "probabilities are off by that much."
    )
    return {"kind": "figure", "svg": svg, "caption": caption}


def _suggested(world: AttributeWorld, study: Study, count: int) -> Item:
    X, truth = world.features[study.train], world.labels[study.train]
    unknown = study.known < 0
    rows = study.model.suggest(X, min(count, int(unknown.sum())), study.known)
    wrong = study.model.predict(X, classes="seen") != truth
    items = [shot(world, int(study.train[i]), world.class_names[truth[i]]) for i in rows]
    caption = (
        f"What model.suggest would have annotated next: pictures that stand for many others which "
        f"no annotation reaches. Naming them among the seen classes, the fitted model is wrong for "
        f"{int(wrong[rows].sum())} of these {len(rows)}, and for {percent(wrong[unknown].mean())} "
        "of all unannotated pictures. It goes by their features, as with any new picture, and not "
        "by the attributes that propagation gave them, so that other pictures are wrong than there."
    )
    strips = [{"items": items}]
    return {"kind": "strips", "title": "Worth an annotation", "strips": strips, "caption": caption}
