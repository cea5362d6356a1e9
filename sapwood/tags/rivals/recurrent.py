"""What annotators with an LSTM share: concepts in order, one after the other, until a stop."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sapwood.tags.rivals.base import TagRival
from sapwood.tags.rivals.beam import search
from sapwood.tags.rivals.heads import new_layer
from sapwood.tags.rivals.training import Net, Pictures

#: What an LSTM is in: its output and its cell, both of shape (n, units).
State = tuple[Any, Any]


class RecurrentAnnotator(TagRival):
    """An LSTM tells an image's concepts one by one and stops by itself.

    It is taught each image's concepts in one fixed order, the one before given, and a stop after
    the last. An image is given the concepts of the likeliest sequence that a beam search finds;
    these score above 0. Within them, and among the others, the score is the highest probability
    that a concept had at any step, mean over the sequences in proportion to theirs.

    Parameters
    ----------
    embedding : int
        Length of the vectors that stand for concepts.
    beam : int
        Sequences that are followed; 1 takes the likeliest concept at every step.
    rate, units, dropout, epochs, inputs, tag_weight, features, threshold, random_state
        As in :class:`sapwood.tags.rivals.TagRival`.
    """

    #: The order in which concepts are told: "frequent" or "rare" ones first.
    order: ClassVar[str] = "frequent"
    grid: ClassVar[list[dict[str, Any]]] = [
        {"rate": rate, "dropout": dropout} for rate in (5e-4, 1e-3, 2e-3) for dropout in (0.3, 0.6)
    ]

    def __init__(
        self,
        *,
        embedding: int = 64,
        beam: int = 1,
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
        self.embedding = embedding
        self.beam = beam

    def begin(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> State:
        """Return the LSTM's first state."""
        raise NotImplementedError

    def tell(self, net: Net, output: Any, images: Any) -> Any:
        """Return the scores of what may come next, concepts and the stop, shape (n, c + 1).

        Parameters
        ----------
        net : dict of torch.Tensor
        output : torch.Tensor of shape (n, units)
            Of the LSTM.
        images : torch.Tensor of shape (n, anything)
            What :meth:`show` makes of the images.
        """
        raise NotImplementedError

    def show(self, net: Net, given: Pictures, rng: np.random.Generator | None) -> Any:
        """Return what is known of the images at every step; nothing by default."""
        return given.D[:, :0]

    def prepare(self, given: Pictures, fitting: bool) -> Pictures:
        """Find the order of the concepts, and how many an image has at most."""
        if fitting:
            self.order_ = concept_order(given.Y, self.order)
            self.longest_ = int(given.Y.sum(axis=1).max())
        return given

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Return minus the log-probability of the sequences, mean over images."""
        told = sequences(given.Y.cpu().numpy() > 0, self.order_)
        steps = given.near.new_tensor(told)
        c = given.Y.shape[1]
        state, images = self.begin(net, given, rng), self.show(net, given, rng)
        before, total = steps.new_full((len(steps),), c + 1), 0.0
        for after in steps.T:
            output, cell = lstm(net, net["embedding"][before], state)
            likely = self.tell(net, output, images).log_softmax(dim=1)
            # After the stop there is nothing more to say.
            total = total - (likely.gather(1, after[:, None])[:, 0] * (before != c)).sum()
            before, state = after, (output, cell)
        return total / len(steps)

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return the concepts that are told above 0, the others below."""
        return self.emitted(net, given).scores()

    def emitted(self, net: Net, given: Pictures) -> Any:
        """Return the sequences that a beam search finds, a :class:`Sequences`."""
        images = self.show(net, given, None)

        def step(before: Any, state: State, beams: int) -> tuple[Any, State]:
            output, cell = lstm(net, net["embedding"][before], state)
            shown = images.repeat_interleave(beams, dim=0)
            return self.tell(net, output, shown).log_softmax(dim=1), (output, cell)

        c = given.Y.shape[1]
        return search(step, self.begin(net, given, None), c, self.beam, self.longest_)


def new_lstm(embedding: int, units: int, c: int, rng: np.random.Generator) -> Net:
    """Draw an LSTM, and the vectors of c concepts, of the stop and of the beginning."""
    bias = np.zeros(4 * units)
    # It remembers at first.
    bias[units : 2 * units] = 1.0
    return {
        "embedding": 0.1 * rng.standard_normal((c + 2, embedding)),
        "from_input": new_layer(embedding, 4 * units, rng),
        "from_output": new_layer(units, 4 * units, rng),
        "gates_bias": bias,
    }


def lstm(net: Net, given: Any, state: State) -> State:
    """Return the next output and cell of an LSTM, both of shape (n, units)."""
    output, cell = state
    gates = given @ net["from_input"] + output @ net["from_output"] + net["gates_bias"]
    let_in, keep, new, let_out = gates.chunk(4, dim=1)
    cell = keep.sigmoid() * cell + let_in.sigmoid() * new.tanh()
    return let_out.sigmoid() * cell.tanh(), cell


def concept_order(Y: np.ndarray, order: str) -> np.ndarray:
    """Return the columns of Y, the most frequent or the rarest first; of equals the first column.

    Examples
    --------
    >>> Y = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 1]])
    >>> concept_order(Y, "frequent"), concept_order(Y, "rare")
    (array([1, 0, 2]), array([0, 2, 1]))
    """
    counts = Y.sum(axis=0)
    return np.argsort(-counts if order == "frequent" else counts, kind="stable")


def sequences(truth: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return each image's concepts in order, then stops, shape (n, longest + 1).

    Parameters
    ----------
    truth : ndarray of bool of shape (n, c)
    order : ndarray of int of shape (c,)
        Columns, the first to be told first. The stop is c.

    Examples
    --------
    >>> sequences(np.array([[True, True, False], [False, False, False]]), np.array([2, 1, 0]))
    array([[1, 0, 3],
           [3, 3, 3]])
    """
    n, c = truth.shape
    in_order = truth[:, order]
    longest = int(in_order.sum(axis=1).max(initial=0))
    told = np.full((n, longest + 1), c)
    rows, places = np.nonzero(in_order)
    told[rows, (np.cumsum(in_order, axis=1) - 1)[rows, places]] = order[places]
    return told
