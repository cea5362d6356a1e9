"""Whether unannotated images help, by the evidence of the annotated ones alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sapwood.features import FeatureMap
from sapwood.models.calibration import Scorer
from sapwood.models.folds import of_classes, rows_of_classes
from sapwood.projection import Evidence, fit_temperature, log_losses

#: Parts into which seen classes are divided to play unseen ones.
PARTS = 3
#: Divisions of the classes, fewer if the answer is plain.
DIVISIONS = 3
#: Standard errors by which unannotated images must help in order to be taken in, and at which the
#: answer is plain.
CLEAR, PLAIN = 2.0, 4.0
#: Unannotated images that take part in the comparison.
MOST = 2000


def usefulness(
    X: np.ndarray,
    features: FeatureMap,
    evidence: Evidence,
    codes: np.ndarray,
    scorer: Scorer,
    seed: int,
) -> float | None:
    """Compare learning with unannotated images and without them on seen classes held out.

    A third of the seen classes at a time play unseen ones. The rest learns from all images that
    were found to belong to it, and from its annotated images alone, each time with statistics of
    features that the images asked had no part in; both name the annotated images held out. Other
    divisions of the classes follow unless the answer is plain.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features as given.
    features : FeatureMap
        Fitted anew, as a copy, to each set of images.
    evidence : Evidence
        Of all n images with all unannotated ones taken in, Z being attributes as given.
    codes : ndarray of shape (n,)
        Row of Z for the annotated images that count, -1 elsewhere.
    scorer : callable
    seed : int

    Returns
    -------
    float or None
        Mean difference of the log-losses in standard errors over classes, positive where
        unannotated images help; None with too few classes to tell.
    """
    p, rng = len(evidence.Z), np.random.default_rng(seed)
    if p < 2 * PARTS:
        return None
    some = np.ones(len(X), dtype=bool)
    some[rng.permutation(np.flatnonzero(codes < 0))[MOST:]] = False
    gains = []
    for _ in range(DIVISIONS):
        gains.append(_gains(X, features, evidence, codes, some, scorer, rng.permutation(p)))
        found = _in_standard_errors(np.mean(gains, axis=0))
        if abs(found) >= PLAIN:
            break
    return found


def _gains(
    X: np.ndarray,
    features: FeatureMap,
    evidence: Evidence,
    codes: np.ndarray,
    some: np.ndarray,
    scorer: Scorer,
    order: np.ndarray,
) -> np.ndarray:
    """Log-loss without unannotated images less that with them, the mean of each class."""
    gains, voting = np.zeros(len(X)), codes >= 0
    for turn in range(PARTS):
        held = np.sort(order[turn::PARTS])
        with_some = _losses(X, features, evidence, codes, held, some, scorer)
        alone = _losses(X, features, evidence, codes, held, codes >= 0, scorer)
        gains[np.isin(codes, held)] = alone - with_some
    # Images of one class share its prototype and err together: classes are the draws.
    sums = np.bincount(codes[voting], weights=gains[voting], minlength=len(evidence.Z))
    counts = np.bincount(codes[voting], minlength=len(evidence.Z))
    return sums[counts > 0] / counts[counts > 0]


def _losses(
    X: np.ndarray,
    features: FeatureMap,
    evidence: Evidence,
    codes: np.ndarray,
    held: np.ndarray,
    among: np.ndarray,
    scorer: Scorer,
) -> np.ndarray:
    """Log-losses of the annotated images of held classes, learned from images `among` the rest."""
    kept = np.setdiff1d(np.arange(len(evidence.Z)), held)
    test = np.flatnonzero(np.isin(codes, held))
    own = FeatureMap(**features.get_params())
    mapped = own.fit_transform(X[rows_of_classes(evidence, kept, among)])
    taught = replace(of_classes(evidence, kept, among), X=mapped)
    scores = scorer(taught, own.transform(X[test]), evidence.Z[held])
    truth = np.searchsorted(held, codes[test])
    return log_losses(scores, truth, fit_temperature(scores, truth))


def _in_standard_errors(gains: np.ndarray) -> float:
    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
    return float(gains.mean() / error) if error > 0 else 0.0
