"""Protocols: a data set, an estimator and a setting become numbers."""

from sapwood.evaluation.record import fit_setting, row_hashes
from sapwood.evaluation.scoring import evaluate

__all__ = ["evaluate", "fit_setting", "row_hashes"]
