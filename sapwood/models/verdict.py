"""Whether unannotated images take part: how like the annotated ones they are, and what they do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sapwood.models.likeness import likeness
from sapwood.models.relearning import Relearner
from sapwood.models.usefulness import usefulness

#: Standard errors by which unannotated images must help in order to be taken in: images like the
#: annotated ones need not prove themselves, only not do harm.
LIKE, UNLIKE = 0.0, 2.0


class Verdict(NamedTuple):
    """Whether all images take part, and the figures that say so; None where nobody could ask."""

    all: bool
    usefulness: float | None
    likeness: float | None


def judge(relearner: Relearner, codes: np.ndarray, informed: bool, seed: int) -> Verdict:
    """Ask annotated images whether unannotated ones are to take part.

    Parameters
    ----------
    relearner : Relearner
        With the evidence of all n images, all unannotated ones taken in, and with statistics.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    informed : bool
        Whether features tell enough of classes for images that look alike to be alike.
    seed : int
    """
    like = likeness(relearner.evidence.X, codes, seed)
    burden = LIKE if informed and like is not None and like.alike else UNLIKE
    useful = usefulness(relearner, codes, seed, burden)
    chance = None if like is None else like.chance
    return Verdict(useful is None or useful >= burden, useful, chance)
