"""Whether unannotated images help, by the evidence of the annotated ones alone."""

from __future__ import annotations

import numpy as np

from sapwood.models.relearning import Relearner
from sapwood.progress import report
from sapwood.projection import fit_temperature, log_losses

#: Parts into which seen classes are divided to play unseen ones.
PARTS = 3
#: Annotated classes with which it can be asked.
FEWEST = 2 * PARTS
#: Turns of a class at playing an unseen one, and the divisions of the classes that these may take:
#: with few classes, another division is another answer.
TURNS, DIVISIONS = 270, (3, 9)
#: How far from the burden of proof, in standard errors, an answer is plain.
PLAIN = 2.0
#: Unannotated images that take part in the comparison.
MOST = 2000


def usefulness(relearner: Relearner, codes: np.ndarray, seed: int, burden: float) -> float:
    """Compare learning with unannotated images and without them on seen classes held out.

    A third of the seen classes at a time play unseen ones. The rest learns from all images that
    were found to belong to it, and from its annotated images alone, each time with statistics of
    features that the images asked had no part in; both name the annotated images held out. Other
    divisions of the classes follow unless the answer is plain, more of them the fewer classes.

    Parameters
    ----------
    relearner : Relearner
        With the evidence of all n images, all unannotated ones taken in, of `FEWEST` classes or
        more, and with statistics.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    seed : int
    burden : float
        By how much unannotated images must help: an answer far from it is plain.

    Returns
    -------
    float
        Mean difference of the log-losses in standard errors over classes, positive where
        unannotated images help.
    """
    p, rng = len(relearner.evidence.Z), np.random.default_rng(seed)
    some = np.ones(len(codes), dtype=bool)
    some[rng.permutation(np.flatnonzero(codes < 0))[MOST:]] = False
    gains, divisions = [], int(np.clip(TURNS // p, *DIVISIONS))
    for division in range(divisions):
        report("usefulness", division / divisions)
        gains.append(_gains(relearner, codes, some, rng.permutation(p)))
        found = _in_standard_errors(np.mean(gains, axis=0))
        if abs(found - burden) >= PLAIN:
            break
    return found


def _gains(
    relearner: Relearner, codes: np.ndarray, some: np.ndarray, order: np.ndarray
) -> np.ndarray:
    """Log-loss without unannotated images less that with them, the mean of each class."""
    gains, voting = np.zeros(len(codes)), codes >= 0
    for turn in range(PARTS):
        held = np.sort(order[turn::PARTS])
        with_some = _losses(relearner, codes, held, some)
        gains[np.isin(codes, held)] = _losses(relearner, codes, held, voting) - with_some
    # Images of one class share its prototype and err together: classes are the draws.
    sums = np.bincount(codes[voting], weights=gains[voting], minlength=len(order))
    counts = np.bincount(codes[voting], minlength=len(order))
    return sums[counts > 0] / counts[counts > 0]


def _losses(
    relearner: Relearner, codes: np.ndarray, held: np.ndarray, among: np.ndarray
) -> np.ndarray:
    """Log-losses of the annotated images of held classes, learned from images `among` the rest."""
    kept = np.setdiff1d(np.arange(len(relearner.evidence.Z)), held)
    asked = np.flatnonzero(np.isin(codes, held))
    scores = relearner.scores(kept, asked, held, among)
    truth = np.searchsorted(held, codes[asked])
    return log_losses(scores, truth, fit_temperature(scores, truth))


def _in_standard_errors(gains: np.ndarray) -> float:
    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
    return float(gains.mean() / error) if error > 0 else 0.0
