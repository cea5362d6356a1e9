"""The proximal operator of the L1 norm."""

from __future__ import annotations

import numpy as np


def soft_threshold(x: np.ndarray, threshold: float | np.ndarray) -> np.ndarray:
    """Return ``sign(x) max(|x| - threshold, 0)``, element by element.

    Parameters
    ----------
    x : ndarray
    threshold : float or ndarray broadcastable to the shape of `x`

    Examples
    --------
    >>> soft_threshold(np.array([-3.0, 0.5, 2.0]), 1.0)
    array([-2.,  0.,  1.])
    """
    # x - clip(x, -t, t) needs one temporary; the textbook form needs three.
    return x - np.clip(x, -threshold, threshold)
