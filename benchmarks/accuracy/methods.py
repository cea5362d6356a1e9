"""The methods, and how one of them is run on one problem."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.baselines import BASELINES
from sapwood.benchmark import STRONG, Problem, Row, Ways, tuned_rivals
from sapwood.metrics import accuracy

RIVALS: dict[str, Ways] = {
    "all": {
        "rpl": ("ignore", "nearest", "propagate"),
        "eszsl": ("ignore", "nearest", "propagate"),
        "kernel-eszsl": ("ignore", "nearest", "propagate"),
        "sae": ("ignore", "nearest", "propagate"),
        "kernel-ridge": ("ignore", "nearest", "propagate"),
        "conse": ("ignore", "nearest", "propagate"),
        "label-spreading": ("spread",),
    },
    "strong": STRONG,
}
#: Settings found best on seen classes of CUB with all labels, for where tuning is a lottery.
FIXED: dict[str, dict[str, Any]] = {
    "rpl": {"features": "whitened", "ridge": 17.8},
    "kernel-ridge": {"features": "whitened", "ridge": 1.0, "width": 4.0},
}
OURS: dict[str, dict[str, Any]] = {
    "sapwood": {},
    "sapwood, annotated images only": {"steps": "bpl"},
}


def run_ours(problem: Problem, methods: str, seed: int) -> Iterator[Row]:
    """Yield a row for each of our methods."""
    for name, options in OURS.items():
        yield _scored(problem, name, SparseAttributePropagation(**options), fixed=True)


def run_tuned(problem: Problem, methods: str, seed: int) -> Iterator[Row]:
    """Yield the row of the estimator that chooses its settings."""
    yield _scored(problem, "sapwood, tuned", SparseAttributePropagationCV(random_state=seed))


def run_rivals(problem: Problem, methods: str, seed: int) -> Iterator[Row]:
    """Yield a row for each rival of the list `methods`."""
    for name, options in FIXED.items():
        for way in ("ignore", "nearest"):
            model = BASELINES[name](**options, unlabelled=way)
            yield _scored(problem, f"{name}, {way}", model, fixed=True)
    for rival, tuned in tuned_rivals(problem, RIVALS[methods], seed):
        yield _row(problem, rival, tuned, fixed=False)


GROUPS = {"ours": run_ours, "tuned": run_tuned, "rivals": run_rivals}


def _scored(problem: Problem, name: str, model: Any, fixed: bool = False) -> Row:
    model.fit(problem.X, problem.y, class_attributes=problem.Z)
    return _row(problem, name, model, fixed)


def _row(problem: Problem, name: str, model: Any, fixed: bool) -> Row:
    answers = model.predict(problem.X_test, classes=problem.unseen)
    best = getattr(model, "best_params_", None)
    if best is None and hasattr(model, "search_log_"):
        best = max(model.search_log_, key=lambda row: row["reciprocal_rank"])["parameters"]
    return {
        "method": name,
        "fixed": fixed,
        "accuracy": accuracy(problem.truth, answers),
        "accuracy_over_classes": accuracy(problem.truth, answers, average="classes"),
        "information": getattr(model, "information_", None),
        "usefulness": getattr(model, "usefulness_", None),
        "chosen": best,
    }
