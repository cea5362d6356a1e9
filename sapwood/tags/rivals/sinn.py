"""SINN (Hu et al., 2016): layers of tags and concepts that exchange messages."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.heads import drop, log_odds, logistic_loss, new_layer
from sapwood.tags.rivals.training import Net, Pictures

#: How much the loss of the tags counts beside that of the concepts.
TAG_LOSS = 0.5


class SINNAnnotator(TagRival):
    """Features activate a layer of tags and one of concepts, and each tells the other.

    A message goes from the tags, raised where they were written, to the concepts, and one from
    the concepts to the tags. Each layer has a matrix between its own labels. All of it is linear,
    as published; with two layers the matrices by which the published network adds up its two
    directions multiply out with these. Concepts are taught by what images show, tags by what was
    written, which they are not told themselves.

    Parameters and attributes are those of :class:`sapwood.tags.rivals.TagRival`. ``units`` is not
    used, since the layers have a unit for each label; ``tag_weight`` says how far tags that were
    written are raised at first.

    Examples
    --------
    >>> SINNAnnotator(dropout=0.3).get_params()["dropout"]
    0.3
    """

    grid: ClassVar[list[dict[str, Any]]] = [
        {"rate": 1e-4, "tag_weight": weight, "dropout": dropout}
        for weight in (1.0, 2.0)
        for dropout in (0.0, 0.25, 0.5)
    ]

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Begin with the shares of labels, and with small messages."""
        d, t, c = given.D.shape[1], given.T.shape[1], given.Y.shape[1]
        written = self.tag_weight * np.sqrt(d * len(given.T) / max((given.T**2).sum(), 1.0))
        return {
            "seen_tags": 0.1 * new_layer(d, t, rng),
            "seen_concepts": 0.1 * new_layer(d, c, rng),
            "written": np.full(t, written),
            "tags_to_tags": np.eye(t),
            "tags_to_concepts": 0.1 * new_layer(t, c, rng),
            "concepts_to_concepts": np.eye(c),
            "concepts_to_tags": 0.1 * new_layer(c, t, rng),
            "tags_bias": log_odds(given.T > 0),
            "concepts_bias": log_odds(given.Y),
        }

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Add the logistic losses of both layers."""
        concepts, tags = self.layers(net, given, rng)
        told = (given.T > 0).to(given.T.dtype)
        return logistic_loss(concepts, given.Y) + TAG_LOSS * logistic_loss(tags, told)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return log-odds of the concepts."""
        return self.layers(net, given, None)[0]

    def layers(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> tuple[Any, Any]:
        """Return the log-odds of concepts and of tags after one message each way."""
        D = drop(given.D, self.dropout, rng)
        tags, concepts = D @ net["seen_tags"], D @ net["seen_concepts"]
        known = tags + given.T * net["written"]
        to_concepts = drop(known, self.dropout, rng) @ net["tags_to_concepts"]
        return (
            concepts @ net["concepts_to_concepts"] + to_concepts + net["concepts_bias"],
            tags @ net["tags_to_tags"] + concepts @ net["concepts_to_tags"] + net["tags_bias"],
        )

    def _needs_tags(self) -> bool:
        return True
