"""Cross-validation over classes: seen classes take turns at being unseen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.labels import as_labels, unannotated
from sapwood.errors import InputError


class ClassKFold:
    """Split rows so that whole classes are held out as if they were unseen.

    A test fold has the annotated images of the held-out classes; all other images, the
    unannotated ones (label −1) always among them, are for training. Works wherever
    scikit-learn takes a splitter, such as ``GridSearchCV(cv=ClassKFold())``.

    Parameters
    ----------
    n_splits : int
        Number of folds, at least 2 and at most the number of annotated classes.
    shuffle : bool
        Whether to divide the classes at random instead of in ascending order.
    random_state : int, Generator or None
        Seed of the shuffling, passed to ``numpy.random.default_rng``.

    Examples
    --------
    >>> y = np.array([0, 0, 1, 2, -1])
    >>> for train, test in ClassKFold(n_splits=3).split(np.zeros((5, 1)), y):
    ...     print(train, test)
    [2 3 4] [0 1]
    [0 1 3 4] [2]
    [0 1 2 4] [3]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = False,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state

    def __repr__(self) -> str:
        given = f"n_splits={self.n_splits}, shuffle={self.shuffle}"
        return f"ClassKFold({given}, random_state={self.random_state})"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds; the arguments are there for scikit-learn."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield (train rows, test rows) for each fold.

        Parameters
        ----------
        X : array, shape (n, d)
            Not looked at.
        y : array, shape (n,)
            Classes; −1, NaN, None or "" for images without annotation.
        groups : None
            Not used.
        """
        if y is None:
            raise InputError("y: ClassKFold divides classes and needs them; give the labels")
        labels = as_labels(y)
        if labels.ndim != 1:
            raise InputError(f"y: an array of shape {labels.shape}; give one label for each image")
        known = ~unannotated(labels)
        names = labels[known]
        classes, own = np.unique(
            names.astype(str) if names.dtype.kind == "O" else names, return_inverse=True
        )
        codes = np.full(len(labels), -1)
        codes[known] = own
        for held in self._folds(np.arange(len(classes))):
            test = np.isin(codes, held)
            yield np.flatnonzero(~test), np.flatnonzero(test)

    def _folds(self, classes: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        n = self.n_splits
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 2:
            raise InputError(f"n_splits={n!r}: not a number of folds; give 2 or more")
        if n > len(classes):
            raise InputError(
                f"n_splits={n}: more folds than annotated classes ({len(classes)}); "
                "give fewer folds or annotate more classes"
            )
        if self.shuffle:
            classes = np.random.default_rng(self.random_state).permutation(classes)
        return np.array_split(classes, n)
