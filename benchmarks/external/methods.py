"""The methods, and one task: a group of them on one problem."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

from cases import ANNOTATED, CASES, draw, filtered
from sklearn.exceptions import ConvergenceWarning
from stress import GROUNDS, KINDS, stress

from sapwood import SparseAttributePropagation
from sapwood.benchmark import Problem, Row, Task, Ways, tuned_rivals
from sapwood.metrics import accuracy

IGNORING = "sapwood, ignoring them"
WITH_WEB: dict[str, dict[str, Any]] = {
    "sapwood": {},
    "sapwood, taking all": {"unlabelled": "all"},
    "sapwood, taking near ones": {"unlabelled": "near"},
    "sapwood, paper's algorithm": {"preset": "paper"},
}
FILTERED: dict[str, dict[str, Any]] = {
    "sapwood, paper's filter": {},
    "sapwood, paper's filter, taking all": {"unlabelled": "all"},
}
RIVALS: Ways = dict.fromkeys(("rpl", "kernel-ridge", "eszsl"), ("nearest", "propagate"))
ALONE: Ways = dict.fromkeys(RIVALS, ("ignore",))
STRESS_ANNOTATED, STRESS_SEEDS = (1, 5), 5


def run_ours(problem: Problem, seed: int) -> Iterator[Row]:
    yield _fitted(problem.annotated(), IGNORING, {})
    for name, options in WITH_WEB.items():
        yield _fitted(problem, name, options)
    without = filtered(problem)
    for name, options in FILTERED.items():
        yield _fitted(without, name, options)


def run_rivals(problem: Problem, seed: int) -> Iterator[Row]:
    for name, model in tuned_rivals(problem.annotated(), ALONE, seed):
        yield _row(problem, name.replace("ignore", "annotated alone"), model)
    for name, model in tuned_rivals(problem, RIVALS, seed):
        yield _row(problem, name, model)


GROUPS = {"ours": run_ours, "rivals": run_rivals}


def run_stress(case: str, K: int, seed: int) -> Iterator[Row]:
    """Fit with each kind of unlabelled images, and without any."""
    for kind, problem in stress(GROUNDS[case](), K, seed).items():
        yield {"kind": kind, **_fitted(problem, "sapwood", {})}
    yield {"kind": None, **_fitted(problem.annotated(), IGNORING, {})}


def all_tasks(groups: list[str]) -> list[Task]:
    web = [
        Task(group, case, K, seed)
        for case in CASES
        for seed in range(CASES[case].seeds)
        for K in ANNOTATED
        for group in GROUPS
    ]
    stressed = [
        Task("stress", case, K, seed)
        for case in GROUNDS
        for seed in range(STRESS_SEEDS)
        for K in STRESS_ANNOTATED
    ]
    return [task for task in web + stressed if task.group in groups]


def work(task: Task) -> list[Row]:
    group, case, K, seed = task
    if group == "stress":
        return task.rows(run_stress(case, K, seed))
    return task.rows(GROUPS[group](draw(case, K, seed), seed))


def expected(task: Task) -> int:
    """Number of rows that a task has when it is finished."""
    return {
        "ours": 1 + len(WITH_WEB) + len(FILTERED),
        "rivals": sum(len(ways) for ways in (*ALONE.values(), *RIVALS.values())),
        "stress": len(KINDS) + 1,
    }[task.group]


def _fitted(problem: Problem, name: str, options: dict[str, Any]) -> Row:
    model = SparseAttributePropagation(**options)
    with warnings.catch_warnings():
        # The printed algorithm's few iterations are meant.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(problem.X, problem.y, class_attributes=problem.Z)
    extra = problem.y < 0
    return {
        **_row(problem, name, model),
        "given": int(extra.sum()),
        "used": int((model.weights_[extra] > 0).sum()),
        "reasons": dict(Counter(reason.split(":")[0] for reason in model.reasons_[extra])),
        "usefulness": model.usefulness_,
    }


def _row(problem: Problem, name: str, model: Any) -> Row:
    answers = model.predict(problem.X_test, classes=problem.unseen)
    return {
        "method": name,
        "accuracy": accuracy(problem.truth, answers),
        "accuracy_over_classes": accuracy(problem.truth, answers, average="classes"),
    }
