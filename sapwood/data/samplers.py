"""Which images of each class are annotated, and which are held out.

Random streams, so that others can draw the same rows (NumPy's ``default_rng``, PCG64):

* annotation: ``rng = default_rng(seed)``; for each seen class in ascending order one
  ``rng.permutation`` of its rows (ascending), of which the first K are annotated. The set for
  K = 5 contains the one for K = 1.
* hold-out of the generalized setting: ``rng = default_rng([seed, 1])``; for each seen class in
  ascending order one ``rng.permutation`` of its rows (ascending), of which the first
  ``floor(holdout · n + ½)``, but never all, are held out. Annotation then draws from the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.errors import InputError

Rows = NDArray[np.int64]
_EMPTY = np.empty(0, dtype=np.int64)


def annotate(
    labels: ArrayLike,
    classes: ArrayLike,
    k: int | None,
    seed: int = 0,
    rows: ArrayLike | None = None,
) -> Rows:
    """Return K rows of each class, nested in K; all of a class that has fewer.

    Parameters
    ----------
    labels : array of int, shape (n,)
    classes : array of int
        The classes to annotate.
    k : int or None
        Images a class; None for all.
    seed : int
    rows : array of int, optional
        The rows to choose from; all if not given.

    Returns
    -------
    array of int
        Class by class in ascending order, in the order drawn.

    Examples
    --------
    >>> labels = [0, 0, 0, 1, 1, 1]
    >>> set(annotate(labels, [0, 1], 1)) < set(annotate(labels, [0, 1], 2))
    True
    """
    limit, start = images_a_class(k), _seed(seed)
    parts = [own[:limit] for own in _permuted(labels, classes, np.random.default_rng(start), rows)]
    return np.concatenate([_EMPTY, *parts])


def hold_out(
    labels: ArrayLike,
    classes: ArrayLike,
    share: float,
    seed: int = 0,
    rows: ArrayLike | None = None,
) -> Rows:
    """Return a share of the rows of each class, ascending; a class never loses all its rows.

    Parameters
    ----------
    labels, classes, seed, rows
        As for :func:`annotate`; the random stream is another.
    share : float
        Between 0 and 1.

    Examples
    --------
    >>> len(hold_out([0] * 5 + [1] * 10, [0, 1], 0.2))
    3
    """
    require_share(share)
    drawn = _permuted(labels, classes, np.random.default_rng([_seed(seed), 1]), rows)
    sizes = [max(0, min(len(own) - 1, int(share * len(own) + 0.5))) for own in drawn]
    parts = [own[:size] for own, size in zip(drawn, sizes, strict=True)]
    return np.sort(np.concatenate([_EMPTY, *parts]))


def require_share(share: float) -> None:
    """Refuse what is no share of a class's images that can be held out."""
    if not 0 < share < 1:
        raise InputError(f"holdout={share!r}: not a share; give a number between 0 and 1")


def _permuted(
    labels: ArrayLike, classes: ArrayLike, rng: np.random.Generator, rows: ArrayLike | None = None
) -> list[Rows]:
    labels = np.asarray(labels)
    allowed = np.ones(len(labels), dtype=bool)
    if rows is not None:
        allowed[:] = False
        allowed[np.asarray(rows)] = True
    return [rng.permutation(np.flatnonzero((labels == c) & allowed)) for c in np.unique(classes)]


def images_a_class(k: int | None) -> int | None:
    """Return K if it is a number of images, or None, which stands for all.

    Examples
    --------
    >>> images_a_class(5)
    5
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise InputError(
            f"annotated={k!r}: not a number of images; give 1 or more, or None for all"
        )
    return k


def _seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed={seed!r}: not a seed; give a whole number from 0")
    return int(seed)
