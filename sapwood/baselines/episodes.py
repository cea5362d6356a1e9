"""A relation network and its lessons: episodes of a few classes with a few images of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sapwood.extras import required
from sapwood.projection import Evidence

#: Classes in an episode, and images of each.
CLASSES, IMAGES = 16, 4
#: The authors', of the attribute net alone.
WEIGHT_DECAY = 1e-5

#: Weights by name, as NumPy arrays or torch tensors.
Net = dict[str, Any]


def new_net(k: int, d: int, units: int, classes: int, rng: np.random.Generator) -> Net:
    """Draw the weights of a network that finds all classes of an episode equally likely.

    Parameters
    ----------
    k, d : int
        Numbers of attributes and features.
    units : int
        Hidden units of the attribute net and of the relation net.
    classes : int
        Of an episode.
    rng : numpy.random.Generator
    """

    def layer(inputs: int, *outputs: int) -> np.ndarray:
        return rng.standard_normal((inputs, *outputs)) / np.sqrt(inputs)

    return {
        "attribute_hidden": layer(k, units),
        "attribute_hidden_bias": np.zeros(units),
        "attribute_out": layer(units, d),
        "attribute_out_bias": np.zeros(d),
        "relation_class": layer(d, units),
        "relation_image": layer(d, units),
        "relation_bias": np.zeros(units),
        "relation_out": layer(units),
        # From 0 the many pairs of an image and another class first teach it to say no to all, where
        # the sigmoid is flat: it may stay there for good.
        "relation_out_bias": np.array(-np.log(max(classes - 1, 1))),
    }


def relations(net: Net, X: Any, Z: Any) -> Any:
    """Return how far images belong to classes, before the sigmoid, shape (n, classes).

    The relation net's first layer takes a class and an image side by side; its weights are kept
    in two parts, so that each goes through it once and not once for each pair.

    Parameters
    ----------
    net : dict of ndarray or of torch.Tensor
    X : ndarray or torch.Tensor of shape (n, d)
    Z : ndarray or torch.Tensor of shape (classes, k)
    """
    hidden = (Z @ net["attribute_hidden"] + net["attribute_hidden_bias"]).clip(min=0)
    embedded = (hidden @ net["attribute_out"] + net["attribute_out_bias"]).clip(min=0)
    classes = embedded @ net["relation_class"] + net["relation_bias"]
    pairs = ((X @ net["relation_image"])[:, None] + classes[None]).clip(min=0)
    return pairs @ net["relation_out"] + net["relation_out_bias"]


def relation_loss(net: Net, X: Any, Z: Any, own: Any) -> Any:
    """Return the mean of ``(sigmoid(relations) - own)²``.

    Parameters
    ----------
    net, X, Z
        As in :func:`relations`, as torch tensors.
    own : torch.Tensor of shape (n, classes)
        1 for an image's own class, 0 elsewhere.
    """
    return ((relations(net, X, Z).sigmoid() - own) ** 2).mean()


def draw_episodes(
    evidence: Evidence, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw classes evenly, and images of each in proportion to weight and membership.

    Parameters
    ----------
    evidence : Evidence
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    classes : ndarray of shape (count, c)
        Rows of the evidence's Z, no class twice in an episode; c is `CLASSES` or all there are.
    images : ndarray of shape (count, c, IMAGES)
        Rows of its X.
    """
    mass = evidence.F * evidence.weights[:, None]
    known = np.flatnonzero(mass.any(axis=0))
    classes = rng.permuted(np.tile(known, (count, 1)), axis=1)[:, :CLASSES]
    images = np.empty((*classes.shape, IMAGES), dtype=np.int64)
    for c in known:
        here = classes == c
        share = mass[:, c] / mass[:, c].sum()
        images[here] = rng.choice(len(mass), (int(here.sum()), IMAGES), p=share)
    return classes, images


def teach(
    evidence: Evidence,
    stops: Sequence[int],
    *,
    units: int,
    learning_rate: float,
    random_state: int,
) -> Iterator[Net]:
    """Yield the network, as NumPy arrays, after each of these numbers of episodes.

    Parameters
    ----------
    evidence : Evidence
        In single precision; entries of X and Z are of the order of 1.
    stops : sequence of int
        Increasing.
    units : int
    learning_rate : float
    random_state : int
    """
    torch = import_torch()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rng = np.random.default_rng(random_state)
    classes, images = draw_episodes(evidence, stops[-1], rng)
    drawn = new_net(evidence.Z.shape[1], evidence.X.shape[1], units, classes.shape[1], rng)
    net = {name: torch.tensor(w, dtype=torch.float32, device=device) for name, w in drawn.items()}
    optimiser = _optimiser(torch, net, learning_rate)
    given = (evidence.X, evidence.Z, classes, images)
    X, Z, classes, images = (torch.from_numpy(array).to(device) for array in given)
    own = torch.eye(classes.shape[1], device=device).repeat_interleave(IMAGES, dim=0)
    for done, (chosen, rows) in enumerate(zip(classes, images, strict=True), 1):
        optimiser.zero_grad()
        relation_loss(net, X[rows.ravel()], Z[chosen], own).backward()
        optimiser.step()
        if done in stops:
            yield {name: w.detach().cpu().numpy().copy() for name, w in net.items()}


def _optimiser(torch: Any, net: Net, learning_rate: float) -> Any:
    weights = {name: w.requires_grad_() for name, w in net.items()}
    attribute = [w for name, w in weights.items() if name.startswith("attribute")]
    relation = [w for name, w in weights.items() if not name.startswith("attribute")]
    groups = [{"params": attribute, "weight_decay": WEIGHT_DECAY}, {"params": relation}]
    return torch.optim.Adam(groups, lr=learning_rate, fused=True)


def import_torch() -> Any:
    """Return the module torch, or say how to get it."""
    return required("torch", "RN", "deep")
