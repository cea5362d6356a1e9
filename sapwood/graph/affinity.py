"""From neighbour lists to a symmetric affinity matrix."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse

from sapwood.errors import InputError

#: How the weights of i → j and j → i become one.
SYMMETRISATIONS = ("max", "mean", "mutual")
#: The neighbour whose distance is a point's own scale (Zelnik-Manor & Perona 2004).
LOCAL_NEIGHBOR = 7


def affinity_matrix(
    neighbors: np.ndarray,
    squared_distances: np.ndarray,
    *,
    sigma: float | str = 1.0,
    symmetrize: str = "max",
) -> scipy.sparse.csr_array:
    """Weigh neighbours by ``exp(-d² / 2σ²)`` and make the matrix symmetric.

    Parameters
    ----------
    neighbors, squared_distances : ndarray of shape (n, k)
        As :func:`sapwood.graph.nearest_neighbors` returns them.
    sigma : float, "mean" or "local"
        The paper's σ; "mean" sets σ² to the mean squared distance to a neighbour, "local" uses
        σ_i σ_j, each the distance to the point's seventh neighbour.
    symmetrize : {"max", "mean", "mutual"}
        Keep an edge found from either side at its larger weight, average the two directions, or
        keep it only if found from both.

    Returns
    -------
    sparse array of shape (n, n)
        Symmetric, zero diagonal.

    Examples
    --------
    >>> affinity_matrix(np.array([[1], [0]]), np.array([[2.0], [2.0]])).toarray().round(3)
    array([[0.   , 0.368],
           [0.368, 0.   ]])
    """
    n, k = neighbors.shape
    scale = _squared_scales(neighbors, squared_distances, sigma)
    weights = np.exp(-squared_distances / (2 * scale))
    indptr = np.arange(0, n * k + 1, k)
    A = scipy.sparse.csr_array((weights.ravel(), neighbors.ravel().copy(), indptr), shape=(n, n))
    A.eliminate_zeros()
    A = _symmetric(A, symmetrize)
    _check_connected(A, squared_distances, sigma)
    return A


def _squared_scales(
    neighbors: np.ndarray, squared_distances: np.ndarray, sigma: float | str
) -> float | np.ndarray:
    tiny = np.finfo(float).tiny
    if sigma == "mean":
        return max(float(squared_distances.mean()), tiny)
    if sigma == "local":
        own = np.sqrt(squared_distances[:, min(LOCAL_NEIGHBOR, neighbors.shape[1]) - 1])
        # A point among its own duplicates has no scale; the typical one serves.
        own[own == 0] = own[own > 0].mean() if (own > 0).any() else 1.0
        return own[:, None] * own[neighbors]
    return float(sigma) ** 2


def _symmetric(A: scipy.sparse.csr_array, how: str) -> scipy.sparse.csr_array:
    if how == "mean":
        return scipy.sparse.csr_array((A + A.T) / 2)
    return scipy.sparse.csr_array(A.maximum(A.T) if how == "max" else A.minimum(A.T))


def _check_connected(
    A: scipy.sparse.csr_array, squared_distances: np.ndarray, sigma: float | str
) -> None:
    isolated = int((np.diff(A.indptr) == 0).sum())
    if 2 * isolated <= A.shape[0]:
        return
    message = (
        f"{isolated} of {A.shape[0]} images have no neighbour left in the graph: the median "
        f"distance to a neighbour is {np.sqrt(np.median(squared_distances)):.3g} and sigma is "
        f"{sigma}; use sigma='mean' or 'local', features of unit length, or symmetrize='max'"
    )
    if isolated == A.shape[0]:
        raise InputError(message)
    warnings.warn(message, UserWarning, stacklevel=3)
