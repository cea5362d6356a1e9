"""Search for the likeliest sequences of concepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: From the entries before, the state and the number of sequences of each image to the
#: log-probabilities of what comes next, shape (n × sequences, c + 1), and the next state.
Step = Callable[[Any, tuple[Any, Any], int], tuple[Any, tuple[Any, Any]]]


@dataclass(frozen=True)
class Sequences:
    """The sequences that were followed, as torch tensors, the likeliest of each image first.

    Attributes
    ----------
    told : tensor of int of shape (n, beam, steps)
        Concepts; c is the stop.
    log_probability : tensor of shape (n, beam)
    used : tensor of bool of shape (n, beam, c)
        Which concepts each has.
    highest : tensor of shape (n, beam, c)
        The highest probability that each concept had at any step.
    """

    told: Any
    log_probability: Any
    used: Any
    highest: Any

    def scores(self) -> Any:
        """Return scores of concepts, shape (n, c): above 0 for those of the first sequence."""
        weights = self.log_probability.softmax(dim=1)
        likely = (weights[:, :, None] * self.highest).sum(dim=1)
        return likely - (~self.used[:, 0]).to(likely.dtype)


def search(step: Step, state: tuple[Any, Any], c: int, beam: int, longest: int) -> Sequences:
    """Follow the likeliest sequences of every image; no concept comes twice in one.

    Parameters
    ----------
    step : callable
    state : tuple of torch.Tensor of shape (n, units)
        The first.
    c : int
        Number of concepts; c is the stop, c + 1 the beginning.
    beam : int
        Sequences of each image.
    longest : int
        Concepts of a sequence at most.
    """
    n = len(state[0])
    state = (state[0].repeat_interleave(beam, dim=0), state[1].repeat_interleave(beam, dim=0))
    total = state[0].new_full((n, beam), -np.inf)
    # All sequences begin alike: the first stands for all.
    total[:, 0] = 0
    highest = state[0].new_zeros((n, beam, c))
    used = highest.bool()
    told = highest.new_zeros((n, beam, 0)).long()
    before = told.new_full((n, beam), c + 1)
    for at in range(longest + 1):
        likely, state = step(before.reshape(-1), state, beam)
        likely = _allowed(likely.reshape(n, beam, c + 1), used, before == c, at == longest)
        going = (before != c)[:, :, None]
        highest = highest.maximum(likely[:, :, :c].exp() * going)
        total, best = (total[:, :, None] + likely).reshape(n, -1).topk(beam, dim=1)
        parent, before = best // (c + 1), best % (c + 1)
        used, highest, told = (_of(parent, one) for one in (used, highest, told))
        rows = (parent + beam * parent.new_tensor(np.arange(n))[:, None]).reshape(-1)
        state = (state[0][rows], state[1][rows])
        used = used | (before[:, :, None] == before.new_tensor(np.arange(c)))
        told = _with_last(told, before)
        if bool((before == c).all()):
            break
    return Sequences(told, total, used, highest)


def _allowed(likely: Any, used: Any, ended: Any, last: bool) -> Any:
    """Leave out what cannot come: concepts told before, and all but the stop after the stop."""
    c = used.shape[2]
    stop = likely[:, :, c:]
    concepts = likely[:, :, :c].masked_fill(used | ended[:, :, None] | last, -np.inf)
    stop = stop.masked_fill(ended[:, :, None], 0.0)
    both = likely.new_empty(likely.shape)
    both[:, :, :c], both[:, :, c:] = concepts, stop
    return both


def _of(parent: Any, values: Any) -> Any:
    places = parent[:, :, None].expand(-1, -1, values.shape[2])
    return values.gather(1, places)


def _with_last(told: Any, last: Any) -> Any:
    longer = told.new_empty((*told.shape[:2], told.shape[2] + 1))
    longer[:, :, :-1], longer[:, :, -1] = told, last
    return longer
