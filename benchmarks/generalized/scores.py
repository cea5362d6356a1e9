"""What is measured of one fitted model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapwood.benchmark import Problem, Row
from sapwood.metrics import (
    SeenUnseenCurve,
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


def class_scores(model: ZeroShotClassifier, problem: Problem, curve: bool = False) -> Row:
    """Score answers among all classes; with `curve`, keep what every bias would have given."""
    raw = model.decision_function(problem.X_test, calibrated=False)
    answers = model.predict(problem.X_test)
    row: Row = {"about": "classes", "seen_bias": float(getattr(model, "seen_bias_", 0.0))}
    for average, suffix in (("images", ""), ("classes", "_over_classes")):
        ask = {"average": average}
        found = generalized_accuracy(problem.truth, answers, problem.unseen, **ask)
        plain = generalized_accuracy(problem.truth, raw.argmax(axis=1), problem.unseen, **ask)
        every = seen_unseen_curve(problem.truth, raw, problem.unseen, **ask)
        row |= {
            f"acc_u{suffix}": found.acc_u,
            f"acc_s{suffix}": found.acc_s,
            f"harmonic_mean{suffix}": found.harmonic_mean,
            f"uncalibrated{suffix}": plain.harmonic_mean,
            f"ausuc{suffix}": every.area,
            f"ceiling{suffix}": float(harmonic_mean(every.acc_u, every.acc_s).max()),
        }
        if curve and average == "images":
            row["curve"] = thinned(every)
            row["uncalibrated_at"] = [plain.acc_u, plain.acc_s]
    return row


def thinned(curve: SeenUnseenCurve) -> list[list[float]]:
    """Return pairs of unseen and seen accuracy, evenly spaced along the curve."""
    # It never turns back: unseen accuracy rises and seen accuracy falls.
    place = curve.acc_u - curve.acc_s
    rows = np.searchsorted(place, np.linspace(place[0], place[-1], POINTS))
    return _rounded(np.stack([curve.acc_u[rows], curve.acc_s[rows]], axis=1))


def probability_scores(
    model: ZeroShotClassifier, problem: Problem, curves: bool = False
) -> Iterator[Row]:
    """Score what is said of unseen images among unseen classes, at two temperatures."""
    rows = np.isin(problem.truth, problem.unseen)
    X, truth = problem.X_test[rows], problem.truth[rows]
    similarity = model.decision_function(X, classes=problem.unseen)
    said = {
        "sapwood, predict_proba": model.predict_proba(X, classes=problem.unseen),
        "sapwood, softmax of raw similarities": softmax(similarity, 1.0),
    }
    for name, proba in said.items():
        correct, confidence = top_label(truth, proba, classes=problem.unseen)
        row: Row = {
            "about": "probabilities",
            "method": name,
            "accuracy": float(correct.mean()),
            "ece": expected_calibration_error(correct, confidence),
            "nll": negative_log_likelihood(truth, proba, classes=problem.unseen),
            "aurc": aurc(correct, confidence),
        }
        yield {**row, **_curves(correct, confidence)} if curves else row


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
