"""CNN + logistic: every concept is told by itself."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.heads import head, log_odds, logistic_loss, new_head
from sapwood.tags.rivals.training import Net, Pictures


class LogisticAnnotator(TagRival):
    """A head that gives every concept a probability of its own: a sum of logistic losses.

    Parameters and attributes are those of :class:`sapwood.tags.rivals.TagRival`; ``units=0`` is a
    linear head.

    Examples
    --------
    >>> LogisticAnnotator(units=0).get_params()["units"]
    0
    """

    grid: ClassVar[list[dict[str, Any]]] = [
        {"units": units, "rate": rate} for units in (0, 512) for rate in (1e-4, 3e-4, 1e-3)
    ]

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Begin with the shares of the concepts."""
        net = new_head(given.D.shape[1], self.units, given.Y.shape[1], rng)
        return net | {"out_bias": log_odds(given.Y)}

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Sum the logistic losses of all concepts."""
        return logistic_loss(head(net, given.D, self.dropout, rng), given.Y)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return log-odds: above 0 a concept is more likely there than not."""
        return head(net, given.D, 0.0, None)
