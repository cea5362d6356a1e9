"""The robust algorithm: the same three steps, each free of scale and safe for zero rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from sapwood.projection import ScaledProjection, learn_forward, learn_scaled
from sapwood.propagation import Posterior, class_votes, graph_posterior, sharpen


@dataclass(frozen=True)
class RobustSolution:
    """What the robust algorithm finds.

    Attributes
    ----------
    posterior : Posterior
        Over the p seen classes.
    weights : ndarray of shape (n,)
        Each image's say in the projection.
    projection : ScaledProjection
    forward : ndarray of shape (k, d)
        Features to attributes, in the attributes' own units.
    offset : ndarray of shape (k,)
        Added after `forward`.
    """

    posterior: Posterior
    weights: np.ndarray
    projection: ScaledProjection
    forward: np.ndarray
    offset: np.ndarray


def solve_robust(
    X: np.ndarray,
    S: scipy.sparse.csr_array | None,
    codes: np.ndarray,
    Z_given: np.ndarray,
    Z: np.ndarray,
    sample_weight: np.ndarray,
    *,
    lambda1: float = 1.0,
    lambda4: float = 1.0,
    beta: float = 0.003,
    sharpness: float = 2.0,
    steps: str = "sap1+sap2+bpl",
) -> RobustSolution:
    """Propagate class posteriors over the graph, then learn a weighted, scale-free projection.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    S : sparse array of shape (n, n)
        Normalised affinity; not needed for ``steps="bpl"``.
    codes : ndarray of shape (n,)
        Seen class of each annotated image, -1 elsewhere.
    Z_given, Z : ndarray of shape (p, k)
        Attributes of the seen classes, as given and as scaled.
    sample_weight : ndarray of shape (n,)
    lambda1, lambda4, beta, sharpness : float
    steps : {"bpl", "sap1+bpl", "sap1+sap2+bpl"}
        Annotated images alone; plain posteriors; posteriors sharpened and weighed by confidence.
    """
    votes = class_votes(codes, len(Z), sample_weight)
    posterior = _propagated(S, votes, lambda1, sharpness, steps)
    weights = sample_weight * _trust(posterior, steps)
    F, Xw = posterior.F * np.sqrt(weights)[:, None], X * np.sqrt(weights)[:, None]
    FtF, FtX, XtX = F.T @ F, F.T @ Xw, Xw.T @ Xw
    projection = learn_scaled(Z.T @ FtF @ Z, Z.T @ FtX, XtX, lambda4, beta)
    mean_x = weights @ X / weights.sum()
    mean_y = (weights @ posterior.F) @ Z_given / weights.sum()
    covariance = Z_given.T @ FtX - weights.sum() * np.outer(mean_y, mean_x)
    scatter = XtX - weights.sum() * np.outer(mean_x, mean_x)
    back = learn_forward(covariance, scatter, lambda4)
    return RobustSolution(posterior, weights, projection, back, mean_y - back @ mean_x)


def _propagated(
    S: scipy.sparse.csr_array | None,
    votes: np.ndarray,
    lambda1: float,
    sharpness: float,
    steps: str,
) -> Posterior:
    if S is None or steps == "bpl":
        F = (votes > 0).astype(float)
        return Posterior(F, F.max(axis=1))
    posterior = graph_posterior(S, votes, lambda1)
    return sharpen(posterior, sharpness) if steps == "sap1+sap2+bpl" else posterior


def _trust(posterior: Posterior, steps: str) -> np.ndarray:
    """The weight of each image: confidence squared, or just whether annotations reach it."""
    if steps == "sap1+sap2+bpl":
        return posterior.confidence**2
    return (posterior.confidence > 0).astype(float)
