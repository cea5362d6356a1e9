"""Concepts of tagged images: the paper's Table 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.datasets import data_at_hand
from sapwood.benchmark.rows import Row
from sapwood.benchmark.sia_data import (
    HELD,
    TagProblem,
    draw,
    get_tags,
    has_tags,
    split_name,
    training_rows,
    usual_at_hand,
)
from sapwood.benchmark.sia_methods import FREQUENCY, NAMED, OURS, PLAIN, TAGGED, chosen, method_of
from sapwood.benchmark.workplace import kept_choice
from sapwood.errors import InputError
from sapwood.metrics import (
    average_precisions,
    decide_threshold,
    decide_top_k,
    mean_average_precision,
    tag_precision_recall,
)
from sapwood.tags.rivals import TAG_RIVALS

#: Seeds of the networks; all else is found once.
SEEDS, QUICK_SEEDS = 3, 1
#: Concepts that an image is given where all are given equally many.
TOP = 3
AVERAGES = {"C": "concepts", "I": "images", "O": "overall"}


def cases(asked: Asked) -> list[Case]:
    """Return data × training images × seed for the data sets of tagged images."""
    named = [name for name in asked.data if has_tags(name)]
    if not named and list(asked.data) == data_at_hand():
        named = usual_at_hand()
    seeds = asked.seeds or (QUICK_SEEDS if asked.quick else SEEDS)
    return [
        Case("sia", name, split_name(get_tags(name, asked.quick)), count, seed, asked.quick)
        for seed in range(seeds)
        for name in named
        for count in _counts(name, asked)
    ]


def _counts(name: str, asked: Asked) -> list[int]:
    """Return how many training images are annotated: all, or as many as asked for."""
    for count in asked.annotated or ():
        if not round(HELD * count):
            raise InputError(
                f"--annotated {count}: of so few training images none can be held out to choose "
                "settings on; give 3 or more"
            )
    n = len(training_rows(get_tags(name, asked.quick))[0])
    return list(dict.fromkeys(min(count, n) for count in asked.annotated or (n,)))


def methods(case: Case) -> list[str]:
    """Return the methods of a case where nobody asks for any: networks alone after the first."""
    rivals = [*TAG_RIVALS] if case.quick else [*TAG_RIVALS, *TAGGED]
    fixed = [*OURS, FREQUENCY] if case.quick else [*OURS, NAMED, *PLAIN, FREQUENCY]
    return rivals if case.seed else [*fixed, *rivals]


def known() -> list[str]:
    """Return every method that may be asked for."""
    return [*OURS, NAMED, *PLAIN, FREQUENCY, *TAG_RIVALS, *TAGGED]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each method, fitted to all training images with what was chosen."""
    problem = draw(case)
    for name in methods:
        try:
            yield {"method": name, **_row(name, problem, case)}
        except InputError as error:
            yield {"method": name, "skipped": str(error)}


def _row(name: str, problem: TagProblem, case: Case) -> Row:
    method, first = method_of(name), case._replace(seed=0)
    choice = kept_choice(
        {**first.told(), "method": name}, lambda: chosen(method, draw(first), case.quick)
    )
    seed = {"random_state": case.seed, "threshold": 0.0} if method.drawn else {}
    with clocked() as taken:
        model = method.fitted({**choice["parameters"], **seed}, problem, slice(None))
    scores = model.decision_function(problem.X_test, problem.tags_test)
    return {
        "tuned": len(method.grid) > 1,
        "tuned_on_seed": 0,
        **choice,
        "fit_seconds": taken.seconds,
        "peak_mb": taken.peak_mb,
        "n_features": 0 if problem.X is None else problem.X.shape[1],
        "n_tags": problem.tags.shape[1],
        "n_concepts": problem.truth.shape[1],
        "n_train": len(problem.tags),
        "n_test": len(problem.tags_test),
        **scored(problem.truth, scores, choice["threshold"], method.decides),
    }


def scored(truth: np.ndarray, scores: np.ndarray, threshold: float, decides: bool) -> Row:
    """Return precision, recall and F1 of three ways to decide, and the quality of the ranking.

    Parameters
    ----------
    truth : ndarray of bool of shape (m, c)
    scores : ndarray of shape (m, c)
    threshold : float
        Chosen on images held out; ``C-P``, ``C-R``, … are of the scores above it.
    decides : bool
        Whether scores above 0 are a decision, too: ``C-P_own``, ….

    Examples
    --------
    >>> row = scored(np.eye(4, dtype=bool), np.eye(4) - 0.5, 0.2, decides=True)
    >>> row["C-F1"], row["I-R_own"], row["O-P_top3"], row["mAP"]
    (1.0, 1.0, 0.3333333333333333, 1.0)
    """
    given = {"": decide_threshold(scores, threshold), f"_top{TOP}": _best(scores)}
    if decides:
        given["_own"] = decide_threshold(scores)
    row: Row = {
        "mAP": mean_average_precision(truth, scores),
        "mAP_images": mean_average_precision(truth, scores, average="images"),
        "concept_ap": [_rounded(one) for one in average_precisions(truth, scores)],
    }
    for mode, flags in given.items():
        for letter, average in AVERAGES.items():
            found = tag_precision_recall(truth, flags, average=average)
            named = {"P": found.precision, "R": found.recall, "F1": found.f1}
            row |= {f"{letter}-{name}{mode}": value for name, value in named.items()}
    return row


def _best(scores: np.ndarray) -> Any:
    return decide_top_k(scores, min(TOP, scores.shape[1]))


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
