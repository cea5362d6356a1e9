"""Seen classes held out as if they were unseen, with what the others learn from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sapwood.data import ClassKFold
from sapwood.models.weighted import weighted_map
from sapwood.projection import Evidence

#: An image takes part if this share of its class memberships is in the classes that are kept.
BELONGS = 0.5


@dataclass(frozen=True)
class ClassFold:
    """One division of the seen classes.

    Attributes
    ----------
    evidence : Evidence
        Of the images that belong to the kept classes; its Z is not yet mapped.
    X : ndarray of shape (v, d)
        Annotated images of the classes held out.
    truth : ndarray of shape (v,)
        Their classes, as rows of `held`.
    held : ndarray of shape (h, k)
        Attributes of the classes held out, as given.
    classes : ndarray of shape (h,)
        Which ones these are among the seen classes.
    """

    evidence: Evidence
    X: np.ndarray
    truth: np.ndarray
    held: np.ndarray
    classes: np.ndarray

    def described(
        self, attribute_map: str, ridge: float = 1.0, freedom: float = 0.0
    ) -> tuple[Evidence, np.ndarray]:
        """Return the evidence and the held-out classes in the coordinates of a named map.

        Parameters are those of :func:`sapwood.models.weighted.weighted_map`; classes held out have
        no part in the weights.
        """
        classes = weighted_map(self.evidence, attribute_map, ridge, freedom)
        return self.evidence.described(classes.transform), classes.transform(self.held)

    def reciprocal_ranks(self, scores: np.ndarray) -> np.ndarray:
        """Return 1 / rank of the true class for each of the v images, ties at their worst."""
        right = scores[np.arange(len(self.truth)), self.truth]
        # Scores that are no numbers count as ties: no trial wins by failing.
        return 1.0 / (~(scores < right[:, None])).sum(axis=1)


def class_folds(
    evidence: Evidence, X: np.ndarray, codes: np.ndarray, n_splits: int, seed: int
) -> Iterator[ClassFold]:
    """Divide the seen classes into `n_splits` parts and hold each out in turn.

    Unannotated images that were found to belong to the classes held out leave with them: no image
    of an unseen class is in the training set of the problem that is imitated here.

    Parameters
    ----------
    evidence : Evidence
        Of all seen classes, Z being their attributes as given.
    X : ndarray of shape (n, d)
        Mapped features of all training images.
    codes : ndarray of shape (n,)
        Row of Z for annotated images, -1 elsewhere.
    n_splits : int
    seed : int
    """
    p = len(evidence.Z)
    for train, test in ClassKFold(n_splits, shuffle=True, random_state=seed).split(X, codes):
        held = np.unique(codes[test])
        kept = np.setdiff1d(np.arange(p), held)
        yield ClassFold(
            evidence=of_classes(evidence, kept),
            X=X[test],
            truth=np.searchsorted(held, codes[test]),
            held=evidence.Z[held],
            classes=held,
        )


def of_classes(evidence: Evidence, kept: np.ndarray, among: np.ndarray | None = None) -> Evidence:
    """Return the evidence of the images that belong to some of the classes.

    Parameters
    ----------
    evidence : Evidence
    kept : ndarray of int
        Rows of its Z.
    among : ndarray of shape (n,), optional
        Mask of the images that may take part; by default all.
    """
    F = evidence.F[:, kept]
    mass = F.sum(axis=1)
    rows = rows_of_classes(evidence, kept, among)
    attributes = None if evidence.attributes is None else evidence.attributes[rows]
    return Evidence(
        evidence.X[rows],
        F[rows] / mass[rows, None],
        evidence.Z[kept],
        evidence.weights[rows] * mass[rows],
        attributes,
    )


def rows_of_classes(
    evidence: Evidence, kept: np.ndarray, among: np.ndarray | None = None
) -> np.ndarray:
    """Return the numbers of those images; parameters as in :func:`of_classes`."""
    rows = (evidence.F[:, kept].sum(axis=1) >= BELONGS) & (evidence.weights > 0)
    return np.flatnonzero(rows if among is None else rows & among)


def ranks(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of each image within its class, and the size of that class.

    Parameters
    ----------
    codes : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,), ndarray of shape (n,)

    Examples
    --------
    >>> ranks(np.array([7, 3, 7, 7]))
    (array([0, 0, 1, 2]), array([3, 1, 3, 3]))
    """
    _, own, counts = np.unique(codes, return_inverse=True, return_counts=True)
    order = np.argsort(own, kind="stable")
    rank = np.empty(len(codes), dtype=int)
    rank[order] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rank, counts[own]
