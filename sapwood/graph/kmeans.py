"""Landmarks: rows that stand for the others, drawn or found by k-means over row blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from sapwood.errors import InputError
from sapwood.progress import report
from sapwood.solvers import Rows, as_floats, map_blocks, rows_at_a_time

#: Ways to choose landmarks.
LANDMARK_CHOICES = ("kmeans", "random")
#: Rounds of k-means; the landmarks need to cover the data, not to be its best clustering.
ROUNDS = 5


def choose_landmarks(
    X: Rows, p: int, how: str = "kmeans", random_state: int | np.random.Generator = 0
) -> np.ndarray:
    """Choose p landmarks for the rows of X.

    Parameters
    ----------
    X : array or Rows of shape (n, d)
        Read a block of rows at a time; float32 is worked on as float32.
    p : int
        At most n.
    how : {"kmeans", "random"}
        Centres of a k-means of five rounds that starts at random rows, or these rows.
    random_state : int or Generator

    Returns
    -------
    ndarray of shape (p, d)

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [9.0], [9.1]])
    >>> np.sort(choose_landmarks(X, 2), axis=0).ravel().round(2)
    array([0.05, 9.05])
    """
    if how not in LANDMARK_CHOICES:
        raise InputError(
            f"landmarks are chosen by {how!r}; expected one of "
            f"{', '.join(map(repr, LANDMARK_CHOICES))}"
        )
    n = X.shape[0]
    if not 1 <= p <= n:
        raise InputError(f"{p} landmarks were asked for; expected 1 to {n}, the number of images")
    drawn = np.sort(np.random.default_rng(random_state).choice(n, p, replace=False))
    U = as_floats(X[drawn])
    for turn in range(ROUNDS if how == "kmeans" else 0):
        report("landmarks", turn / ROUNDS)
        U = _moved(X, U)
    return U


@dataclass(frozen=True)
class _Share:
    """What one block of rows adds to the new centres, and its rows farthest from the old ones."""

    sums: np.ndarray
    counts: np.ndarray
    far: np.ndarray
    distance: np.ndarray


def _moved(X: Rows, U: np.ndarray) -> np.ndarray:
    """Return the mean of the rows nearest to each centre."""
    (n, d), p = X.shape, len(U)
    half_norms = np.einsum("ij,ij->i", U, U) / 2

    def assign(rows: slice) -> _Share:
        block = as_floats(X[rows])
        rank = half_norms - block @ U.T
        nearest = rank.argmin(axis=1)
        distance = rank[np.arange(len(block)), nearest]
        distance += np.einsum("ij,ij->i", block, block) / 2
        indptr = np.arange(len(block) + 1)
        member = scipy.sparse.csr_array(
            (np.ones(len(block), block.dtype), nearest, indptr), (len(block), p)
        )
        far = np.argsort(-distance, kind="stable")[:p]
        sums = (member.T @ block).astype(np.float64)
        return _Share(sums, np.bincount(nearest, minlength=p), rows.start + far, distance[far])

    sums, counts = np.zeros((p, d)), np.zeros(p, dtype=np.int64)
    far, distance = np.empty(0, dtype=np.int64), np.empty(0)
    for share in map_blocks(assign, n, rows_at_a_time(p + d)):
        sums += share.sums
        counts += share.counts
        far, distance = np.append(far, share.far), np.append(distance, share.distance)
        order = np.argsort(-distance, kind="stable")[:p]
        far, distance = far[order], distance[order]
    lost = np.flatnonzero(counts == 0)
    if len(lost):
        # A centre that lost all its rows goes where the rows are badly served.
        sums[lost], counts[lost] = as_floats(X[far[: len(lost)]]), 1
    return np.asarray(sums / counts[:, None], dtype=U.dtype)
