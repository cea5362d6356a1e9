"""The normalised Laplacian (Eq. 1) and its smoothest eigenvectors."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from sapwood.solvers import Eigen, largest_eigenpairs


def normalised_affinity(A: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return ``S = D^-½ A D^-½``; an isolated vertex gets S_ii = 1, its Laplacian row being zero.

    Parameters
    ----------
    A : sparse array of shape (n, n)
        Symmetric, non-negative.

    Examples
    --------
    >>> A = scipy.sparse.csr_array(np.array([[0.0, 4.0, 0], [4.0, 0.0, 0], [0, 0, 0]]))
    >>> normalised_affinity(A).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 1.]])
    """
    degree = np.asarray(A.sum(axis=1)).ravel()
    isolated = degree == 0
    scale = scipy.sparse.dia_array(
        (np.where(isolated, 0.0, 1 / np.sqrt(np.where(isolated, 1.0, degree)))[None], [0]), A.shape
    )
    self_loops = scipy.sparse.dia_array((isolated[None].astype(float), [0]), A.shape)
    return scipy.sparse.csr_array(scale @ A @ scale + self_loops)


def laplacian(A: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return ``L = I - D^-½ A D^-½`` (Eq. 1).

    Examples
    --------
    >>> laplacian(scipy.sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]]))).toarray()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return scipy.sparse.csr_array(scipy.sparse.eye_array(A.shape[0]) - normalised_affinity(A))


def spectral_basis(
    A: scipy.sparse.csr_array, m: int, random_state: int | np.random.Generator = 0
) -> Eigen:
    """Return Σ and V_m: the m smallest eigenvalues of L, rising, and their eigenvectors.

    Parameters
    ----------
    A : sparse array of shape (n, n)
        Affinity matrix.
    m : int
        At most n.
    random_state : int or Generator
        Seeds the eigensolver's start vector.

    Returns
    -------
    Eigen
        Values within [0, 2], orthonormal vectors with deterministic signs.

    Examples
    --------
    >>> A = scipy.sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> spectral_basis(A, 2).values
    array([0., 2.])
    """
    count, component = connected_components(A, directed=False)
    if count >= m and count > 1:
        warnings.warn(
            f"the graph falls into {count} components and only m = {m} eigenvectors are kept, so "
            "they tell components apart and nothing else; raise m or k_g",
            UserWarning,
            stacklevel=3,
        )
    top = largest_eigenpairs(normalised_affinity(A), m, _kernel(A, count, component), random_state)
    values = np.clip(1.0 - top.values, 0.0, 2.0)
    # Exactly zero, once a component: the square root in SAP-I would make 1e-16 into 1e-8.
    values[:count] = 0.0
    return Eigen(values, top.vectors)


def _kernel(A: scipy.sparse.csr_array, count: int, component: np.ndarray) -> scipy.sparse.csr_array:
    """Orthonormal basis of L's null space: D^½ on each component, largest component first."""
    n = A.shape[0]
    root = np.sqrt(np.asarray(A.sum(axis=1)).ravel())
    root[np.diff(A.indptr) == 0] = 1.0
    size = np.sqrt(np.bincount(component, weights=root**2, minlength=count))
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-np.bincount(component, minlength=count), kind="stable")] = np.arange(count)
    entries = (root / size[component], (np.arange(n), rank[component]))
    return scipy.sparse.csr_array(entries, shape=(n, count))
