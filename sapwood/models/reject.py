"""Abstaining: no answer where the best one is not probable enough."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from sapwood.errors import InputError


def check_reject(reject: Any) -> None:
    """Refuse a `reject` that is not a number between 0 and 1."""
    is_number = isinstance(reject, Real) and not isinstance(reject, bool)
    if not is_number or not 0 < float(reject) < 1:
        raise InputError(
            f"reject is {reject!r}; expected a number between 0 and 1, such as 0.5: the least "
            "probability with which an image is named"
        )


def abstain(answers: np.ndarray, doubtful: np.ndarray) -> np.ndarray:
    """Return `answers` with those that are doubtful replaced by what says "none".

    That is -1 among numbers and "" among names: what `fit` takes for an image without annotation,
    so that answers can be given to it as they are. An array of names stays one of text, which None
    would make one of objects.

    Parameters
    ----------
    answers : ndarray of shape (n,)
    doubtful : ndarray of bool, shape (n,)

    Examples
    --------
    >>> abstain(np.array(["owl", "jay"]), np.array([False, True]))
    array(['owl', ''], dtype='<U3')
    >>> abstain(np.array([4, 7]), np.array([True, False]))
    array([-1,  7])
    """
    if answers.dtype.kind in "ub":
        answers = answers.astype(np.int64)
    none: Any = -1 if answers.dtype.kind in "if" else ""
    answers = answers.copy()
    answers[doubtful] = none
    return answers
