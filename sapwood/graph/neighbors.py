"""Exact nearest neighbours by blocked matrix products."""

from __future__ import annotations

import time

import numpy as np

from sapwood.graph.cache import keep_lists, place_of, read_lists
from sapwood.progress import report
from sapwood.solvers import map_blocks, worker_count

#: The blocks of distances held at one time take about this many bytes.
BLOCK_BYTES = 64 * 2**20


def nearest_neighbors(
    X: np.ndarray, k: int, *, block_bytes: int = BLOCK_BYTES
) -> tuple[np.ndarray, np.ndarray]:
    """Find the k nearest rows of X to each of its rows, itself left out.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    k : int
        Less than n.
    block_bytes : int
        Memory for the blocks of distances held at one time.

    Returns
    -------
    neighbors : ndarray of shape (n, k)
        Row indices, nearest first. Distances that agree to rounding are ties, and of tied rows
        the one with the lower index counts as nearer, so the answer does not depend on the number
        of threads.
    squared_distances : ndarray of shape (n, k)

    Examples
    --------
    >>> neighbors, d2 = nearest_neighbors(np.array([[0.0], [1.0], [3.0]]), 1)
    >>> neighbors.ravel(), d2.ravel()
    (array([1, 0, 1]), array([1., 1., 4.]))
    """
    place = place_of(X, k)
    kept = read_lists(place)
    if kept is not None:
        return kept
    start, n = time.process_time(), len(X)
    # Distances do not change with the origin; their rounding errors do.
    X = X - X.mean(axis=0)
    neighbors = np.empty((n, k), dtype=np.int64)
    squared = np.empty((n, k))
    half_norms = np.einsum("ij,ij->i", X, X) / 2

    def search(rows: slice) -> int:
        # Half the squared distance less the row's own constant orders the candidates.
        rank = X[rows] @ X.T
        np.subtract(half_norms[None, :], rank, out=rank)
        rank[np.arange(len(rank)), np.arange(rows.start, rows.stop)] = np.inf
        kth = np.partition(rank, k - 1, axis=1)[:, k - 1 : k]
        own = 2 * half_norms[rows, None]
        # What rounding can move a squared distance by, for vectors as long as these.
        grain = 64 * np.finfo(float).eps * np.maximum(2 * own + 2 * kth, np.finfo(float).tiny)
        neighbors[rows] = chosen = _smallest(rank, kth, grain, k)
        d2 = 2 * np.take_along_axis(rank, chosen, axis=1) + own
        squared[rows] = np.where(d2 > grain, d2, 0.0)
        return rows.stop

    block = max(1, block_bytes // (8 * n * worker_count()))
    for done in map_blocks(search, n, block):
        report("neighbours", done / n)
    keep_lists(place, (neighbors, squared), time.process_time() - start)
    return neighbors, squared


def _smallest(rank: np.ndarray, kth: np.ndarray, grain: np.ndarray, k: int) -> np.ndarray:
    """Indices of the k smallest entries of each row, in order, ties by index."""
    near = rank <= kth + grain
    # Only where a tie straddles the boundary must the whole row be sorted.
    tied = np.flatnonzero(np.count_nonzero(near, axis=1) > k)
    near[tied] = np.arange(near.shape[1]) < k
    chosen = _in_order(rank, np.flatnonzero(near).reshape(-1, k) % near.shape[1], grain)
    if len(tied):
        everything = np.broadcast_to(np.arange(rank.shape[1]), (len(tied), rank.shape[1]))
        chosen[tied] = _in_order(rank[tied], everything, grain[tied])[:, :k]
    return chosen


def _in_order(rank: np.ndarray, columns: np.ndarray, grain: np.ndarray) -> np.ndarray:
    """Sort columns, given in ascending order, by value and then by column."""
    values = np.round(np.take_along_axis(rank, columns, axis=1) / grain)
    return np.take_along_axis(columns, np.argsort(values, axis=1, kind="stable"), axis=1)
