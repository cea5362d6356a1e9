"""Which trial of a search to take, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

#: Standard errors by which a trial must lead: the best of hundreds leads by one for nothing.
CLEAR = 2.0
#: Why there may be no trial.
NOTHING_TO_ASK = (
    "seen classes can be held out only where four of them or more have annotated images and "
    "attributes"
)


@dataclass(frozen=True)
class Trial:
    """What was tried, and how it did on held-out classes.

    Attributes
    ----------
    parameters : dict
        Other than the preset's.
    ranks : ndarray of shape (images,)
        1 / rank of the true class of each annotated image when its class was held out.
    classes : ndarray of int, shape (images,)
        That class.
    """

    parameters: dict[str, Any]
    ranks: np.ndarray
    classes: np.ndarray


def best_row(log: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the trial that leads most; among equals the one that changes nothing."""
    return max(log, key=lambda row: (round(row["lead"], 12), not row["parameters"]))


def choose(trials: list[Trial]) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
    """Return the chosen parameters, a row for each trial, and the reason in words.

    The preset is the trial that changes nothing; it is left only for a trial whose mean lead over
    it is larger than two standard errors. Images of one class are right or wrong together, so it
    is classes that are counted.
    """
    if not trials:
        return {}, [], f"the preset is kept: {NOTHING_TO_ASK}"
    usual = next(trial for trial in trials if not trial.parameters)
    log: list[dict[str, Any]] = []
    _, group, size = np.unique(usual.classes, return_inverse=True, return_counts=True)
    for trial in trials:
        lead = np.bincount(group, trial.ranks - usual.ranks) / size
        log.append(
            {
                "parameters": trial.parameters,
                "reciprocal_rank": float(trial.ranks.mean()),
                "accuracy": float((trial.ranks == 1).mean()),
                "lead": float(lead.mean()),
                "standard_error": float(lead.std(ddof=1) / np.sqrt(len(lead))),
            }
        )
    row = best_row(log)
    changes = row["parameters"]
    said = ", ".join(f"{name}={value!r}" for name, value in changes.items())
    numbers = f"by {row['lead']:.4f} ± {row['standard_error']:.4f} in mean reciprocal rank"
    if not changes:
        return {}, log, f"of {len(log)} trials none did better than the preset"
    if row["lead"] <= CLEAR * row["standard_error"]:
        why = f"the preset is kept: the best of {len(log)} trials ({said}) leads {numbers} only"
        return {}, log, why
    return changes, log, f"of {len(log)} trials {said} did best, ahead of the preset {numbers}"
