"""One task: a group of methods on one problem."""

from __future__ import annotations

from cases import CASES
from methods import FIXED, GROUPS, OURS, RIVALS

from sapwood.benchmark import Row, Task


def all_tasks(groups: list[str], cases: list[str]) -> list[Task]:
    return [
        Task(group, case, K, seed)
        for case in cases
        for seed in range(CASES[case].seeds)
        for K in CASES[case].annotated
        for group in groups
    ]


def work(task: Task) -> list[Row]:
    case = CASES[task.case]
    problem = case.draw(task.annotated, task.seed)
    return task.rows(GROUPS[task.group](problem, case.methods, task.seed))


def expected(task: Task) -> int:
    """Number of rows that a task has when it is finished."""
    if task.group != "rivals":
        return len(OURS) if task.group == "ours" else 1
    return 2 * len(FIXED) + sum(len(ways) for ways in RIVALS[CASES[task.case].methods].values())
