"""Warnings that a benchmark means to do without."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from sklearn.exceptions import ConvergenceWarning


@contextmanager
def quiet() -> Iterator[None]:
    """Keep to themselves what is meant: few iterations, missing attributes, few images."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="class_attributes has .* missing values")
        warnings.filterwarnings("ignore", message="the paper's .* needs more than")
        yield
