"""Bias against seen classes, and temperatures, found without any image of an unseen class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from sapwood.models.folds import BELONGS, ranks, rows_of_classes
from sapwood.models.relearning import Relearner
from sapwood.projection import common_temperature, doubted

#: Parts into which seen classes are divided to play unseen ones, and images to be asked.
PARTS = 3
#: Seen classes from which on some of them can play unseen ones.
LEAST = 2 * PARTS
#: Divisions follow each other until so many images have played unseen ones, and no more than so
#: many: a bias found on few images is a matter of luck.
ENOUGH, DIVISIONS = 1000, 4
#: Images from which anything can be learned.
FEWEST = 2
#: Biases that are tried.
CUTS = 129
#: The same for temperatures, which depend on how many classes and images were learned from.
TEMPERATURE_PARTS = 5
#: Annotated images that are asked for the temperature among seen classes.
MOST = 2000


@dataclass(frozen=True)
class Margins:
    """How far the best seen class leads the best unseen one, image by image.

    Attributes
    ----------
    margin : ndarray of shape (m,)
    right : ndarray of shape (m,)
        Whether the best class of the image's own kind is the right one.
    weight : ndarray of shape (m,)
    """

    margin: np.ndarray
    right: np.ndarray
    weight: np.ndarray


def seen_bias(relearner: Relearner, seed: int, witnesses: np.ndarray | None = None) -> float:
    """Find what to take from the scores of seen classes where unseen ones are candidates, too.

    Seen classes play unseen ones in turn. The images believed to belong to them, and a third of
    the others, teach nothing and are asked; the bias is the one at which the harmonic mean of the
    two accuracies, weighed by how far memberships are trusted, is largest. Other divisions of
    classes and images follow where few were asked.

    Parameters
    ----------
    relearner : Relearner
    seed : int
        Divides classes and images.
    witnesses : ndarray of shape (n,), optional
        Mask of the images that may be asked; by default all that are trusted.
    """
    evidence = relearner.evidence
    p, rng = len(evidence.Z), np.random.default_rng(seed)
    if p < LEAST:
        return 0.0
    may = evidence.weights > 0 if witnesses is None else witnesses & (evidence.weights > 0)
    seen, unseen = [], []
    for _ in range(DIVISIONS):
        order, part = rng.permutation(p), rng.integers(0, PARTS, len(evidence.X))
        for turn in range(PARTS):
            held = np.sort(order[turn::PARTS])
            kept = np.setdiff1d(np.arange(p), held)
            if len(rows_of_classes(evidence, kept, part != turn)) < FEWEST:
                continue
            own, other = _asked(relearner, kept, held, part == turn, may)
            seen.append(own)
            unseen.append(other)
        if sum(len(other.margin) for other in unseen) >= ENOUGH:
            break
    return best_bias(_together(seen), _together(unseen)) if seen else 0.0


def unseen_temperature(relearner: Relearner, codes: np.ndarray, seed: int) -> float | None:
    """Find the temperature of probabilities among unseen classes, without an image of theirs.

    A fifth of the seen classes at a time play unseen ones, and their annotated images are named
    among them by what was learned from the other classes.

    Parameters
    ----------
    relearner : Relearner
    codes : ndarray of shape (n,)
        Row of Z for annotated images, -1 elsewhere.
    seed : int

    Returns
    -------
    float or None
        None with fewer than six classes: two or three say little of how others are named.
    """
    p = len(relearner.evidence.Z)
    if p < LEAST:
        return None
    parts = min(TEMPERATURE_PARTS, p // 2)
    order = np.random.default_rng(seed).permutation(p)
    asked = []
    for held in (np.sort(order[turn::parts]) for turn in range(parts)):
        kept, test = np.setdiff1d(np.arange(p), held), np.flatnonzero(np.isin(codes, held))
        if not len(rows_of_classes(relearner.evidence, kept)):
            continue
        scores = relearner.scores(kept, test, held)
        truth = doubted(np.searchsorted(held, codes[test]), len(held), int((codes >= 0).sum()))
        asked.append((scores, truth, np.ones(len(test))))
    return common_temperature(asked) if asked else None


def seen_temperature(relearner: Relearner, codes: np.ndarray, seed: int) -> float | None:
    """Find the temperature of probabilities among seen classes, on images withheld.

    A fifth of the annotated images of each class at a time, or one of fewer, teaches the
    projection nothing and is named among all seen classes. What was propagated from it stays.
    Parameters are those of :func:`unseen_temperature`.

    Returns
    -------
    float or None
        None where no class has two annotated images: without its only one, it would be unseen.
    """
    rng, every = np.random.default_rng(seed), np.arange(len(relearner.evidence.Z))
    known = rng.permutation(np.flatnonzero(codes >= 0))
    rank, size = ranks(codes[known])
    may = size > 1
    may[np.flatnonzero(may)[MOST:]] = False
    parts = min(TEMPERATURE_PARTS, 1 + int(rank[may].max(initial=0)))
    asked = []
    for turn in range(parts if parts > 1 else 0):
        test = known[may & (rank % parts == turn)]
        others = np.ones(len(codes), dtype=bool)
        others[test] = False
        scores = relearner.scores(every, test, every, others)
        truth = doubted(codes[test], len(every), int(may.sum()))
        asked.append((scores, truth, relearner.evidence.weights[test]))
    return common_temperature(asked) if asked else None


def best_bias(seen: Margins, unseen: Margins) -> float:
    """Return the bias with the largest harmonic mean; seen images win above it, unseen below.

    Margins are blurred by Scott's width, so that the answer is not that of a few images.

    Examples
    --------
    >>> one = np.ones(2)
    >>> best_bias(Margins(np.array([3.0, 4.0]), one, one), Margins(np.array([1.0, 2.0]), one, one))
    2.5
    """
    both = np.concatenate([seen.margin, unseen.margin])
    if not len(seen.margin) or not len(unseen.margin) or not np.ptp(both):
        return 0.0
    cuts, width = np.quantile(both, np.linspace(0, 1, CUTS)), both.std() * len(both) ** -0.2
    acc_u = _right_below(unseen, cuts, width)
    acc_s = np.average(seen.right, weights=seen.weight) - _right_below(seen, cuts, width)
    total = acc_s + acc_u
    harmonic = np.divide(2 * acc_s * acc_u, total, out=np.zeros(CUTS), where=total > 0)
    return float(cuts[harmonic.argmax()])


def _right_below(margins: Margins, cuts: np.ndarray, width: float) -> np.ndarray:
    """Share of the whole weight that is right and below each cut."""
    right = margins.weight * margins.right / margins.weight.sum()
    return np.array([right @ ndtr((cut - margins.margin) / width) for cut in cuts])


def _asked(
    relearner: Relearner, kept: np.ndarray, held: np.ndarray, third: np.ndarray, may: np.ndarray
) -> tuple[Margins, Margins]:
    evidence = relearner.evidence
    belongs = evidence.F[:, kept].sum(axis=1) >= BELONGS
    seen, unseen = belongs & may & third, may & ~belongs & (evidence.F.sum(axis=1) > 0)
    classes, truth = np.concatenate([kept, held]), evidence.F.argmax(axis=1)
    asked = np.flatnonzero(seen | unseen)
    scores = relearner.scores(kept, asked, classes, ~third)
    own = scores[:, : len(kept)], scores[:, len(kept) :]
    margin = own[0].max(axis=1) - own[1].max(axis=1)
    found = []
    for mask, part, names in ((seen, own[0], kept), (unseen, own[1], held)):
        here = mask[asked]
        right = names[part[here].argmax(axis=1)] == truth[asked][here]
        found.append(Margins(margin[here], right, evidence.weights[asked][here]))
    return found[0], found[1]


def _together(parts: list[Margins]) -> Margins:
    return Margins(
        np.concatenate([part.margin for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )
