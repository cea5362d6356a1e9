"""What the studies of the algorithm's own parts share: their cases, and a row for a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sapwood.benchmark import external
from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import ELSEWHERE
from sapwood.benchmark.draws import draw_standard, usual_cases
from sapwood.benchmark.methods import fitted
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import insides, standard_scores
from sapwood.benchmark.workplace import kept_graphs
from sapwood.metrics import accuracy
from sapwood.models import SparseAttributePropagation

#: A method of a study: parameters of the estimator, among them its preset.
Variants = Mapping[str, dict[str, Any]]
#: K and the number of draws of a study with many fits, or with a long one.
LONG_ANNOTATED, LONG_SEEDS = (5,), 3


def figure_cases(bench: str, asked: Asked, counts: Sequence[int]) -> list[Case]:
    """Return data × K × seed, and the paper's own list of annotated images with web images.

    Parameters
    ----------
    bench : str
    asked : Asked
        Splits of the benchmark ``external`` may be among those asked for.
    counts : sequence of int
        Values of K where nobody asks for any.
    """
    web = [split for split in asked.splits or ELSEWHERE[:1] if split in ELSEWHERE]
    others = [split for split in asked.splits or () if split not in ELSEWHERE]
    cases = []
    if others or not asked.splits:
        own = replace(asked, splits=tuple(others) or None)
        cases += usual_cases(bench, own, ("paper",), counts)
    if web:
        found = external.cases(replace(asked, splits=tuple(web)))
        cases += [case._replace(bench=bench) for case in found]
    return _one_count(cases, min) if asked.quick and not asked.annotated else cases


def long_cases(bench: str, asked: Asked) -> list[Case]:
    """Return the cases of :func:`figure_cases` with one K and few draws."""
    seeds = asked.seeds or (1 if asked.quick else LONG_SEEDS)
    cases = figure_cases(bench, replace(asked, seeds=seeds), LONG_ANNOTATED)
    return cases if asked.annotated else _one_count(cases, max)


def _one_count(cases: Sequence[Case], pick: Callable[[Iterable[int]], int]) -> list[Case]:
    """Return the cases of each data set with one of its K."""
    chosen = {data: pick(case.annotated for case in cases if case.data == data)
              for data in dict.fromkeys(case.data for case in cases)}  # fmt: skip
    return [case for case in cases if case.annotated == chosen[case.data]]


def draw(case: Case) -> Problem:
    """Return the problem of a case."""
    return external.draw(case) if case.split in ELSEWHERE else draw_standard(case)


def run_variants(case: Case, variants: Variants, methods: Sequence[str]) -> Iterator[Row]:
    """Fit those variants that `methods` names to the problem of a case, and yield their rows."""
    problem = draw(case)
    for name in methods:
        yield variant_row(case, problem, name, variants[name])


def variant_row(case: Case, problem: Problem, method: str, options: dict[str, Any]) -> Row:
    """Fit the estimator with `options` and return its row."""
    with kept_graphs():
        _, model, row = fitted(problem, method, SparseAttributePropagation(**options))
    # Neighbours are found by one variant and used by all: the time of a fit would mean nothing.
    row = {name: value for name, value in row.items() if name not in ("fit_seconds", "peak_mb")}
    row = {"method": method, "preset": options["preset"], **row}
    if model is not None:
        row |= standard_scores(model, problem, method, case) | insides(model)
    return row


def plain_row(problem: Problem, method: str, preset: str, parameters: Row) -> Row:
    """Return the fields of a row that need no estimator."""
    return {
        "method": method,
        "preset": preset,
        "tuned": False,
        "parameters": parameters,
        "search_seconds": 0.0,
        "n_features": int(problem.X.shape[1]),
        "n_train": len(problem.X),
        "n_test": len(problem.X_test),
    }


def accuracies(problem: Problem, scores: np.ndarray) -> Row:
    """Return both accuracies of scores, shape (test images, unseen classes)."""
    answers = problem.unseen[scores.argmax(axis=1)]
    return {
        "accuracy": accuracy(problem.truth, answers),
        "accuracy_over_classes": accuracy(problem.truth, answers, average="classes"),
    }
