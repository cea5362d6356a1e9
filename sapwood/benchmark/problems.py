"""A problem as a benchmark hands it to a method: arrays, and nothing that tells the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sapwood.data import Setting, ZeroShotData


@dataclass(frozen=True, eq=False)
class Problem:
    """Training images with few annotations, and test images.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        Class of each training image, -1 where it is unannotated.
    Z : ndarray of shape (classes, k)
    X_test : ndarray of shape (m, d)
    truth : ndarray of shape (m,)
    unseen : ndarray of int
        The classes without annotations.
    """

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    X_test: np.ndarray
    truth: np.ndarray
    unseen: np.ndarray

    def annotated(self) -> Problem:
        """Return the problem without its unannotated images.

        Examples
        --------
        >>> one = Problem(np.eye(2), np.array([0, -1]), *[np.eye(2)] * 4)
        >>> len(one.annotated().X)
        1
        """
        known = self.y >= 0
        return replace(self, X=self.X[known], y=self.y[known])

    def of_unseen(self) -> Problem:
        """Return the problem without test images of seen classes."""
        rows = np.isin(self.truth, self.unseen)
        return replace(self, X_test=self.X_test[rows], truth=self.truth[rows])


def problem_of(data: ZeroShotData, setting: Setting) -> Problem:
    """Return the arrays of a setting; held-out images of seen classes are tested before unseen.

    Parameters
    ----------
    data : ZeroShotData
    setting : Setting

    Examples
    --------
    >>> from sapwood.data import Split, standard_setting
    >>> data = ZeroShotData(features=np.eye(3), labels=[0, 0, 1], attributes=np.eye(2),
    ...                     splits={"paper": Split(name="paper", unseen=[1])})
    >>> problem_of(data, standard_setting(data, annotated=1)).truth.tolist()
    [1]
    """
    X, y = setting.training(data)
    test = np.concatenate([setting.test_seen, setting.test_unseen])
    return Problem(
        X.astype(float),
        y,
        data.attributes,
        data.features[test],
        data.labels[test],
        setting.unseen,
    )
