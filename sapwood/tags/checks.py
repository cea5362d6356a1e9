"""Checks of what the annotator is given, a block of rows at a time."""

from __future__ import annotations

from numbers import Integral, Number
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import validate_data

from sapwood.errors import InputError
from sapwood.models.attributes import is_frame, require_different
from sapwood.solvers import Rows, map_blocks, rows_at_a_time
from sapwood.tags.frames import numbers_of


def check_rows(X: Any, name: str, *, columns: int | None = None) -> Rows:
    """Return X, shape (n, d), as something whose rows can be read; it is not copied.

    Parameters
    ----------
    X : array-like or Rows of shape (n, d)
    name : str
        For messages.
    columns : int, optional
        How many it must have.
    """
    X = numbers_of(X)
    if not (hasattr(X, "shape") and hasattr(X, "__getitem__")):
        X = _as_array(X, name)
    if scipy.sparse.issparse(X):
        X = scipy.sparse.csr_array(X).toarray()
    if len(X.shape) != 2 or 0 in X.shape:
        raise InputError(f"{name} has shape {X.shape}; expected (images, columns), none of them 0")
    if columns is not None and X.shape[1] != columns:
        raise InputError(
            f"{name} has {X.shape[1]} columns; expected {columns}, as there were in fit"
        )
    _check_finite(X, name)
    return X


def check_features(estimator: Any, X: Any, *, fitting: bool) -> Rows:
    """Return features X, shape (n, d), as rows to read; a frame's columns are named as in fit.

    Parameters
    ----------
    estimator : estimator
        Gets ``n_features_in_``, and ``feature_names_in_`` from a frame, where it is `fitting`.
    X : array-like or Rows of shape (n, d)
    fitting : bool
    """
    rows = check_rows(X, "X", columns=None if fitting else estimator.n_features_in_)
    validate_data(estimator, X if is_frame(X) else rows, skip_check_array=True, reset=fitting)
    return rows


def check_decision(top: int | None, threshold: float | None, prefix: str = "") -> None:
    """Refuse two rules of which concepts to give, and a threshold that is no probability.

    Parameters
    ----------
    top : int, optional
    threshold : float, optional
    prefix : str
        Stands before the two names in messages.
    """
    if threshold is None:
        return
    if top is not None:
        raise InputError(
            f"{prefix}top takes the best concepts however probable, so {prefix}threshold does "
            "nothing; give one of them"
        )
    if not isinstance(threshold, Number) or not 0 < threshold < 1:
        raise InputError(
            f"{prefix}threshold is {threshold}; expected a probability above 0 and below 1, such "
            "as 0.5"
        )


def require_variety(X: Rows) -> None:
    """Refuse features X, shape (n, d), of which all rows are equal."""
    first = np.asarray(X[:1])
    blocks = map_blocks(
        lambda block: bool((np.asarray(X[block]) != first).any()),
        X.shape[0],
        rows_at_a_time(X.shape[1]),
    )
    if not any(list(blocks)):
        raise InputError(
            f"X is constant: all {X.shape[0]} rows are equal, so nothing tells images apart; check "
            "how the features were computed, or give X=None to go by the tags alone"
        )


def check_same_length(**given: Any) -> int:
    """Return the number of rows that all arguments that are not None share."""
    lengths = {name: rows.shape[0] for name, rows in given.items() if rows is not None}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InputError(f"{told} rows; expected one row for each image in all of them")
    return next(iter(lengths.values()))


def check_names(what: str, given: Any, count: int) -> list[str]:
    """Return names of `count` columns; ``what 0``, ``what 1``, … where none are given."""
    if isinstance(given, str):
        raise InputError(f"{what}_names is the text {given!r}; expected a list of {count} names")
    if given is None:
        return usual_names(what, count)
    names = [str(name) for name in given]
    if len(names) != count:
        raise InputError(f"{what}_names has {len(names)} names; expected {count}, one per column")
    require_different(names, f"{what}_names")
    return names


def usual_names(what: str, count: int) -> list[str]:
    """Return the names of columns that nobody named."""
    return [f"{what} {j}" for j in range(count)]


def check_flags(Y: Any, name: str, n: int) -> np.ndarray:
    """Return Y, shape (n, c), as booleans; 0 and 1 are all it may hold."""
    Y = _labels(Y, name)
    if len(Y) != n:
        raise InputError(f"{name} has {len(Y)} rows; expected {n}, one for each image")
    return _flags(Y, name)


def check_concepts(concepts: Any, fewest: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Return the length of concepts, the rows that are known, and these as booleans.

    Parameters
    ----------
    concepts : array-like of shape (n, c)
        0 and 1, or nothing but -1 or NaN in rows that are not known.
    fewest : int
        Known rows that are needed.

    Returns
    -------
    int, ndarray of shape (k,), ndarray of bool of shape (k, c)
    """
    Y = _labels(concepts, "concepts")
    if Y.dtype == object:
        # Where some are missing, truth values come as objects.
        Y = np.where([[one is None or one != one for one in row] for row in Y], -1, Y)
        Y = np.asarray(Y, dtype=float) if _are_numbers(Y) else Y
    unknown = (Y == -1) | np.isnan(Y) if Y.dtype.kind in "if" else np.zeros(Y.shape, bool)
    parted = np.flatnonzero(unknown.any(axis=1) & ~unknown.all(axis=1))
    if len(parted):
        raise InputError(
            f"concepts has {len(parted)} rows of which a part is -1 or missing (first: row "
            f"{parted[0]}); give all concepts of an image, or -1 throughout for an image that "
            "nobody has annotated"
        )
    known = np.flatnonzero(~unknown.all(axis=1))
    if isinstance(fewest, Integral) and len(known) < fewest:
        raise InputError(
            f"concepts is known of {len(known)} images (others are -1); at least {fewest} are "
            "needed, one for each part that is held out (cv): annotate more"
        )
    return len(Y), known, _flags(Y[known], "concepts")


def _are_numbers(Y: np.ndarray) -> bool:
    return all(isinstance(one, Number | np.bool_) for one in Y.ravel())


def _labels(Y: Any, name: str) -> np.ndarray:
    Y = Y.toarray() if scipy.sparse.issparse(Y) else _as_array(numbers_of(Y), name)
    if Y.ndim != 2 or 0 in Y.shape:
        raise InputError(f"{name} has shape {Y.shape}; expected (images, labels), none of them 0")
    return Y


def _flags(Y: np.ndarray, name: str) -> np.ndarray:
    if Y.dtype.kind not in "biuf" or not ((Y == 0) | (Y == 1)).all():
        raise InputError(f"{name} holds other values than 0 and 1; mark what an image has with 1")
    if not Y.any():
        raise InputError(f"{name} marks nothing in any image; give what images have as 1")
    return Y.astype(bool)


def _as_array(X: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(X)
    except ValueError:
        raise InputError(
            f"{name} has rows of unequal length; expected a matrix (images, columns) of numbers"
        ) from None


def _check_finite(X: Rows, name: str) -> None:
    def bad_rows(rows: slice) -> np.ndarray:
        block = np.asarray(X[rows])
        if block.dtype.kind not in "biuf":
            raise InputError(f"{name} holds entries that are not numbers ({block.dtype})")
        return rows.start + np.flatnonzero(~np.isfinite(block).all(axis=1))

    blocks = map_blocks(bad_rows, X.shape[0], rows_at_a_time(X.shape[1]))
    bad = [row for block in blocks for row in block]
    if bad:
        raise InputError(
            f"{name} contains NaN or inf in {len(bad)} rows (first: row {bad[0]}); remove these "
            "images or recompute them"
        )
