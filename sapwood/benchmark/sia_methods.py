"""The annotators of the benchmark by name, and the one rule by which they are tuned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from sapwood.benchmark.clock import clocked
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.rows import Row
from sapwood.benchmark.sia_data import TagProblem
from sapwood.metrics import mean_average_precision
from sapwood.tags import SocialImageAnnotator
from sapwood.tags.rivals import TAG_RIVALS, TagRival
from sapwood.tags.threshold import best_threshold

#: Ours: refiner and inputs.
OURS = {
    "sapwood": ("default", "tags+features"),
    "sapwood-refined": ("default", "tags"),
    "sapwood-noisy": (None, "tags"),
}
#: Ours, which is told what tags and concepts are called, as no other method is.
NAMED = "sapwood-named"
#: The same SVMs without the refiner, and scores that know nothing of the image.
PLAIN = {"svm": (None, "features"), "svm+tags": (None, "tags+features")}
FREQUENCY = "frequency"
#: Rivals that look at tags as well as at features, which their authors did not have them do.
WITH_TAGS = "+tags"
TAGGED = tuple(f"{name}{WITH_TAGS}" for name in TAG_RIVALS if name != "sinn")
#: Epochs of a quick run.
QUICK_EPOCHS = 2

#: Six settings for every annotator.
TAGS_GRID: list[dict[str, Any]] = [{"C": C} for C in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)]
BOTH_GRID: list[dict[str, Any]] = [
    {"C": C, "tag_weight": weight} for C in (0.03, 0.1, 0.3) for weight in (1.0, 2.0)
]
TAGGED_GRID: list[dict[str, Any]] = [
    {"dropout": dropout, "tag_weight": weight}
    for dropout in (0.0, 0.25)
    for weight in (1.0, 2.0, 4.0)
]


@dataclass(frozen=True)
class Method:
    """An annotator of the benchmark.

    Attributes
    ----------
    make : callable
        Returns the estimator.
    grid : list of dict
        Settings among which to choose.
    drawn : bool
        Whether something of it is drawn, so that several seeds tell more than one.
    decides : bool
        Whether scores above 0 are its own decision.
    named : bool
        Whether it is told what tags and concepts are called.
    """

    make: Callable[..., Any]
    grid: list[dict[str, Any]]
    drawn: bool = False
    decides: bool = True
    named: bool = False

    def fitted(self, settings: Row, problem: TagProblem, rows: Any, **more: Any) -> Any:
        """Return the estimator, fitted to some of the training images."""
        names = problem.names if self.named else {}
        with quiet():
            return self.make(**settings).fit(*problem.known(rows), **names, **more)


class LabelFrequency(BaseEstimator):
    """Scores every image alike: concepts by their share of the training images."""

    def fit(self, X: Any, tags: Any, concepts: np.ndarray) -> LabelFrequency:
        """Count the concepts."""
        self.share_ = concepts.mean(axis=0)
        return self

    def decision_function(self, X: Any, tags: np.ndarray) -> np.ndarray:
        """Return the shares, less a half, for every image."""
        return np.tile(self.share_ - 0.5, (len(tags), 1))


def method_of(name: str) -> Method:
    """Return the annotator of a name.

    Examples
    --------
    >>> method_of("sinn").drawn, method_of("sapwood").drawn, len(method_of("ria").grid)
    (True, False, 6)
    """
    if name == FREQUENCY:
        return Method(LabelFrequency, [{}])
    if name in (*OURS, *PLAIN, NAMED):
        refiner, inputs = {**OURS, **PLAIN, NAMED: OURS["sapwood"]}[name]
        grid = BOTH_GRID if inputs == "tags+features" else TAGS_GRID
        return Method(_annotator(refiner, inputs), grid, named=name == NAMED)
    rival = TAG_RIVALS[name.removesuffix(WITH_TAGS)]
    if not name.endswith(WITH_TAGS):
        return Method(rival, rival.grid, drawn=True, decides=rival.decides)
    return Method(_with_tags(rival), TAGGED_GRID, drawn=True, decides=rival.decides)


def _annotator(refiner: str | None, inputs: str) -> Callable[..., SocialImageAnnotator]:
    return lambda **settings: SocialImageAnnotator(refiner, inputs=inputs, **settings)


def _with_tags(rival: type[TagRival]) -> Callable[..., TagRival]:
    return lambda **settings: rival(inputs="tags+features", **settings)


def chosen(method: Method, problem: TagProblem, quick: bool) -> Row:
    """Choose settings, epochs and threshold on the training images held out.

    The setting with the highest mean average precision is taken, and with it the threshold with
    the highest C-F1, one for all concepts.

    Parameters
    ----------
    method : Method
    problem : TagProblem
    quick : bool
        Whether to try the first setting only, and few epochs.
    """
    tried: list[Row] = []
    with clocked() as taken:
        for settings in method.grid[: 1 if quick else None]:
            more = {"epochs": QUICK_EPOCHS} if quick and method.drawn else {}
            tried.append(_tried(method, problem, {**settings, **more}))
    best = max(tried, key=lambda one: one["held_out"])
    return {**best, "tried": [one["held_out"] for one in tried], "search_seconds": taken.seconds}


def _tried(method: Method, problem: TagProblem, settings: dict[str, Any]) -> Row:
    held = problem.known(problem.held)
    asked = {"validation": held} if method.drawn else {}
    # Thresholds are chosen below, for all alike.
    raw = {"threshold": 0.0} if method.drawn else {}
    model = method.fitted({**settings, **raw}, problem, ~problem.held, **asked)
    scores = model.decision_function(*held[:2])
    if method.drawn:
        settings = {**settings, "epochs": model.epochs_}
    return {
        "parameters": settings,
        "threshold": best_threshold(held[2], scores),
        "held_out": round(mean_average_precision(held[2], scores), 6),
    }
