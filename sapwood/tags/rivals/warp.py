"""CNN + WARP: concepts of an image are to rank above the others, at the top first."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.heads import head, new_head
from sapwood.tags.rivals.training import Net, Pictures


class WARPAnnotator(TagRival):
    """A head taught by the weighted approximate-rank pairwise loss.

    For every concept of an image others are drawn until one violates the margin of 1. The fewer
    draws that takes, the lower the concept must rank, and the more the violation weighs. Which
    score is enough is chosen on the validation images, or on the training images where there are
    none.

    Parameters and attributes are those of :class:`sapwood.tags.rivals.TagRival`; ``units=0`` is a
    linear head.

    Examples
    --------
    >>> WARPAnnotator().get_params()["inputs"]
    'features'
    """

    decides: ClassVar[bool] = False
    grid: ClassVar[list[dict[str, Any]]] = [
        {"units": units, "rate": rate} for units in (0, 512) for rate in (1e-4, 3e-4, 1e-3)
    ]

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Begin with all concepts equal."""
        return new_head(given.D.shape[1], self.units, given.Y.shape[1], rng)

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Draw violators and return their weighted margins."""
        found = head(net, given.D, self.dropout, rng)
        images, own, other, weights = draw_violators(
            found.detach().cpu().numpy(), given.Y.cpu().numpy() > 0, rng
        )
        margins = 1 - found[images, own] + found[images, other]
        return (margins * found.new_tensor(weights)).sum() / len(found)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return what ranks concepts."""
        return head(net, given.D, 0.0, None)


def draw_violators(
    scores: np.ndarray, truth: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw, for each concept of each image, others until one comes within 1 of its score.

    Parameters
    ----------
    scores : ndarray of shape (n, c)
    truth : ndarray of bool of shape (n, c)
    rng : numpy.random.Generator

    Returns
    -------
    images, own, other : ndarray of int of shape (pairs,)
        Rows, and columns of a concept that is there and of the first violator; those for which
        as many draws as there are others find none are left out.
    weights : ndarray of shape (pairs,)
        ``1 + 1/2 + … + 1/r`` where r, about the rank, is the number of others divided by that of
        draws.

    Examples
    --------
    >>> truth = np.array([[True, False, False]])
    >>> pairs = draw_violators(np.zeros((1, 3)), truth, np.random.default_rng(0))
    >>> pairs[1].tolist(), pairs[3].tolist()
    ([0], [1.5])
    """
    images, own = np.nonzero(truth)
    others = (~truth).sum(axis=1)
    images, own = images[others[images] > 0], own[others[images] > 0]
    # Columns of the concepts an image does not have come first.
    absent = np.argsort(truth, axis=1, kind="stable")
    draws = rng.integers(0, others[images][:, None], (len(images), max(truth.shape[1] - 1, 1)))
    drawn = absent[images[:, None], draws]
    violates = scores[images[:, None], drawn] > scores[images, own][:, None] - 1
    violates &= np.arange(draws.shape[1]) < others[images][:, None]
    first = violates.argmax(axis=1)
    found = violates.any(axis=1)
    sums = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, truth.shape[1] + 1))])
    weights = sums[others[images] // (first + 1)]
    other = drawn[np.arange(len(drawn)), first]
    return images[found], own[found], other[found], weights[found]
