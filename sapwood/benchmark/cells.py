"""Numbers as tables show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def signed(value: float, digits: int = 1) -> str:
    """Return a difference as it is printed: no zero with a sign, and a minus, not a hyphen.

    Examples
    --------
    >>> signed(1.25), signed(-0.04), signed(-3.0)
    ('+1.2', '0.0', '−3.0')
    """
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def mean_and_deviation(values: Sequence[float], digits: int = 1, usual: int = 0) -> str:
    """Return mean ± standard deviation; one value alone has none, and no value is a dash.

    Parameters
    ----------
    values : sequence of float
    digits : int
    usual : int
        How many other cells have; where these are not as many, their number follows.

    Examples
    --------
    >>> mean_and_deviation([1.0, 3.0]), mean_and_deviation([1.0]), mean_and_deviation([])
    ('2.0 ± 1.4', '1.0', '–')
    >>> mean_and_deviation([1.0, 3.0], usual=5)
    '2.0 ± 1.4 (2)'
    """
    if not values:
        return "–"
    other = f" ({len(values)})" * (usual not in (0, len(values)))
    spread = f" ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else ""
    return f"{np.mean(values):.{digits}f}{spread}{other}"


def mean_and_error(differences: Sequence[float], digits: int = 1) -> str:
    """Return the mean difference, with its sign, ± its standard error; one alone has none.

    Examples
    --------
    >>> mean_and_error([1.0, 3.0]), mean_and_error([1.0]), mean_and_error([])
    ('+2.0 ± 1.0', '+1.0', '–')
    """
    if len(differences) < 2:
        return signed(differences[0], digits) if differences else "–"
    error = standard_error(differences)
    return f"{signed(float(np.mean(differences)), digits)} ± {error:.{digits}f}"


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of two values or more.

    Examples
    --------
    >>> standard_error([1.0, 3.0])
    1.0
    """
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))
