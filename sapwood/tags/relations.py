"""Which tags speak for each other: learned from pairs of similar images, not from one caption.

Within one caption near-synonyms exclude each other: who writes "bike" does not write "bicycle",
too. Two people who look at similar pictures have no such habit in common.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import scipy.sparse

from sapwood.solvers import map_blocks, rows_at_a_time, soft_threshold

#: Images counted with each tag as if they said nothing: rare tags speak with a low voice.
DOUBT = 10.0


class Similarity(Protocol):
    """A symmetric matrix of weights between images, zero diagonal, rows of sum 1 on average."""

    def quadratic(self, R: np.ndarray) -> np.ndarray:
        """Return ``Rᵀ S R``."""

    def squares(self) -> float:
        """Return the sum of the squared weights."""


class NeighborSimilarity:
    """Equal weights of each image's nearest neighbours, averaged over both directions.

    Parameters
    ----------
    neighbors : ndarray of shape (n, k)
        As :func:`sapwood.graph.nearest_neighbors` returns them.
    """

    def __init__(self, neighbors: np.ndarray) -> None:
        n, k = neighbors.shape
        indptr = np.arange(0, n * k + 1, k)
        share = np.full(n * k, 1 / k, dtype=np.float32)
        A = scipy.sparse.csr_array((share, neighbors.ravel(), indptr), shape=(n, n))
        self.S = scipy.sparse.csr_array((A + A.T) / 2)

    def quadratic(self, R: np.ndarray) -> np.ndarray:
        """Return ``Rᵀ S R``."""
        n, t = R.shape
        result = np.zeros((t, t))
        for part in map_blocks(lambda rows: R[rows].T @ (self.S[rows] @ R), n, _rows(t)):
            result += part
        return result

    def squares(self) -> float:
        """Return the sum of the squared weights."""
        return float((self.S.data.astype(np.float64) ** 2).sum())


class LandmarkSimilarity:
    """``Ẑ Ẑᵀ`` of a landmark graph, less its diagonal, scaled.

    Parameters
    ----------
    Z_hat : sparse array of shape (n, p)
    """

    def __init__(self, Z_hat: scipy.sparse.csr_array) -> None:
        self.Z_hat = Z_hat
        self.own = np.asarray(Z_hat.multiply(Z_hat).sum(axis=1)).ravel()
        columns = np.asarray(Z_hat.sum(axis=0)).ravel()
        left = float(columns @ columns - self.own.sum())
        # Where every image has a landmark of its own there is nobody to compare it with.
        self.scale = Z_hat.shape[0] / left if left > 1e-9 else 0.0

    def quadratic(self, R: np.ndarray) -> np.ndarray:
        """Return ``Rᵀ S R``."""
        n, t = R.shape

        def add_up(rows: slice) -> tuple[np.ndarray, np.ndarray]:
            block = R[rows]
            return self.Z_hat[rows].T @ block, block.T @ (self.own[rows, None] * block)

        through, alone = np.zeros((self.Z_hat.shape[1], t)), np.zeros((t, t))
        for part, own in map_blocks(add_up, n, _rows(t)):
            through += part
            alone += own
        return self.scale * (through.T @ through - alone)

    def squares(self) -> float:
        """Return the sum of the squared weights."""
        gram = (self.Z_hat.T @ self.Z_hat).toarray()
        return self.scale**2 * float((gram**2).sum() - (self.own**2).sum())


def tag_relations(
    R: np.ndarray, similarity: Similarity, *, strength: float, doubt: float
) -> np.ndarray:
    """Learn how far a surprising tag of an image raises its other tags.

    What features did not predict of an image's tags, R, is compared with the same of similar
    images: where the two go together beyond chance, it was the picture and not the writer.

    Parameters
    ----------
    R : ndarray of shape (n, t)
        Tags given less tags predicted from the other images.
    similarity : Similarity
    strength : float
        Similar images are not the same image, so what they share is less than what two writers
        on one image would; this makes up for it.
    doubt : float
        Standard errors by which every correlation is lowered.

    Returns
    -------
    ndarray of shape (t, t)
        M: the scores of an image rise by ``R M``.
    """
    n = len(R)
    square = np.einsum("ij,ij->j", R, R, dtype=np.float64)
    error = np.sqrt(similarity.squares() * np.outer(square, square)) / n
    shared = soft_threshold(similarity.quadratic(R), doubt * error)
    return strength * shared / (square + DOUBT)[:, None]


def _rows(t: int) -> int:
    return rows_at_a_time(4 * t)
