"""Whether unannotated images look as if the annotated ones had been drawn from among them."""

from __future__ import annotations

import numpy as np
from scipy.stats import ks_2samp

from sapwood.models.folds import ranks
from sapwood.models.parts import nearest_distance

#: Parts into which the annotated images of each class are divided.
PARTS = 5
#: The share of classes that may have too few images to be divided so.
SMALL = 0.25
#: Images of either kind that are asked.
MOST = 2000


def strangeness(X: np.ndarray, codes: np.ndarray, counts: np.ndarray, seed: int) -> float | None:
    """Compare the distances of unannotated and of annotated images to the nearest annotated one.

    Each class's annotated images are divided into parts, and each part is asked for its distance
    to the others; so is an equal share of the unannotated images. If the annotated images were
    drawn at random from all, neither kind can be told from the other.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Mapped features.
    codes : ndarray of shape (n,)
        Class of each annotated image that counts, -1 elsewhere.
    counts : ndarray of shape (n,)
        Mask of the images that have a weight.
    seed : int

    Returns
    -------
    float or None
        The largest difference of the two distributions (Kolmogorov and Smirnov's), from 0 to 1;
        few images differ by chance. None where many classes have one annotated image, or no image
        is unannotated.
    """
    rng = np.random.default_rng(seed)
    known = rng.permutation(np.flatnonzero(codes >= 0))
    others = rng.permutation(np.flatnonzero((codes < 0) & counts))[:MOST]
    rank, size = ranks(codes[known])
    parts = min(PARTS, int(np.quantile(size[rank == 0], SMALL)))
    if parts < 2 or not len(others):
        return None
    part, turn = rank % parts, np.arange(len(others)) % parts
    # Of a smaller class a larger share would be away than where an unannotated image is asked.
    asked = size >= parts
    asked[MOST:] = False
    near, far = [], []
    for i in range(parts):
        rest = X[known[part != i]]
        near.append(nearest_distance(X[known[asked & (part == i)]], rest))
        far.append(nearest_distance(X[others[turn == i]], rest))
    found = ks_2samp(np.concatenate(far), np.concatenate(near), method="asymp")
    return float(found.statistic)
