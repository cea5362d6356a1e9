"""From refined scores to tags kept, dropped and added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sapwood.errors import InputError
from sapwood.tags.inputs import Tags

#: What can become of a tag.
KEPT, DROPPED, ADDED = "kept", "dropped", "added"
#: Shares of the tags given whose refined scores are thresholds: the lowest tenth, the middle one.
DROP_SHARE, ADD_SHARE = 0.1, 0.5


@dataclass(frozen=True)
class Change:
    """One tag of one image.

    Attributes
    ----------
    row, column : int
        Image and tag.
    decision : {"kept", "dropped", "added"}
    score : float
        Refined.
    rank : int
        Place of the tag among all tags of the image by refined score, from 1.
    """

    row: int
    column: int
    decision: str
    score: float
    rank: int


@dataclass(frozen=True)
class TagDecisions:
    """Which tags images keep, lose and gain.

    Attributes
    ----------
    scores : ndarray of shape (n, t)
        Refined scores.
    given, final : ndarray of bool of shape (n, t)
        Tags before and after.
    """

    scores: np.ndarray
    given: np.ndarray
    final: np.ndarray

    @property
    def kept(self) -> np.ndarray:
        """Tags that were given and stay, shape (n, t)."""
        return self.given & self.final

    @property
    def dropped(self) -> np.ndarray:
        """Tags that were given and go, shape (n, t)."""
        return self.given & ~self.final

    @property
    def added(self) -> np.ndarray:
        """Tags that were not given and come, shape (n, t)."""
        return self.final & ~self.given

    def counts(self) -> dict[str, int]:
        """Return how many tags were kept, dropped and added."""
        masks = {KEPT: self.kept, DROPPED: self.dropped, ADDED: self.added}
        return {name: int(mask.sum()) for name, mask in masks.items()}

    def changes(self) -> Iterator[Change]:
        """Yield the tags of each image, the highest score first."""
        for i, row in enumerate(self.scores):
            touched = np.flatnonzero(self.given[i] | self.final[i])
            for j in touched[np.argsort(-row[touched], kind="stable")]:
                rank = 1 + int((row > row[j]).sum())
                yield Change(i, int(j), self._decision(i, j), float(row[j]), rank)

    def words(self, names: Sequence[str]) -> list[list[str]]:
        """Return the final tags of each image as words, the highest score first."""
        result = []
        for row, final in zip(self.scores, self.final, strict=True):
            columns = np.flatnonzero(final)
            result.append([names[j] for j in columns[np.argsort(-row[columns], kind="stable")]])
        return result

    def _decision(self, i: int, j: int) -> str:
        if not self.given[i, j]:
            return ADDED
        return KEPT if self.final[i, j] else DROPPED


def thresholds_of(Y: np.ndarray, T: Tags) -> tuple[float, float]:
    """Return the scores of the lowest tenth and of the middle one of the tags that were given.

    Tags below the first are dropped; tags above the second are added where scores have no meaning
    of their own.

    Examples
    --------
    >>> import scipy.sparse
    >>> T = scipy.sparse.csr_array(np.ones((1, 11)))
    >>> thresholds_of(np.arange(11.0)[None] / 10, T)
    (0.1, 0.5)
    """
    rows, columns = T.nonzero()
    low, middle = np.quantile(Y[rows, columns], [DROP_SHARE, ADD_SHARE])
    return float(low), float(middle)


def check_thresholds(drop: float | None, add: float | None) -> None:
    """Refuse what no score is below or above.

    Examples
    --------
    >>> check_thresholds(float("nan"), None)
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: drop is nan; expected a score, such as 0.5
    """
    for name, value in (("drop", drop), ("add", add)):
        if value is not None and np.isnan(value):
            raise InputError(f"{name} is {value}; expected a score, such as 0.5")


def decide_tags(
    Y: np.ndarray, T: Tags, drop: float, add: float, most: int | None = None
) -> TagDecisions:
    """Drop given tags that score below `drop`, add others that score above `add`.

    Parameters
    ----------
    Y : ndarray of shape (n, t)
        Refined scores.
    T : sparse array of shape (n, t)
        Tags given.
    drop, add : float
    most : int, optional
        Tags added to an image at most: those with the highest scores.

    Examples
    --------
    >>> import scipy.sparse
    >>> T = scipy.sparse.csr_array(np.array([[1, 1, 0, 0]]))
    >>> decide_tags(np.array([[0.9, 0.1, 0.7, 0.2]]), T, drop=0.3, add=0.5).counts()
    {'kept': 1, 'dropped': 1, 'added': 1}
    """
    check_thresholds(drop, add)
    if Y.shape != T.shape:
        raise InputError(
            f"scores has shape {Y.shape} and tags {T.shape}; give the scores that transform made "
            "of these tags"
        )
    given = T.toarray() > 0
    added = ~given & (add < Y)
    if most is not None:
        candidates = np.where(added, Y, -np.inf)
        order = np.argsort(-candidates, axis=1, kind="stable")[:, :most]
        best = np.zeros_like(added)
        np.put_along_axis(best, order, True, axis=1)
        added &= best
    return TagDecisions(Y, given, (given & (drop <= Y)) | added)
