"""Choosing settings on classes held out as if they were unseen."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.metrics import accuracy
from sapwood.models.base import ZeroShotClassifier


def pseudo_unseen_accuracy(model: ZeroShotClassifier, X: Any, y: Any) -> float:
    """Score images of held-out classes among those classes alone: a scorer for scikit-learn.

    With :class:`sapwood.data.ClassKFold` it makes ``GridSearchCV`` choose for zero-shot
    prediction; the default scorer would let held-out classes compete with the trained ones.

    Parameters
    ----------
    model : ZeroShotClassifier
    X : array-like of shape (n, d)
    y : array-like of shape (n,)

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sapwood import SparseAttributePropagation
    >>> from sapwood.data import ClassKFold
    >>> search = GridSearchCV(SparseAttributePropagation(), {"lambda4": [0.1, 1.0]},
    ...                       cv=ClassKFold(3), scoring=pseudo_unseen_accuracy)
    """
    y = np.asarray(y)
    return accuracy(y, model.predict(X, classes=np.unique(y)))
