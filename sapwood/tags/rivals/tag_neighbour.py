"""TagNeighbour (Johnson et al., 2015): an image is seen beside others with similar tags."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from sapwood.errors import InputError
from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.heads import drop, log_odds, logistic_loss, new_layer
from sapwood.tags.rivals.neighbours import jaccard_neighbours
from sapwood.tags.rivals.training import Net, Pictures

#: Draws of neighbours over which the scores of a new image are averaged.
DRAWS = 8


class TagNeighbourAnnotator(TagRival):
    """The features of neighbours by tags, pooled, stand beside the image's own.

    Neighbours are the training images with the highest Jaccard similarity of tags. Each goes
    through one layer, the same for all of them; the largest of their values in each unit is put
    beside the image's own hidden layer, and a logistic head takes both. While it is taught, an
    image's neighbours are drawn from the nearest ones; scores are means over eight such draws.

    Parameters
    ----------
    nearest : int
        Training images with the most similar tags.
    neighbours : int
        Drawn from these.
    rate, units, dropout, epochs, inputs, tag_weight, features, threshold, random_state
        As in :class:`sapwood.tags.rivals.TagRival`.

    Examples
    --------
    >>> TagNeighbourAnnotator(nearest=12).get_params()["neighbours"]
    6
    """

    grid: ClassVar[list[dict[str, Any]]] = [
        {"rate": rate, "nearest": m, "neighbours": m // 2}
        for rate in (3e-4, 1e-3)
        for m in (6, 12, 24)
    ]

    def __init__(
        self,
        *,
        nearest: int = 12,
        neighbours: int = 6,
        rate: float = 3e-4,
        units: int = 256,
        dropout: float = 0.5,
        epochs: int = 60,
        inputs: str = "features",
        tag_weight: float = 0.5,
        features: str = "rooted",
        threshold: float | None = None,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            rate=rate,
            units=units,
            dropout=dropout,
            epochs=epochs,
            inputs=inputs,
            tag_weight=tag_weight,
            features=features,
            threshold=threshold,
            random_state=random_state,
        )
        self.nearest = nearest
        self.neighbours = neighbours

    def prepare(self, given: Pictures, fitting: bool) -> Pictures:
        """Look for neighbours among the training images; an image is not its own neighbour."""
        tags = scipy.sparse.csr_array(given.T > 0)
        if fitting and len(given.D) < 2:
            raise InputError("X has 1 row; neighbours are other images: give 2 or more")
        if fitting:
            self.pool_, self.pool_tags_ = given.D, tags
        near = jaccard_neighbours(tags, self.pool_tags_, self.nearest, leave_out_own=fitting)
        return replace(given, near=near, pool=self.pool_)

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Begin with the shares of the concepts."""
        d, c = given.D.shape[1], given.Y.shape[1]
        return {
            "own": new_layer(d, self.units, rng),
            "own_bias": np.zeros(self.units),
            "other": new_layer(d, self.units, rng),
            "other_bias": np.zeros(self.units),
            # The head over both layers side by side, its weights in two parts.
            "out_own": np.zeros((self.units, c)),
            "out_other": np.zeros((self.units, c)),
            "out_bias": log_odds(given.Y),
        }

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Sum the logistic losses of all concepts, with neighbours drawn anew."""
        rows, near = self._drawn(given, rng).unique(return_inverse=True)
        others = self._hidden(net, "other", given.pool[rows], rng)
        own = self._hidden(net, "own", given.D, rng)
        return logistic_loss(self._joined(net, own, others[near], rng), given.Y)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return the mean log-odds over draws of neighbours."""
        rng = np.random.default_rng(self.random_state)
        rows, near = given.near.unique(return_inverse=True)
        others = self._hidden(net, "other", given.pool[rows], None)
        own, known = self._hidden(net, "own", given.D, None), replace(given, near=near)
        draws = (others[self._drawn(known, rng)] for _ in range(DRAWS))
        return sum(self._joined(net, own, drawn, None) for drawn in draws) / DRAWS

    def _drawn(self, given: Pictures, rng: np.random.Generator) -> Any:
        """Return the neighbours of one draw, shape (n, neighbours)."""
        order = rng.random(tuple(given.near.shape)).argsort(axis=1)[:, : self.neighbours]
        return given.near.gather(1, given.near.new_tensor(order))

    def _hidden(self, net: Net, layer: str, D: Any, rng: np.random.Generator | None) -> Any:
        return (drop(D, self.dropout, rng) @ net[layer] + net[f"{layer}_bias"]).relu()

    def _joined(self, net: Net, own: Any, others: Any, rng: np.random.Generator | None) -> Any:
        own, pooled = (drop(h, self.dropout, rng) for h in (own, others.amax(dim=1)))
        return own @ net["out_own"] + pooled @ net["out_other"] + net["out_bias"]

    def _needs_tags(self) -> bool:
        return True
