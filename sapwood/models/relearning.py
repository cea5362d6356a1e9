"""Learning again from some of the classes and images, to ask images that had no part in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sapwood.features import FeatureMap
from sapwood.models.folds import of_classes, rows_of_classes
from sapwood.projection import Evidence

#: Learns from evidence and scores images, shape (m, d), against classes' attributes as given.
Scorer = Callable[[Evidence, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Statistics:
    """What the feature map of a subset of images is learned from.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Features as given.
    features : FeatureMap
        Fitted anew, as a copy, to each subset.
    weight : ndarray of shape (n,)
        Of each image in the statistics.
    """

    X: np.ndarray
    features: FeatureMap
    weight: np.ndarray

    def of(self, taught: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Map images taught and images asked, both by the statistics of the former."""
        own = FeatureMap(**self.features.get_params())
        mapped = own.fit_transform(self.X[taught], sample_weight=self.weight[taught])
        return mapped, own.transform(self.X[asked])


@dataclass(frozen=True, eq=False)
class Relearner:
    """A method that can be taught anew with less.

    Attributes
    ----------
    evidence : Evidence
        Of all seen classes, Z being their attributes as given.
    scorer : callable
    statistics : Statistics, optional
        Given where images asked must have no part in the feature map either; by default they are
        as the evidence has them.
    """

    evidence: Evidence
    scorer: Scorer
    statistics: Statistics | None = None

    def scores(
        self,
        kept: np.ndarray,
        asked: np.ndarray,
        classes: np.ndarray,
        among: np.ndarray | None = None,
    ) -> np.ndarray:
        """Score images against classes after learning from the kept classes alone.

        Parameters
        ----------
        kept : ndarray of int
            Rows of Z. Images that belong to other classes teach nothing.
        asked : ndarray of shape (a,)
            Numbers of images.
        classes : ndarray of shape (c,)
            Rows of Z.
        among : ndarray of shape (n,), optional
            Mask of the images that may teach; by default all.

        Returns
        -------
        ndarray of shape (a, c)
        """
        taught, X = of_classes(self.evidence, kept, among), self.evidence.X[asked]
        if self.statistics is not None:
            rows = rows_of_classes(self.evidence, kept, among)
            mapped, X = self.statistics.of(rows, asked)
            taught = replace(taught, X=mapped)
        return self.scorer(taught, X, self.evidence.Z[classes])
