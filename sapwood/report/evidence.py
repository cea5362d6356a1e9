"""Which attributes decided between two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.models.attributes import scale_attributes


def lead_by_attribute(model: Any, X: Any, winner: Any, rival: Any) -> np.ndarray:
    """Split the lead of one class over another into a share for each attribute.

    With the Euclidean score ``s_c = −‖x − p_c‖²`` and prototypes ``p_c = z_c W``, the lead
    ``s_a − s_b`` is ``2 (p_a − p_b)·(x − (p_a + p_b)/2)``, a sum over attributes j of
    ``2 (z_a − z_b)_j w_j·(x − (p_a + p_b)/2)``. Attributes that both classes have alike decide
    nothing.

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
        Rows sum to the lead, ``decision_function`` of the winner less that of the rival.

    Examples
    --------
    >>> from sapwood import SparseAttributePropagation
    >>> Z, X = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0]]), np.eye(9)[:, :6] + 0.1
    >>> model = SparseAttributePropagation(k_g=2).fit(X, np.arange(9) % 3, class_attributes=Z)
    >>> lead = lead_by_attribute(model, X[:1], [0], [1])
    >>> scores = model.decision_function(X[:1])
    >>> bool(np.isclose(lead.sum(), scores[0, 0] - scores[0, 1]))
    True
    """
    if model.metric_ != "euclidean":
        raise InputError(f"the model's metric is {model.metric_!r}; leads split up for 'euclidean'")
    Z = scale_attributes(model.class_attributes_, model.attribute_norm_)
    a, b = Z[np.asarray(winner)], Z[np.asarray(rival)]
    mapped = model.feature_map_.transform(np.asarray(X, dtype=float))
    middle = (a + b) / 2 @ model.projection_
    return 2 * (a - b) * ((mapped - middle) @ model.projection_.T)
