"""Protocols: a data set, an estimator and a setting become numbers."""

from sapwood.evaluation.coverage import accuracy_against_coverage
from sapwood.evaluation.record import fit_setting, row_hashes
from sapwood.evaluation.scoring import evaluate
from sapwood.evaluation.selection import pseudo_unseen_accuracy

__all__ = [
    "accuracy_against_coverage",
    "evaluate",
    "fit_setting",
    "pseudo_unseen_accuracy",
    "row_hashes",
]
