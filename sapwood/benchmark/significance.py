"""Whether a method is ahead, or was only lucky with the draws: paired tests over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

#: Scores of one method by seed.
Scores = Mapping[int, float]
#: Probability of calling a winner where there is none.
LEVEL = 0.05


def paired_p(a: Scores, b: Scores) -> float:
    """Return the two-sided p value of a paired t-test over the seeds that both have.

    Parameters
    ----------
    a, b : mapping of int to float

    Returns
    -------
    float
        1.0 where nothing can be said: with fewer than two common seeds, and where the difference
        is the same on all of them.

    Examples
    --------
    >>> round(paired_p({0: 0.6, 1: 0.7, 2: 0.8}, {0: 0.5, 1: 0.5, 2: 0.5}), 3)
    0.074
    >>> paired_p({0: 0.6}, {0: 0.5})
    1.0
    """
    from scipy.stats import ttest_rel

    seeds = sorted(set(a) & set(b))
    if len(seeds) < 2:
        return 1.0
    first, second = (np.array([scores[seed] for seed in seeds], float) for scores in (a, b))
    difference = first - second
    # Draws that are all the same fit, or shares of few images, have no spread to divide by.
    if np.ptp(difference) <= 1e-12 * np.abs(first).max():
        return 1.0
    return float(ttest_rel(first, second).pvalue)


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Return p values corrected for their number by Holm's step-down procedure.

    Parameters
    ----------
    p_values : sequence of float, shape (m,)

    Returns
    -------
    ndarray of float, shape (m,)
        Those at most α hold together with an error of at most α.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3)
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def is_ahead(
    name: str, others: Iterable[str], scores: Mapping[str, Scores], level: float = LEVEL
) -> bool:
    """Say whether a method is significantly ahead of every one of `others`, and there are some.

    Parameters
    ----------
    name : str
    others : iterable of str
    scores : mapping of str to mapping of int to float
        Scores by method and seed; more is better.
    level : float

    Examples
    --------
    >>> scores = {"a": {0: 0.80, 1: 0.81, 2: 0.83}, "b": {0: 0.60, 1: 0.62, 2: 0.63}}
    >>> is_ahead("a", ["b"], scores), is_ahead("b", ["a"], scores)
    (True, False)
    """
    rivals = [other for other in others if other != name]
    if not rivals or not all(_mean_lead(scores[name], scores[other]) > 0 for other in rivals):
        return False
    return bool((holm([paired_p(scores[name], scores[r]) for r in rivals]) <= level).all())


def clear_winner(scores: Mapping[str, Scores], level: float = LEVEL) -> str | None:
    """Return the method that is significantly ahead of all others, or None.

    Parameters
    ----------
    scores : mapping of str to mapping of int to float
    level : float

    Examples
    --------
    >>> scores = {"a": {0: 0.80, 1: 0.81, 2: 0.83}, "b": {0: 0.60, 1: 0.62, 2: 0.63}}
    >>> clear_winner(scores), clear_winner({**scores, "c": {0: 0.84, 1: 0.80, 2: 0.80}})
    ('a', None)
    """
    best = max(scores, key=lambda name: np.mean(list(scores[name].values())), default=None)
    return best if best is not None and is_ahead(best, scores, scores, level) else None


def _mean_lead(a: Scores, b: Scores) -> float:
    return float(np.mean([a[seed] - b[seed] for seed in set(a) & set(b)] or [0.0]))
