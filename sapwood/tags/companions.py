"""Each tag predicted from the other tags of the same image, all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.solvers import map_blocks, rows_at_a_time
from sapwood.tags.inputs import Tags


@dataclass(frozen=True)
class Companions:
    """A ridge regression of every tag on all others.

    Attributes
    ----------
    mean : ndarray of shape (t,)
    M : ndarray of shape (t, t)
        Zero diagonal; a tag (column) has no part in its own prediction.
    """

    mean: np.ndarray
    M: np.ndarray

    def scores(self, given: np.ndarray) -> np.ndarray:
        """Return what the other tags say of each tag, shape (n, t) both ways."""
        return self.mean + (given - self.mean) @ self.M


def fit_companions(T: Tags, ridge: float) -> tuple[Companions, np.ndarray]:
    """Regress every tag on all others.

    The inverse Q of the tags' second moments holds all t regressions: the coefficients of tag j
    are ``-Q_ij / Q_jj``.

    Parameters
    ----------
    T : sparse array of shape (n, t)
    ridge : float

    Returns
    -------
    Companions
    ndarray of shape (n, t)
        What the regressions would say of each image had they been fitted to the others.

    Examples
    --------
    >>> import scipy.sparse
    >>> T = scipy.sparse.csr_array(np.array([[1, 1], [0, 0]] * 20, dtype=float))
    >>> found, _ = fit_companions(T, 1e-3)
    >>> found.scores(np.array([[1.0, 0.0]])).round(2)
    array([[0., 1.]])
    """
    n, t = T.shape
    mean = np.asarray(T.mean(axis=0), dtype=np.float64).ravel()
    gram = (T.T @ T).toarray() - n * np.outer(mean, mean)
    Q = np.linalg.inv(gram + ridge * np.eye(t))
    diagonal = Q.diagonal()
    M = -Q / diagonal
    np.fill_diagonal(M, 0.0)
    left_out = np.empty((n, t), dtype=np.float32)

    def leave_out(rows: slice) -> None:
        given = T[rows].toarray()
        centred = given - mean
        P = centred @ Q
        # The hat value of an image in the regression that lacks column j.
        hat = np.einsum("ij,ij->i", P, centred)[:, None] - P**2 / diagonal
        left_out[rows] = given - P / diagonal / np.maximum(1 - hat, 1e-6)

    for _ in map_blocks(leave_out, n, rows_at_a_time(8 * t)):
        pass
    return Companions(mean, M), left_out
