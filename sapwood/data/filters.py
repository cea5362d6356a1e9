"""Which images from elsewhere to keep."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError


class Classifier(Protocol):
    """Anything that names the class of each row of features."""

    def predict(self, X: Any, /) -> Any:
        """Return a label for each row."""


def discard_unseen(X: ArrayLike, classifier: Classifier, unseen: ArrayLike) -> NDArray[np.bool_]:
    """Return which images a classifier does not take for one of an unseen class.

    This is how the paper prepared its web images. The classifier must have learnt from labelled
    images of the unseen classes, so what is trained on the images that are kept **is not
    zero-shot any more**: use it to reproduce the paper, not to report a result.

    Parameters
    ----------
    X : array of shape (n, d)
        Features of the images.
    classifier : object with ``predict``
        Fitted, on the same kind of features.
    unseen : array of labels
        The unseen classes, as the classifier names them.

    Returns
    -------
    ndarray of bool, shape (n,)
        True for the images to keep.

    Examples
    --------
    >>> class ByColumn:
    ...     def predict(self, X):
    ...         return X.argmax(axis=1)
    >>> discard_unseen(np.eye(3), ByColumn(), unseen=[1]).tolist()
    [True, False, True]
    """
    features, labels = np.asarray(X), np.asarray(unseen)
    if features.ndim != 2:
        raise InputError(
            f"X has {features.ndim} dimensions; give one row of features for each image"
        )
    if labels.ndim != 1 or not len(labels):
        raise InputError("unseen names no class; give the labels of the unseen classes in a list")
    answers = np.asarray(classifier.predict(features))
    if answers.shape != (len(features),):
        raise InputError(
            f"classifier.predict returned an array of shape {answers.shape} for {len(features)} "
            "images; it should return one label for each"
        )
    if (answers.dtype.kind in "iu") != (labels.dtype.kind in "iu"):
        raise InputError(
            f"the classifier answers with {answers.dtype} and unseen holds {labels.dtype}; give "
            "unseen as the classifier names its classes"
        )
    return ~np.isin(answers, labels)
