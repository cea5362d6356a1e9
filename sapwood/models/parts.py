"""Which training images take part in what, how far, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.solvers import map_blocks

#: Ways in which unannotated images take part; "auto" asks the annotated ones.
WAYS = ("auto", "all", "near", "ignore")
#: Why an image counts as it does, in the order of the codes of `Part.reasons`.
REASONS = (
    "annotated",
    "propagated: annotations reach it over the graph",
    "near: among the nearest, and as near as annotated images of two classes are",
    "unreached: no annotation reaches it over the graph",
    "far: unannotated images did not prove useful, and it is not near to an annotated one",
    "copy: its features are those of another image",
    "ignored: annotated images only were asked for",
    "no weight: its sample_weight is zero",
    "unproven: unannotated images did not prove useful, and features tell too little to pick some",
)
ANNOTATED, PROPAGATED, NEAR, UNREACHED, FAR, COPY, IGNORED, WEIGHTLESS, UNPROVEN = range(
    len(REASONS)
)

#: The share of unannotated images that may be near, and how many an annotated image.
NEAREST, AT_MOST = 0.2, 2
#: What such an image counts in the projection, and in the statistics of features.
SAY, IN_STATISTICS = 0.3, 0.1
#: Annotated images that tell how near two classes are.
PAIRED = 4096
#: In the statistics of features no class counts more than this many of the median size.
LARGEST = 4


@dataclass(frozen=True)
class Part:
    """Images that take part.

    Attributes
    ----------
    rows : ndarray of shape (r,)
        Their numbers among the n training images.
    weight : ndarray of shape (r,)
        In the projection, before their confidence.
    statistics : ndarray of shape (r,)
        In the mean and the scatter of the features.
    votes : bool
        Whether the projection may vote in the propagation.
    reasons : ndarray of shape (n,)
        For every training image a position in `REASONS`.
    """

    rows: np.ndarray
    weight: np.ndarray
    statistics: np.ndarray
    votes: bool
    reasons: np.ndarray


def everything(codes: np.ndarray, weight: np.ndarray) -> Part:
    """Every image takes part; `codes` are -1 for unannotated ones."""
    reasons = np.where(codes >= 0, ANNOTATED, PROPAGATED)
    reasons[weight == 0] = WEIGHTLESS
    return Part(np.arange(len(codes)), weight, in_statistics(codes), True, reasons)


def annotated_alone(codes: np.ndarray, weight: np.ndarray, why: int = IGNORED) -> Part:
    """Annotated images take part, and no others; `why` is the reason of those."""
    rows = np.flatnonzero(codes >= 0)
    reasons = np.where(codes >= 0, ANNOTATED, why)
    reasons[weight == 0] = WEIGHTLESS
    return Part(rows, weight[rows], in_statistics(codes[rows]), False, reasons)


def in_statistics(codes: np.ndarray) -> np.ndarray:
    """Return what each image counts in the mean and the scatter of the features, shape (n,).

    It is 1, and less for images of a class with very many annotated ones: their mean would be that
    of all, and once it is taken off nothing but chance is left of them.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class of each annotated image, -1 elsewhere.

    Examples
    --------
    >>> in_statistics(np.array([0, 1, 2, 2, 2, 2, 2, 2, 2, 2, -1]))[[0, 2, 10]]
    array([1. , 0.5, 1. ])
    """
    sizes = np.bincount(codes[codes >= 0])
    most = LARGEST * np.median(sizes[sizes > 0])
    # The last entry is that of -1.
    return np.append(np.minimum(1.0, most / np.maximum(sizes, 1)), 1.0)[codes]


def near_images(X: np.ndarray, mapped: np.ndarray, codes: np.ndarray, weight: np.ndarray) -> Part:
    """Annotated images take part, and those that are very near to one of them, with little weight.

    Parameters
    ----------
    X, mapped : ndarray of shape (n, d)
        Features as given, and as mapped.
    codes : ndarray of shape (n,)
        Class of each annotated image, -1 elsewhere.
    weight : ndarray of shape (n,)
    """
    alone = annotated_alone(codes, weight, why=FAR)
    known, others = alone.rows, np.flatnonzero((codes < 0) & (weight > 0))
    of_others, of_known = _numbered(X, others, known)
    copied = np.isin(of_others, of_known)
    copies, others = others[copied], others[~copied]
    sample = known[:: -(-len(known) // PAIRED)]
    between = nearest_distance(mapped[sample], mapped[known], codes[sample], codes[known])
    distance = nearest_distance(mapped[others], mapped[known])
    most = min(int(NEAREST * len(others)), AT_MOST * len(known))
    order = np.argsort(distance, kind="stable")[:most]
    close = others[order[distance[order] <= np.median(between)]]
    (numbers,) = _numbered(X, close)
    chosen = close[np.sort(np.unique(numbers, return_index=True)[1])]
    rows = np.sort(np.concatenate([known, chosen]))
    unannotated = codes[rows] < 0
    reasons = alone.reasons.copy()
    reasons[copies] = reasons[close] = COPY
    reasons[chosen] = NEAR
    return Part(
        rows,
        np.where(unannotated, SAY, 1.0) * weight[rows],
        np.where(unannotated, IN_STATISTICS, in_statistics(codes[rows])),
        False,
        reasons,
    )


def nearest_distance(
    X: np.ndarray,
    A: np.ndarray,
    own: np.ndarray | None = None,
    codes: np.ndarray | None = None,
) -> np.ndarray:
    """Return the squared distance of each row of X to the nearest row of A of another class.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    A : ndarray of shape (m, d)
    own, codes : ndarray of shape (n,) and (m,), optional
        Classes of the rows; without them every row of A counts.

    Examples
    --------
    >>> nearest_distance(np.array([[0.0], [3.0]]), np.array([[0.0], [1.0]]))
    array([0., 4.])
    """
    length = np.einsum("ij,ij->i", A, A)

    def work(block: slice) -> np.ndarray:
        squared = length[None, :] - 2 * X[block] @ A.T
        if own is not None and codes is not None:
            squared[own[block, None] == codes[None, :]] = np.inf
        return squared.min(axis=1) + np.einsum("ij,ij->i", X[block], X[block])

    if not len(X):
        return np.empty(0)
    return np.maximum(np.concatenate(list(map_blocks(work, len(X), 1024))), 0.0)


def _numbered(X: np.ndarray, *parts: np.ndarray) -> list[np.ndarray]:
    """Return for the rows in each part a number that equal rows, and no others, share."""
    _, numbers = np.unique(X[np.concatenate(parts)], axis=0, return_inverse=True)
    return np.split(numbers.ravel(), np.cumsum([len(part) for part in parts])[:-1])
