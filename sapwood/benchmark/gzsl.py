"""Seen and unseen classes named together: the paper's Table 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from sapwood.baselines.base import Baseline
from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.draws import FRESH, draw_generalized, holding_out, usual_cases
from sapwood.benchmark.methods import learned, own_methods, row_of
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.rivals import Search
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import generalized_scores, insides, probability_scores
from sapwood.benchmark.zsl import SLOW
from sapwood.metrics import accuracy
from sapwood.models.base import ZeroShotClassifier

OURS = ("sapwood", "sapwood-annotated", "sapwood-paper")
RIVALS = (
    "rpl0", "rpl", "rpl+sap", "eszsl0", "eszsl", "sae0", "sae", "sse0", "sse", "zskl0", "zskl",
    "kernel-ridge0", "kernel-ridge", "kernel-ridge+sap", "label-spreading",
)  # fmt: skip
QUICK = ("sapwood", "sapwood-annotated", "sapwood-paper", "rpl0", "rpl", "eszsl")
#: Preparations of the features that rivals choose between: those which nearly all searches of the
#: standard setting chose on CUB. All five would take twice as long.
LIKELY = Search(features=("rooted", "whitened"))
#: The K, and the draw, of which curves are kept.
CLOSELY = (5, 0)


def cases(asked: Asked) -> list[Case]:
    """Return data × K × seed, on the paper's split where there is one."""
    return usual_cases("gzsl", asked, splits=("paper",), setting=holding_out)


def methods(case: Case) -> list[str]:
    """Return the methods of a case where nobody asks for any."""
    if case.quick:
        return [*QUICK, *own_methods()]
    return [*own_methods(), *OURS, *RIVALS, *(() if case.split == FRESH else SLOW)]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each method; all find the bias against seen classes in the same way."""
    problem = draw_generalized(case)
    for one in learned(problem, methods, case, draw_generalized, LIKELY):
        yield row_of(one, partial(_scores, problem=problem, case=case))


def _scores(model: Any, problem: Problem, case: Case) -> Row:
    closely = (case.annotated, case.seed) == CLOSELY
    if isinstance(model, Baseline):
        with quiet(), clocked() as taken:
            model.calibrate(problem.X, problem.y)
        found = generalized_scores(model, problem, closely)
        return {**found, "calibrate_seconds": taken.seconds}
    row = generalized_scores(model, problem, closely)
    if not isinstance(model, ZeroShotClassifier):
        return row
    unseen = problem.of_unseen()
    answers = model.predict(unseen.X_test, classes=problem.unseen)
    seen = np.setdiff1d(np.arange(len(problem.Z)), problem.unseen)
    said = probability_scores(model, problem, problem.unseen, curves=closely)
    said |= {f"seen_{k}": v for k, v in probability_scores(model, problem, seen).items()}
    return {**row, **insides(model), "accuracy": accuracy(unseen.truth, answers), **said}
