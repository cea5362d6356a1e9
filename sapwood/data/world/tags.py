"""What people would write under the pictures: some of what is there, in their words, and more."""

from __future__ import annotations

import numpy as np

from sapwood.data.world.draws import Draws
from sapwood.data.world.traits import CHATTER, SYNONYMS

#: Share of true attributes somebody tags, and of those that get a synonym.
TAGGED, SYNONYM = 0.55, 0.35
#: Wrong and empty words a picture, on average.
WRONG, EMPTY = 0.8, 0.7


def make_tags(
    concepts: np.ndarray, names: tuple[str, ...], draws: Draws
) -> tuple[np.ndarray, list[str]]:
    """Write noisy tags for pictures whose true attributes are known.

    Parameters
    ----------
    concepts : ndarray of bool, shape (n, k)
        What each picture shows.
    names : tuple of str
        The k attributes.
    draws : Draws

    Returns
    -------
    tags : ndarray of uint8, shape (n, t)
        1 where somebody wrote the word.
    tag_names : list of str
        The attributes first, then their synonyms, then words without meaning.

    Examples
    --------
    >>> tags, words = make_tags(np.eye(2, dtype=bool), ("wings", "sea"), Draws(0))
    >>> words[:4], tags.shape
    (['wings', 'sea', 'winged', 'flying'], (2, 16))
    """
    n, k = concepts.shape
    other = [(j, word) for j, name in enumerate(names) for word in SYNONYMS.get(name, ())]
    words = [*names, *(word for _, word in other), *CHATTER]
    tags = np.zeros((n, len(words)), dtype=np.uint8)
    wrong = ~concepts & _chances(draws, n, k, WRONG / k)
    written = (concepts & _chances(draws, n, k, TAGGED)) | wrong
    replaced = written & _chances(draws, n, k, SYNONYM)
    tags[:, :k] = written
    for column, (j, _) in enumerate(other, start=k):
        rivals = sum(i == j for i, _ in other)
        chosen = replaced[:, j] & _chances(draws, n, 1, 1 / rivals)[:, 0]
        tags[:, column] = chosen
        tags[chosen, j] = 0
    tags[:, -len(CHATTER) :] = _chances(draws, n, len(CHATTER), EMPTY / len(CHATTER))
    return tags, words


def _chances(draws: Draws, n: int, k: int, p: float) -> np.ndarray:
    return draws.uniform(n * k).reshape(n, k) < p
