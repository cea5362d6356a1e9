"""Several descriptions of the same classes, such as attributes and words, as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError, counted
from sapwood.features import ATTRIBUTE_MAPS, AttributeMap

#: What each space goes through by itself before they are put side by side.
ALONE = ATTRIBUTE_MAPS["powered"]


class ClassSpaces(BaseEstimator):
    """Semantic spaces side by side, each at unit length times the root of its weight.

    The squared distance of two classes is then the weighted mean of their distances in each
    space. Every space keeps its own power, mean and length, which attributes of 0 to 1 and text
    vectors of either sign do not share. A space that has all the weight is passed on as given.

    Parameters
    ----------
    weights : sequence of float
        One for each space, not negative; only their ratios matter.

    Attributes
    ----------
    weights_ : list of float
        With sum 1.
    maps_ : list of AttributeMap
    fills_ : list of ndarray
        What stands in for missing values of each space: means over the classes fitted to.

    Examples
    --------
    >>> A, T = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, -1.0, 0.0], [0.0, 1.0, 1.0]])
    >>> ClassSpaces([3, 1]).fit([A, T]).transform([A, T]).shape
    (2, 5)
    """

    def __init__(self, weights: Sequence[float] = (0.5, 0.5)) -> None:
        self.weights = weights

    def fit(self, spaces: Sequence[np.ndarray]) -> ClassSpaces:
        """Learn the statistics of the p seen classes, one (p, k) array for each space."""
        total = float(np.sum(self.weights))
        if len(self.weights) != len(spaces) or min(self.weights) < 0 or not total > 0:
            raise InputError(
                f"weights are {list(self.weights)} for {len(spaces)} spaces; give one for each, "
                "none negative and not all zero"
            )
        self.weights_ = [float(weight) / total for weight in self.weights]
        self.fills_ = [_means(Z) for Z in spaces]
        filled = self._filled(spaces)
        self.maps_ = [AttributeMap(**ALONE).fit(Z) for Z in filled]
        return self

    def transform(self, spaces: Sequence[np.ndarray]) -> np.ndarray:
        """Return the classes in all spaces that have weight, shape (classes, sum of their k)."""
        check_is_fitted(self, "maps_")
        filled = self._filled(spaces)
        if max(self.weights_) == 1:
            return filled[self.weights_.index(1)]
        parts = zip(self.weights_, self.maps_, filled, strict=True)
        return np.hstack([np.sqrt(weight) * own.scale(Z) for weight, own, Z in parts if weight])

    def to_dict(self) -> dict[str, Any]:
        """Return what was learned, as JSON has it."""
        check_is_fitted(self, "maps_")
        learned = [
            {"power": own.power_, "mean": own.mean_.tolist(), "fill": fill.tolist()}
            for own, fill in zip(self.maps_, self.fills_, strict=True)
        ]
        return {"weights": self.weights_, "spaces": learned}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> ClassSpaces:
        """Rebuild what :meth:`to_dict` returned."""
        spaces = cls(stored["weights"])
        spaces.weights_ = list(stored["weights"])
        spaces.fills_ = [np.array(one["fill"]) for one in stored["spaces"]]
        spaces.maps_ = [_restored(one) for one in stored["spaces"]]
        return spaces

    def _filled(self, spaces: Sequence[np.ndarray]) -> list[np.ndarray]:
        widths = [np.shape(Z)[1] for Z in spaces]
        if widths != [len(fill) for fill in self.fills_]:
            raise InputError(
                f"spaces of {widths} columns; expected {[len(fill) for fill in self.fills_]}, as "
                "in fit"
            )
        return [np.where(np.isnan(Z), fill, Z) for Z, fill in zip(spaces, self.fills_, strict=True)]


def _means(Z: np.ndarray) -> np.ndarray:
    hopeless = np.flatnonzero(np.isnan(Z).all(axis=0))
    if len(hopeless):
        raise InputError(
            f"a space has {counted(len(hopeless), 'column')} without any value for a seen class "
            f"(first: column {hopeless[0]}); remove them"
        )
    return np.nanmean(Z, axis=0)


def _restored(stored: dict[str, Any]) -> AttributeMap:
    own = AttributeMap(**ALONE)
    own.power_, own.mean_ = float(stored["power"]), np.array(stored["mean"])
    own.weights_ = np.ones(len(own.mean_))
    return own
