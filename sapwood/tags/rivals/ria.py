"""RIA (Jin & Nakayama, 2016): an LSTM that begins with the image and tells rare concepts first."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.heads import drop, new_layer
from sapwood.tags.rivals.recurrent import RecurrentAnnotator, State, new_lstm
from sapwood.tags.rivals.training import Net, Pictures


class RIAAnnotator(RecurrentAnnotator):
    """The image is the first state of an LSTM, which tells rare concepts first.

    At each step the likeliest concept is taken, until the stop is.

    Parameters and attributes are those of
    :class:`sapwood.tags.rivals.recurrent.RecurrentAnnotator`.

    Examples
    --------
    >>> RIAAnnotator.order, RIAAnnotator().beam
    ('rare', 1)
    """

    order: ClassVar[str] = "rare"

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Draw the LSTM, the way into its first state, and the head."""
        net = new_lstm(self.embedding, self.units, given.Y.shape[1], rng)
        return net | {
            "image_to_state": new_layer(given.D.shape[1], self.units, rng),
            "state_bias": np.zeros(self.units),
            "next": new_layer(self.units, given.Y.shape[1] + 1, rng),
            "next_bias": np.zeros(given.Y.shape[1] + 1),
        }

    def begin(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> State:
        """The image is all there is at first."""
        D = drop(given.D, self.dropout, rng)
        state = (D @ net["image_to_state"] + net["state_bias"]).tanh()
        return drop(state, self.dropout, rng), state.new_zeros(state.shape)

    def tell(self, net: Net, output: Any, images: Any) -> Any:
        """Take the LSTM's output through the head."""
        return output @ net["next"] + net["next_bias"]
