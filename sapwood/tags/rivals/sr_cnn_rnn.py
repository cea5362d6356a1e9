"""SR-CNN-RNN (Liu et al., 2017): predicted concepts, not features, begin the LSTM."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.heads import drop, head, log_odds, logistic_loss, new_head, new_layer
from sapwood.tags.rivals.recurrent import RecurrentAnnotator, State, new_lstm
from sapwood.tags.rivals.training import Net, Pictures


class SRCNNRNNAnnotator(RecurrentAnnotator):
    """A linear head predicts concepts, and the LSTM sees nothing of the image but these.

    The head is taught by a logistic loss of its own, beside that of the LSTM. Rare concepts are
    told first, and at each step the likeliest is taken, until the stop is.

    Parameters and attributes are those of
    :class:`sapwood.tags.rivals.recurrent.RecurrentAnnotator`.

    Examples
    --------
    >>> SRCNNRNNAnnotator(units=64).get_params()["units"]
    64
    """

    order: ClassVar[str] = "rare"

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Draw the head of concepts, the LSTM and the way between."""
        c = given.Y.shape[1]
        visual = new_head(given.D.shape[1], 0, c, rng) | {"out_bias": log_odds(given.Y)}
        return {
            **visual,
            **new_lstm(self.embedding, self.units, c, rng),
            "concepts_to_state": new_layer(c, self.units, rng),
            "state_bias": np.zeros(self.units),
            "next": new_layer(self.units, c + 1, rng),
            "next_bias": np.zeros(c + 1),
        }

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Add the loss of the head to that of the LSTM."""
        visual = logistic_loss(head(net, given.D, self.dropout, rng), given.Y)
        return visual + super().loss(net, given, rng)

    def begin(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> State:
        """The concepts that the head predicts are all there is at first."""
        predicted = head(net, given.D, self.dropout, rng).sigmoid()
        state = (predicted @ net["concepts_to_state"] + net["state_bias"]).tanh()
        return drop(state, self.dropout, rng), state.new_zeros(state.shape)

    def tell(self, net: Net, output: Any, images: Any) -> Any:
        """Take the LSTM's output through the head of sequences."""
        return output @ net["next"] + net["next_bias"]
