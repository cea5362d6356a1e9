"""The one trainer of all networks: seeded mini-batches, Adam, a stop by images held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from sapwood.extras import required
from sapwood.metrics import mean_average_precision
from sapwood.progress import report

#: Images of a mini-batch, and of a block that is scored.
BATCH, BLOCK = 64, 1024
#: Epochs without a better mean average precision after which teaching ends.
PATIENCE = 10

#: Weights by name, as NumPy arrays or torch tensors.
Net = dict[str, Any]
#: Fields of pictures with a row for each image.
_ROWS = ("D", "T", "Y", "near")


@dataclass(frozen=True)
class Pictures:
    """Images as a network takes them, as NumPy arrays or torch tensors.

    Attributes
    ----------
    D : array of shape (n, d)
        What it looks at: features, or tags and features.
    T : array of shape (n, t)
        Tags; t is 0 where there are none.
    Y : array of shape (n, c)
        Concepts, 0 and 1; zeros where they are not known.
    near : array of shape (n, m)
        Rows of `pool`, the most alike by tags first; m is 0 for methods without neighbours.
    pool : array of shape (p, d)
        D of the training images.
    """

    D: Any
    T: Any
    Y: Any
    near: Any
    pool: Any

    def __len__(self) -> int:
        return len(self.D)

    def take(self, rows: Any) -> Pictures:
        """Return some of the images."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _ROWS})

    def tensors(self, order: np.ndarray, count: int) -> Iterator[Pictures]:
        """Yield the images in this order, `count` at a time, as tensors where torch computes."""
        torch = import_torch()
        device = device_of(torch)
        pool = torch.from_numpy(self.pool).to(device)
        for start in range(0, len(order), count):
            some = self.take(order[start : start + count])
            moved = {name: torch.from_numpy(getattr(some, name)).to(device) for name in _ROWS}
            yield replace(some, **moved, pool=pool)


class Lesson(Protocol):
    """What the trainer must know of a method."""

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Return the loss of a mini-batch, a tensor with one entry."""

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return how well concepts go with images, a tensor of shape (n, c)."""


class Taught(NamedTuple):
    """A network, as NumPy arrays.

    Attributes
    ----------
    net : dict of ndarray
    epochs : int
        After which it was kept.
    curve : ndarray of shape (epochs run,)
        Mean average precision of the images held out after each epoch; empty without any.
    """

    net: Net
    epochs: int
    curve: np.ndarray


def teach(
    lesson: Lesson,
    net: Net,
    given: Pictures,
    held: Pictures | None,
    *,
    rate: float,
    epochs: int,
    rng: np.random.Generator,
) -> Taught:
    """Teach a network, and keep it as it was when it ranked the images held out best.

    Parameters
    ----------
    lesson : Lesson
    net : dict of ndarray
        The first weights.
    given : Pictures
    held : Pictures or None
        Without any, the network is kept as it is after all epochs.
    rate : float
        Adam's.
    epochs : int
        At most.
    rng : numpy.random.Generator
        Draws everything there is to draw; torch's own generator is left alone.
    """
    torch = import_torch()
    with threadpool_limits(1):
        weights = as_tensors(net, grad=True)
        optimiser = torch.optim.Adam(list(weights.values()), lr=rate, fused=True)
        curve, best, kept = list[float](), epochs, None
        for epoch in range(1, epochs + 1):
            report("teaching", epoch / (epochs + 1))
            _teach_once(lesson, weights, optimiser, given, rng)
            if held is None:
                continue
            curve.append(mean_average_precision(held.Y, score(lesson, weights, held)))
            if curve[-1] > max(curve[:-1], default=-1.0):
                best, kept = epoch, as_arrays(weights)
            elif epoch - best >= PATIENCE:
                break
        return Taught(kept or as_arrays(weights), best, np.array(curve))


def _teach_once(
    lesson: Lesson, weights: Net, optimiser: Any, given: Pictures, rng: np.random.Generator
) -> None:
    order = rng.permutation(len(given))
    for batch in given.tensors(order, BATCH):
        optimiser.zero_grad()
        lesson.loss(weights, batch, rng).backward()
        optimiser.step()


def score(lesson: Lesson, net: Net, given: Pictures) -> np.ndarray:
    """Return the scores of all images, shape (n, c), some images at a time."""
    torch = import_torch()
    with threadpool_limits(1), torch.no_grad():
        weights = as_tensors(net) if isinstance(next(iter(net.values())), np.ndarray) else net
        blocks = given.tensors(np.arange(len(given)), BLOCK)
        scores = [lesson.scores(weights, block).cpu().numpy() for block in blocks]
    return np.concatenate(scores).astype(np.float64)


def as_tensors(net: Net, grad: bool = False) -> Net:
    """Return weights in single precision where torch computes."""
    torch = import_torch()
    kind: dict[str, Any] = {"dtype": torch.float32, "device": device_of(torch)}
    return {name: torch.tensor(w, requires_grad=grad, **kind) for name, w in net.items()}


def as_arrays(net: Net) -> Net:
    """Return a copy of the weights as NumPy arrays."""
    return {name: w.detach().cpu().numpy().copy() for name, w in net.items()}


def import_torch() -> Any:
    """Return the module torch, or say how to get it."""
    return required("torch", "this annotator", "deep")


def device_of(torch: Any) -> str:
    """Return the GPU that torch finds, or the processor."""
    return "cuda" if torch.cuda.is_available() else "cpu"
