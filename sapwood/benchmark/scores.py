"""What is measured of one fitted model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from sapwood.benchmark.cases import Case
from sapwood.benchmark.datasets import data_alone, get_data
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.metrics import (
    SeenUnseenCurve,
    accuracy,
    aurc,
    expected_calibration_error,
    generalized_accuracy,
    harmonic_mean,
    negative_log_likelihood,
    reliability_curve,
    risk_coverage_curve,
    seen_unseen_curve,
    top_label,
)
from sapwood.models.base import ZeroShotClassifier
from sapwood.projection import softmax

#: Points of a curve that are kept, and decimals of each.
POINTS, DECIMALS = 41, 4
#: The method of which more is told than scores, and the draw for which curves are kept.
OURS, FIRST = "sapwood", 0


def standard_scores(model: Any, problem: Problem, method: str, case: Case) -> Row:
    """Score answers among the unseen classes.

    Parameters
    ----------
    model : estimator
    problem : Problem
    method : str
    case : Case
    """
    answers = model.predict(problem.X_test, classes=problem.unseen)
    row: Row = {
        "accuracy": accuracy(problem.truth, answers),
        "accuracy_over_classes": accuracy(problem.truth, answers, average="classes"),
    }
    if method == OURS:
        row |= insides(model) | probability_scores(model, problem, problem.unseen)
        if case.seed == FIRST:
            counts = confusion_matrix(problem.truth, answers, labels=problem.unseen)
            names = get_data(data_alone(case.bench, case.data, case.split), case.quick).class_names
            row["confusion"] = counts.tolist()
            row["confusion_classes"] = [str(names[c]) for c in problem.unseen]
    return row


def insides(model: Any) -> Row:
    """Return what a model of ours found out about its images."""
    names = ("information", "usefulness", "strangeness")
    return {name: getattr(model, f"{name}_", None) for name in names}


def generalized_scores(model: Any, problem: Problem, curve: bool = False) -> Row:
    """Score answers among all classes.

    Parameters
    ----------
    model : estimator
        Calibrated. One that is no `ZeroShotClassifier` is scored by its answers alone.
    problem : Problem
    curve : bool
        Whether to keep what every bias against seen classes would have given.
    """
    answers = model.predict(problem.X_test, classes=np.arange(len(problem.Z)))
    row: Row = {}
    for average, suffix in (("images", ""), ("classes", "_over_classes")):
        found = generalized_accuracy(problem.truth, answers, problem.unseen, average=average)
        row |= {f"{name}{suffix}": value for name, value in asdict(found).items()}
    if not isinstance(model, ZeroShotClassifier):
        return row
    row["seen_bias"] = float(getattr(model, "seen_bias_", 0.0))
    raw = model.decision_function(problem.X_test, calibrated=False)
    for average, suffix in (("images", ""), ("classes", "_over_classes")):
        row |= _over_biases(raw, problem, average, suffix, curve and average == "images")
    return row


def _over_biases(raw: np.ndarray, problem: Problem, average: str, suffix: str, curve: bool) -> Row:
    ask = {"average": average}
    plain = generalized_accuracy(problem.truth, raw.argmax(axis=1), problem.unseen, **ask)
    every = seen_unseen_curve(problem.truth, raw, problem.unseen, **ask)
    row: Row = {
        f"uncalibrated{suffix}": plain.harmonic_mean,
        f"ausuc{suffix}": every.area,
        f"ceiling{suffix}": float(harmonic_mean(every.acc_u, every.acc_s).max()),
    }
    if curve:
        row |= {"curve": thinned(every), "uncalibrated_at": [plain.acc_u, plain.acc_s]}
    return row


def thinned(curve: SeenUnseenCurve) -> list[list[float]]:
    """Return pairs of unseen and seen accuracy, evenly spaced along the curve."""
    # It never turns back: unseen accuracy rises and seen accuracy falls.
    place = curve.acc_u - curve.acc_s
    rows = np.searchsorted(place, np.linspace(place[0], place[-1], POINTS))
    return _rounded(np.stack([curve.acc_u[rows], curve.acc_s[rows]], axis=1))


def probability_scores(
    model: Any, problem: Problem, classes: np.ndarray, curves: bool = False
) -> Row:
    """Score what is said of the images of some classes among these.

    Fields that begin with ``raw_`` are of similarities at temperature 1.
    """
    rows = np.isin(problem.truth, classes)
    X, truth = problem.X_test[rows], problem.truth[rows]
    proba = model.predict_proba(X, classes=classes)
    raw = softmax(model.decision_function(X, classes=classes), 1.0)
    found: Row = {}
    for start, said in (("", proba), ("raw_", raw)):
        correct, confidence = top_label(truth, said, classes=classes)
        own: Row = {
            "ece": expected_calibration_error(correct, confidence),
            "nll": negative_log_likelihood(truth, said, classes=classes),
            "aurc": aurc(correct, confidence),
        }
        own |= _curves(correct, confidence) if curves else {}
        found |= {f"{start}{name}": value for name, value in own.items()}
    return found


def _curves(correct: np.ndarray, confidence: np.ndarray) -> Row:
    bins = reliability_curve(correct, confidence)
    risk = risk_coverage_curve(correct, confidence)
    some = np.linspace(0, len(correct) - 1, POINTS).astype(int)
    return {
        "reliability": _rounded(np.stack([bins.count, bins.confidence, bins.accuracy], axis=1)),
        "risk": _rounded(np.stack([risk.coverage[some], risk.risk[some]], axis=1)),
    }


def _rounded(table: np.ndarray) -> list[list[float]]:
    return np.round(table, DECIMALS).tolist()
