"""Layers that the networks share, as functions of weights by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.tags.rivals.training import Net


def new_layer(inputs: int, outputs: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the weights of a layer, shape (inputs, outputs), that keeps the size of its inputs."""
    return rng.standard_normal((inputs, outputs)) / np.sqrt(max(inputs, 1))


def new_head(d: int, units: int, outputs: int, rng: np.random.Generator) -> Net:
    """Draw a linear head, or with `units` one hidden layer.

    Examples
    --------
    >>> net = new_head(6, 4, 3, np.random.default_rng(0))
    >>> {name: weights.shape for name, weights in net.items()}
    {'hidden': (6, 4), 'hidden_bias': (4,), 'out': (4, 3), 'out_bias': (3,)}
    >>> list(new_head(6, 0, 3, np.random.default_rng(0)))
    ['out', 'out_bias']
    """
    net = {"hidden": new_layer(d, units, rng), "hidden_bias": np.zeros(units)} if units else {}
    # A last layer of zeros: at first nothing is said of any image.
    return net | {"out": np.zeros((units or d, outputs)), "out_bias": np.zeros(outputs)}


def head(net: Net, D: Any, dropout: float, rng: np.random.Generator | None) -> Any:
    """Return the outputs of a head for images D, shape (n, outputs).

    Parameters
    ----------
    net : dict of torch.Tensor
    D : torch.Tensor of shape (n, d)
    dropout : float
        Share of the inputs of each layer that are left out while it is taught.
    rng : numpy.random.Generator or None
        Draws them; None leaves nothing out.
    """
    D = drop(D, dropout, rng)
    if "hidden" in net:
        D = drop((D @ net["hidden"] + net["hidden_bias"]).relu(), dropout, rng)
    return D @ net["out"] + net["out_bias"]


def drop(D: Any, share: float, rng: np.random.Generator | None) -> Any:
    """Set a share of the entries to zero and enlarge the others; without `rng` nothing."""
    if rng is None or not share:
        return D
    kept = rng.random(tuple(D.shape), dtype=np.float32) >= share
    return D * D.new_tensor(kept / np.float32(1 - share))


def logistic_loss(scores: Any, Y: Any) -> Any:
    """Return minus the log-likelihood of independent labels, summed over these, mean over images.

    Parameters
    ----------
    scores, Y : torch.Tensor of shape (n, c)
    """
    losses = scores.clip(min=0) - scores * Y + (-scores.abs()).exp().log1p()
    return losses.sum(dim=1).mean()


def log_odds(Y: np.ndarray) -> np.ndarray:
    """Return the log-odds of each label's share of images, shape (c,).

    Examples
    --------
    >>> log_odds(np.array([[1, 0], [0, 0]])).round(2)
    array([ 0.  , -1.61])
    """
    share = (Y.sum(axis=0) + 0.5) / (len(Y) + 1)
    return np.log(share / (1 - share))
