"""Which attributes decided between two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.errors import InputError

#: Points of the Gauss-Legendre rule on the way from one class to the other.
POINTS = 24


def lead_by_attribute(model: Any, X: Any, winner: Any, rival: Any) -> np.ndarray:
    """Split the lead of one class over another into a share for each attribute.

    The score ``s(z) = −‖x − φ(z) W‖²`` is followed along the straight line from the rival's scaled
    attributes to the winner's: attribute j's share is ``(z_a − z_b)_j`` times the mean of
    ``∂s/∂z_j`` on the way. The shares sum to the lead, whatever φ is; where φ is linear, this is
    ``2 (z_a − z_b)_j w_j·(x − (p_a + p_b)/2)`` with the prototypes ``p_c = z_c W``. Attributes that
    both classes have alike decide nothing.

    Parameters
    ----------
    model : SparseAttributePropagation
        Fitted, with ``metric="euclidean"``.
    X : array-like of shape (n, d)
    winner, rival : array-like of int, shape (n,)
        Rows of ``model.class_attributes_``.

    Returns
    -------
    ndarray of shape (n, k)
        Rows sum to the lead, ``decision_function(..., calibrated=False)`` of the winner less that
        of the rival: the bias against seen classes is no attribute's.

    Examples
    --------
    >>> from sapwood import SparseAttributePropagation
    >>> Z, X = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0]]), np.eye(9)[:, :6] + 0.1
    >>> model = SparseAttributePropagation(k_g=2).fit(X, np.arange(9) % 3, class_attributes=Z)
    >>> lead = lead_by_attribute(model, X[:1], [0], [1])
    >>> scores = model.decision_function(X[:1], calibrated=False)
    >>> bool(np.isclose(lead.sum(), scores[0, 0] - scores[0, 1]))
    True
    """
    if model.metric_ != "euclidean":
        raise InputError(f"the model's metric is {model.metric_!r}; leads split up for 'euclidean'")
    classes, W = model.attribute_map_, model.projection_
    Z = classes.scale(model.class_attributes_)
    start, end = Z[np.asarray(rival)], Z[np.asarray(winner)]
    mapped = model.feature_map_.transform(np.asarray(X, dtype=float))
    lead = np.zeros(start.shape)
    for at, weight in zip(*_quadrature(), strict=True):
        between = start + at * (end - start)
        slope = 2 * (mapped - classes.place(between) @ W) @ W.T
        lead += weight * classes.pull_back(between, slope)
    return lead * (end - start)


def _quadrature() -> tuple[np.ndarray, np.ndarray]:
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    return (points + 1) / 2, weights / 2
