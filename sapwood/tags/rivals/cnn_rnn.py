"""CNN-RNN (Wang et al., 2016): images and concepts in one space, an LSTM over concepts."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.heads import drop, new_layer
from sapwood.tags.rivals.recurrent import RecurrentAnnotator, State, new_lstm
from sapwood.tags.rivals.training import Net, Pictures


class CNNRNNAnnotator(RecurrentAnnotator):
    """An LSTM's output and the image meet in the space of the concepts' vectors.

    Frequent concepts are told first. At each step the LSTM takes the vector of the concept
    before; its output and the image, each through a layer of its own, are added up, and the
    concept whose vector goes best with the sum is next. The likeliest of several sequences is
    taken.

    Parameters and attributes are those of
    :class:`sapwood.tags.rivals.recurrent.RecurrentAnnotator`.

    Examples
    --------
    >>> CNNRNNAnnotator().beam
    3
    """

    order: ClassVar[str] = "frequent"

    def __init__(
        self,
        *,
        embedding: int = 64,
        beam: int = 3,
        rate: float = 1e-3,
        units: int = 128,
        dropout: float = 0.5,
        epochs: int = 60,
        inputs: str = "features",
        tag_weight: float = 0.5,
        features: str = "rooted",
        threshold: float | None = None,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            embedding=embedding,
            beam=beam,
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

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Draw the LSTM and the two ways into the space of concepts."""
        net = new_lstm(self.embedding, self.units, given.Y.shape[1], rng)
        return net | {
            "output_to_space": new_layer(self.units, self.embedding, rng),
            "image_to_space": new_layer(given.D.shape[1], self.embedding, rng),
            "space_bias": np.zeros(self.embedding),
            "next_bias": np.zeros(given.Y.shape[1] + 1),
        }

    def begin(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> State:
        """The LSTM knows nothing of the image."""
        empty = given.D.new_zeros((len(given.D), self.units))
        return empty, empty

    def show(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> Any:
        """Return the images in the space of concepts."""
        return drop(given.D, self.dropout, rng) @ net["image_to_space"] + net["space_bias"]

    def tell(self, net: Net, output: Any, images: Any) -> Any:
        """Compare the sum of both with the vectors of the concepts and of the stop."""
        place = (output @ net["output_to_space"] + images).relu()
        return place @ net["embedding"][:-1].T + net["next_bias"]
