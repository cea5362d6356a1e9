"""Images with similar tags."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.solvers import map_blocks, rows_at_a_time


def jaccard_neighbours(T: Any, pool: Any, count: int, *, leave_out_own: bool = False) -> np.ndarray:
    """Return the rows of `pool` whose tags are most alike, the first ones of equals.

    Parameters
    ----------
    T, pool : sparse array of bool of shape (n, t) and (p, t)
    count : int
        Neighbours of each image; all there are if these are fewer.
    leave_out_own : bool
        Whether T is the pool itself, and row i is not to be a neighbour of row i.

    Returns
    -------
    ndarray of int of shape (n, count)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> T = csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool))
    >>> jaccard_neighbours(T, T, 1, leave_out_own=True).ravel()
    array([1, 0, 0])
    """
    T, pool = T.astype(np.float32), pool.astype(np.float32)
    sizes, others = T.sum(axis=1), pool.sum(axis=1)
    count = min(count, pool.shape[0] - leave_out_own)

    def nearest(rows: slice) -> np.ndarray:
        shared = (T[rows] @ pool.T).toarray()
        either = sizes[rows][:, None] + others[None] - shared
        alike = shared / np.where(either > 0, either, 1)
        if leave_out_own:
            own = np.arange(rows.start, rows.start + len(alike))
            alike[np.arange(len(alike)), own] = -1
        return np.argsort(-alike, axis=1, kind="stable")[:, :count]

    blocks = map_blocks(nearest, T.shape[0], rows_at_a_time(4 * pool.shape[0]))
    return np.concatenate(list(blocks)).astype(np.int64)
