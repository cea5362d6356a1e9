"""Metrics as pure functions: arrays in, numbers out.

Rows are images everywhere. Accuracies, precisions and recalls are fractions in 0–1. Wherever a
mean can be taken in more than one way the function has an ``average`` argument, and wherever
that mean can meet an empty row it has an ``empty`` argument. Of equal scores the one in the
lower column ranks first, as with ``argmax``; average precision takes ties together instead.
"""

from sapwood.metrics.calibration import (
    ReliabilityCurve,
    expected_calibration_error,
    negative_log_likelihood,
    reliability_curve,
    top_label,
)
from sapwood.metrics.classification import accuracy, class_recalls, top_k_accuracy
from sapwood.metrics.generalized import (
    GeneralizedAccuracy,
    generalized_accuracy,
    harmonic_mean,
)
from sapwood.metrics.ranking import average_precisions, mean_average_precision
from sapwood.metrics.risk import RiskCoverageCurve, aurc, risk_coverage_curve
from sapwood.metrics.seen_unseen import SeenUnseenCurve, ausuc, seen_unseen_curve
from sapwood.metrics.tags import (
    TagScores,
    decide_threshold,
    decide_top_k,
    tag_precision_recall,
)

__all__ = [
    "GeneralizedAccuracy",
    "ReliabilityCurve",
    "RiskCoverageCurve",
    "SeenUnseenCurve",
    "TagScores",
    "accuracy",
    "aurc",
    "ausuc",
    "average_precisions",
    "class_recalls",
    "decide_threshold",
    "decide_top_k",
    "expected_calibration_error",
    "generalized_accuracy",
    "harmonic_mean",
    "mean_average_precision",
    "negative_log_likelihood",
    "reliability_curve",
    "risk_coverage_curve",
    "seen_unseen_curve",
    "tag_precision_recall",
    "top_k_accuracy",
    "top_label",
]
