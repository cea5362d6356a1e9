"""CNN + softmax: concepts compete for an image."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.heads import head, new_head
from sapwood.tags.rivals.training import Net, Pictures


class SoftmaxAnnotator(TagRival):
    """A head whose softmax is to be spread evenly over an image's concepts.

    Images without any concept teach nothing. Which probability is enough is chosen on the
    validation images, or on the training images where there are none.

    Parameters and attributes are those of :class:`sapwood.tags.rivals.TagRival`; ``units=0`` is a
    linear head.

    Examples
    --------
    >>> SoftmaxAnnotator(rate=1e-3).get_params()["rate"]
    0.001
    """

    decides: ClassVar[bool] = False
    grid: ClassVar[list[dict[str, Any]]] = [
        {"units": units, "rate": rate} for units in (0, 512) for rate in (1e-4, 3e-4, 1e-3)
    ]

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Begin with all concepts equally likely."""
        return new_head(given.D.shape[1], self.units, given.Y.shape[1], rng)

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Return the cross entropy of even targets."""
        return even_cross_entropy(head(net, given.D, self.dropout, rng), given.Y)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return logarithms of probabilities."""
        return head(net, given.D, 0.0, None).log_softmax(dim=1)


def even_cross_entropy(scores: Any, Y: Any) -> Any:
    """Return the mean cross entropy to targets that share 1 among an image's concepts.

    Parameters
    ----------
    scores, Y : torch.Tensor of shape (n, c)
        Rows of Y without any 1 count as no loss.
    """
    target = Y / Y.sum(dim=1, keepdim=True).clip(min=1)
    return -(target * scores.log_softmax(dim=1)).sum(dim=1).mean()
