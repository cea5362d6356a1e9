"""The robust refinement: what features say, what related tags say, and the tags themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sapwood.features import FeatureMap, MappedRows, fit_in_blocks
from sapwood.graph import choose_landmarks, landmark_graph, nearest_neighbors
from sapwood.progress import report
from sapwood.solvers import Rows, map_blocks, rows_at_a_time
from sapwood.tags.alone import TagsAlone, learn_alone
from sapwood.tags.calibration import Calibration, calibration_rows, fit_calibration
from sapwood.tags.inputs import Tags
from sapwood.tags.kernel import KernelModel, fit_kernel
from sapwood.tags.relations import LandmarkSimilarity, NeighborSimilarity, tag_relations

#: Landmarks and neighbours by which images are compared to relate tags.
GRAPH_LANDMARKS, GRAPH_NEAREST = 1000, 5
#: Mapped features of this many numbers are kept.
HELD = 2**25


@dataclass(frozen=True)
class RobustTags:
    """A fitted refinement.

    Attributes
    ----------
    feature_map : FeatureMap
    kernel : KernelModel
    calibration : Calibration
    relations : ndarray of shape (t, t)
    own : float
        Weight of the tags given against that of what is predicted.
    """

    feature_map: FeatureMap
    kernel: KernelModel
    calibration: Calibration
    relations: np.ndarray
    own: float

    def refine(self, X: Rows | None, T: Tags | None) -> np.ndarray:
        """Return the refined scores of images that were not fitted, shape (n, t)."""
        assert X is not None
        features = MappedRows(X, self.feature_map)
        Y = np.empty((X.shape[0], len(self.kernel.base)), dtype=np.float32)

        def fill(rows: slice) -> None:
            p = self.calibration(self.kernel.scores(features[rows]))
            Y[rows] = p if T is None else self.combine(p, T[rows].toarray())

        width = len(self.kernel.landmarks) + Y.shape[1]
        for _ in map_blocks(fill, len(Y), rows_at_a_time(4 * width)):
            pass
        return Y

    @property
    def add_threshold(self) -> float:
        """The refined score of a tag that was not given and that half of all people would write."""
        return (1 - self.own) / 2

    def combine(self, p: np.ndarray, given: np.ndarray) -> np.ndarray:
        """Join what is predicted, p, with the tags given, both of shape (n, t)."""
        expected = p + (given - p) @ self.relations
        return self.own * given + (1 - self.own) * expected


def learn_robust(
    X: Rows | None, T: Tags, settings: dict[str, Any]
) -> tuple[RobustTags | TagsAlone, np.ndarray]:
    """Fit the refinement and refine the images it was fitted to.

    Parameters
    ----------
    X : Rows of shape (n, d) or None
        None goes by the tags alone.
    T : sparse array of shape (n, t)
    settings : dict
        Resolved parameters.

    Returns
    -------
    RobustTags or TagsAlone
    ndarray of shape (n, t)
        Refined scores; what is predicted of an image had no part of its own tags.
    """
    if X is None:
        return learn_alone(T, settings)
    report("features")
    feature_map = fit_in_blocks(X, settings["features"])
    features = _held(X, feature_map)
    U = choose_landmarks(features, settings["landmarks"], "random", settings["seed"])
    kernel, Y = fit_kernel(features, T, U, sigma=settings["sigma"], ridge=settings["ridge"])
    calibration = _calibration(Y, T)
    _in_blocks(Y, lambda rows: calibration(Y[rows]))
    M = np.zeros((T.shape[1], T.shape[1]), dtype=np.float32)
    if settings["relations"]:
        M = _relations(features, T, Y, settings).astype(np.float32)
    found = RobustTags(feature_map, kernel, calibration, M, settings["own"])
    _in_blocks(Y, lambda rows: found.combine(Y[rows], T[rows].toarray()))
    return found, Y


def _held(X: Rows, feature_map: FeatureMap) -> Rows:
    """Map small matrices once; large ones whenever rows are asked for."""
    rows = MappedRows(X, feature_map)
    return rows[:] if X.shape[0] * X.shape[1] <= HELD else rows


def _calibration(Y: np.ndarray, T: Tags) -> Calibration:
    n, t = T.shape
    images = np.asarray((T > 0).sum(axis=0)).ravel()
    some = calibration_rows(n, t)
    # Half an image more: a tag that nobody used has a logarithm, too.
    return fit_calibration(Y[some], np.minimum(T[some].toarray(), 1.0), (images + 0.5) / n)


def _relations(features: Rows, T: Tags, Y: np.ndarray, settings: dict[str, Any]) -> np.ndarray:
    """Learn relations from the tags' surprises: Y holds what was predicted, and is left so."""
    n = T.shape[0]
    report("neighbours")
    similarity: NeighborSimilarity | LandmarkSimilarity
    if settings["graph"] == "landmark":
        p = min(GRAPH_LANDMARKS, n)
        _, Z_hat = landmark_graph(features, p, GRAPH_NEAREST, random_state=settings["seed"])
        similarity = LandmarkSimilarity(Z_hat)
    else:
        neighbors, _ = nearest_neighbors(np.asarray(features[:], float), settings["k_g"])
        similarity = NeighborSimilarity(neighbors)
    _in_blocks(Y, lambda rows: T[rows].toarray() - Y[rows])
    found = tag_relations(Y, similarity, strength=settings["relations"], doubt=settings["doubt"])
    _in_blocks(Y, lambda rows: T[rows].toarray() - Y[rows])
    return found


def _in_blocks(Y: np.ndarray, work: Any) -> None:
    """Replace Y, shape (n, t), by what `work` makes of its rows."""

    def replace(rows: slice) -> None:
        Y[rows] = work(rows)

    for _ in map_blocks(replace, len(Y), rows_at_a_time(8 * Y.shape[1])):
        pass
