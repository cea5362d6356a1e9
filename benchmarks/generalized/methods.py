"""The methods, and one task: a group of them on one problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from cases import CASES, SEEDS, draw
from scores import class_scores, probability_scores

from sapwood import SparseAttributePropagation
from sapwood.benchmark import STRONG, Problem, Row, Task, Ways, tuned_rivals

OURS: dict[str, dict[str, Any]] = {
    "sapwood": {},
    "sapwood, annotated images only": {"steps": "bpl"},
}
RIVALS: Ways = {**STRONG, "eszsl": ("ignore", "nearest"), "sae": ("ignore", "nearest")}
#: Preparations of the features that rivals choose between: of the five that the accuracy benchmark
#: tries, those which nearly all of its searches chose. All five would take twice as long.
LIKELY = ("rooted", "whitened")
#: The K at which probabilities are looked at and curves are kept, the latter of the first draw.
CLOSELY = 5


def run_ours(problem: Problem, K: int, seed: int) -> Iterator[Row]:
    for name, options in OURS.items():
        model = SparseAttributePropagation(**options)
        model.fit(problem.X, problem.y, class_attributes=problem.Z)
        yield {"method": name, **class_scores(model, problem, curve=_drawn(K, seed))}
        if name == "sapwood" and K == CLOSELY:
            yield from probability_scores(model, problem, curves=_drawn(K, seed))


def run_rivals(problem: Problem, K: int, seed: int) -> Iterator[Row]:
    for name, model in tuned_rivals(problem, RIVALS, seed, LIKELY):
        model.calibrate(problem.X, problem.y, class_attributes=problem.Z)
        yield {"method": name, **class_scores(model, problem, curve=_drawn(K, seed))}


def _drawn(K: int, seed: int) -> bool:
    return (K, seed) == (CLOSELY, 0)


GROUPS = {"ours": run_ours, "rivals": run_rivals}


def all_tasks(groups: list[str], cases: list[str]) -> list[Task]:
    return [
        Task(group, case, K, seed)
        for case in cases
        for seed in range(SEEDS)
        for K in CASES[case].annotated
        for group in groups
    ]


def work(task: Task) -> list[Row]:
    K, seed = task.annotated, task.seed
    with warnings.catch_warnings():
        # Every method fills the values that AwA1's attributes lack in the same way.
        warnings.filterwarnings("ignore", message="class_attributes has .* missing values")
        return task.rows(GROUPS[task.group](draw(task.case, K, seed), K, seed))


def expected(task: Task) -> int:
    """Number of rows that a task has when it is finished."""
    if task.group == "ours":
        return len(OURS) + (2 if task.annotated == CLOSELY else 0)
    return sum(len(ways) for ways in RIVALS.values())
