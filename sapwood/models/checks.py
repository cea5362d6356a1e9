"""Checks of feature matrices and weights, with errors that say what to do."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from sapwood.errors import LARGEST, InputError, counted


class InputTypeError(InputError, TypeError):
    """An `InputError` for objects of a kind that cannot be used at all."""


def check_features(estimator: BaseEstimator, X: Any, *, reset: bool, name: str = "X") -> np.ndarray:
    """Return X as a finite float64 array of shape (n, d); it is never changed.

    Parameters
    ----------
    estimator : BaseEstimator
        Remembers the number and names of features when `reset`, compares with them when not.
    X : array-like of shape (n, d)
    reset : bool
        True in fit.
    name : str
        The argument's name, for messages.
    """
    if scipy.sparse.issparse(X):
        raise InputTypeError(f"{name} is sparse; features are dense: pass {name}.toarray()")
    try:
        X = validate_data(estimator, X, reset=reset, dtype=np.float64, ensure_all_finite=False)
    except TypeError as error:
        raise InputTypeError(f"{name} holds entries that are not numbers: {error}") from None
    except ValueError as error:
        raise InputError(f"{name} cannot be used: {error}") from None
    _check_finite(X, name)
    return X


def check_training_features(
    estimator: BaseEstimator, X: Any, y: Any = None, sample_weight: Any = None
) -> np.ndarray:
    """Like :func:`check_features`, for fit: at least two rows that differ, in the order of y.

    Parameters
    ----------
    estimator : BaseEstimator
    X : array-like of shape (n, d)
    y, sample_weight : array-like of length n, optional
        Only their order is looked at, see :func:`require_row_order`.
    """
    require_row_order(X, y, "y")
    require_row_order(X, sample_weight, "sample_weight")
    X = check_features(estimator, X, reset=True)
    if len(X) < 2:
        raise InputError("X has n_samples = 1; a graph of images needs at least 2")
    if not np.ptp(X, axis=0).any():
        raise InputError(
            f"X is constant: all {len(X)} rows are equal, so nothing tells images apart; check how "
            "the features were computed"
        )
    return X


def require_row_order(X: Any, given: Any, name: str) -> None:
    """Refuse what has the rows of X in another order by its index; entries count by position.

    Parameters
    ----------
    X, given : array-like
        Only two pandas objects with the same labels are compared, unless those of X are plain row
        numbers, which nobody may have given.
    name : str
        The argument's name, for messages.
    """
    if not (hasattr(X, "iloc") and hasattr(given, "iloc")) or X.index.equals(given.index):
        return
    first = _first_moved(list(X.index), list(given.index))
    if first is None:
        return
    raise InputError(
        f"{name} has the index of X in another order (first: row {first} is {X.index[first]!r} in "
        f"X, {given.index[first]!r} in {name}), and entries count by position; pass "
        f"{name}.loc[X.index], or {name}.to_numpy() if it is in the order of X after all"
    )


def _first_moved(rows: list[Any], own: list[Any]) -> int | None:
    """Return where labels first stand in another order; None if they do not, or are others."""
    try:
        if Counter(rows) != Counter(own) or rows == list(range(len(rows))):
            return None
        pairs = enumerate(zip(rows, own, strict=True))
        # A missing label is itself, but equal to nothing.
        return next((i for i, (a, b) in pairs if not (a is b or a == b)), None)
    except TypeError:
        # Some labels cannot be counted or compared.
        return None


def check_mapped(X: np.ndarray, features: str) -> np.ndarray:
    """Return X, unless the feature map left nothing that tells its rows apart."""
    if not np.ptp(X, axis=0).max() > 1e-12:
        advice = "scale X up" if features == "raw" else "use features='raw'"
        raise InputError(
            f"X has nothing that tells its rows apart once features={features!r} is applied "
            f"(n_features = {X.shape[1]}); {advice}"
        )
    return X


def check_weights(sample_weight: Any, codes: np.ndarray) -> np.ndarray:
    """Return one non-negative weight for each image, ones by default."""
    if sample_weight is None:
        return np.ones(len(codes))
    try:
        weight = np.asarray(sample_weight, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"sample_weight has entries that are not numbers ({error})") from None
    if weight.shape != codes.shape:
        raise InputError(
            f"sample_weight has shape {weight.shape}; expected ({len(codes)},), one weight for "
            "each row of X"
        )
    if not np.isfinite(weight).all() or (weight < 0).any():
        bad = np.flatnonzero(~(weight >= 0) | ~np.isfinite(weight))
        raise InputError(
            f"sample_weight has {counted(len(bad), 'entry', 'entries')} negative or non-finite "
            f"(first: {weight[bad[0]]} at position {bad[0]})"
        )
    # Only ratios matter: an annotated image counts as one, whatever others weigh.
    weight = weight / (weight.max(initial=0.0) or 1.0)
    voting = np.unique(codes[(codes >= 0) & (weight > 0)])
    if len(voting) < 2:
        raise InputError(
            f"sample_weight leaves {counted(len(voting), 'class', 'classes')} annotated with a "
            "weight above zero; at least two are needed"
        )
    return weight / weight[(codes >= 0) & (weight > 0)].mean()


def draw_seed(random_state: Any) -> int:
    """Return a seed drawn from what scikit-learn takes as `random_state`."""
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise InputError(
            f"random_state is {random_state!r}; expected a whole number of at least 0, a "
            "numpy.random.RandomState or None"
        ) from None


def _check_finite(X: np.ndarray, name: str) -> None:
    bad = ~(np.abs(X) <= LARGEST)
    if not bad.any():
        return
    places = ", ".join(f"row {i} column {j}" for i, j in np.argwhere(bad)[:3])
    raise InputError(
        f"{name} contains {np.isnan(X).sum()} NaN, {np.isinf(X).sum()} inf and "
        f"{(bad & np.isfinite(X)).sum()} values beyond {LARGEST:g} (first: {places}); remove these "
        "images or recompute their features"
    )
