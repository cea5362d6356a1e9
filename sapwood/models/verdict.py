"""Whether unannotated images take part: how strange they are, and whether they help."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sapwood.models.relearning import Relearner
from sapwood.models.strangeness import strangeness
from sapwood.models.usefulness import FEWEST, usefulness

#: The strangeness up to which unannotated images count as like the annotated ones.
ALIKE = 0.1
#: Standard errors by which unannotated images must help in order to be taken in: those that are
#: like the annotated ones need not prove themselves, only not do harm.
LIKE, UNLIKE = 0.0, 2.0
#: Over the root of n, what n images differ by in one case of a hundred by chance (Kolmogorov and
#: Smirnov): the bar where strangeness alone can be asked.
CHANCE = 1.63


class Verdict(NamedTuple):
    """Whether all images take part, and the figures that say so; None where nobody asked."""

    all: bool
    usefulness: float | None = None
    strangeness: float | None = None


def judge(
    relearner: Relearner,
    codes: np.ndarray,
    counts: np.ndarray,
    informed: bool,
    guided: bool,
    seed: int,
) -> Verdict:
    """Ask annotated images whether unannotated ones are to take part.

    Parameters
    ----------
    relearner : Relearner
        With the evidence of all n images, all unannotated ones taken in, and with statistics.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    counts : ndarray of shape (n,)
        Mask of the images that have a weight.
    informed : bool
        Whether features are known to tell enough of classes for images that look alike to be so.
    guided : bool
        Whether classes held out can be named by what is learned from others.
    seed : int

    Returns
    -------
    Verdict
        With too few classes to ask, all take part.
    """
    if len(relearner.evidence.Z) < FEWEST:
        return Verdict(True)
    strange = strangeness(relearner.evidence.X, codes, counts, seed)
    if not guided:
        bar = max(ALIKE, CHANCE / float(np.sqrt(np.count_nonzero(codes >= 0))))
        return Verdict(strange is None or strange <= bar, None, strange)
    alike = informed and strange is not None and strange <= ALIKE
    burden = LIKE if alike else UNLIKE
    useful = usefulness(relearner, codes, seed, burden)
    return Verdict(useful >= burden, useful, strange)
