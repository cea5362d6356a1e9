"""The robust refinement where there are no features: tags are compared by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sapwood.graph import choose_landmarks
from sapwood.solvers import Rows, map_blocks, rows_at_a_time
from sapwood.tags.companions import Companions, fit_companions
from sapwood.tags.inputs import Tags
from sapwood.tags.kernel import KernelModel, fit_kernel
from sapwood.tags.rows import TagRows

#: Of the regression of a tag on the others.
COMPANION_RIDGE = 30.0
#: How much more a rare tag says about an image than a frequent one.
RARITY = 1.5


@dataclass(frozen=True)
class TagsAlone:
    """A fitted refinement.

    Half of what it predicts comes from images with similar tags, half from each tag's companions.

    Attributes
    ----------
    tag_weights : ndarray of shape (t,)
        By which tags count when images are compared.
    kernel : KernelModel
    companions : Companions
    own : float
        Weight of the tags given against that of what is predicted.
    """

    tag_weights: np.ndarray
    kernel: KernelModel
    companions: Companions
    own: float

    @property
    def add_threshold(self) -> float:
        """The refined score of a tag that was not given and that half of all people would write."""
        return (1 - self.own) / 2

    def refine(self, X: Rows | None, T: Tags | None) -> np.ndarray:
        """Return the refined scores of images that were not fitted, shape (n, t)."""
        assert T is not None
        features = TagRows(T, self.tag_weights)
        Y = np.empty(T.shape, dtype=np.float32)

        def fill(rows: slice) -> None:
            given = T[rows].toarray()
            expected = self.kernel.scores(features[rows]) + self.companions.scores(given)
            Y[rows] = self.own * given + (1 - self.own) / 2 * expected

        for _ in map_blocks(fill, len(Y), rows_at_a_time(4 * (len(self.kernel.landmarks)))):
            pass
        return Y


def learn_alone(T: Tags, settings: dict[str, Any]) -> tuple[TagsAlone, np.ndarray]:
    """Fit the refinement to tags, shape (n, t), and refine them.

    Parameters
    ----------
    T : sparse array of shape (n, t)
    settings : dict
        Resolved parameters.

    Returns
    -------
    TagsAlone
    ndarray of shape (n, t)
        Refined scores; what is predicted of an image was learned from the others.
    """
    n, t = T.shape
    images = np.asarray((T > 0).sum(axis=0)).ravel()
    weights = np.log(n / (1 + images)).clip(min=0.01) ** RARITY
    features = TagRows(T, weights)
    U = choose_landmarks(features, settings["landmarks"], "random", settings["seed"])
    kernel, Y = fit_kernel(features, T, U, sigma=settings["sigma"], ridge=settings["ridge"])
    companions, others = fit_companions(T, COMPANION_RIDGE)
    found = TagsAlone(weights, kernel, companions, settings["own"])

    def combine(rows: slice) -> None:
        expected = (Y[rows] + others[rows]) / 2
        Y[rows] = found.own * T[rows].toarray() + (1 - found.own) * expected

    for _ in map_blocks(combine, n, rows_at_a_time(8 * t)):
        pass
    return found, Y
