"""Robust propagation: class posteriors by regression with the graph's own kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse

from sapwood.solvers import Factored, solve_nonnegative


@dataclass(frozen=True)
class Posterior:
    """Class posteriors of the images and how far each is to be trusted.

    Attributes
    ----------
    F : ndarray of shape (n, p)
        Rows sum to 1, or are zero where no annotation reaches.
    confidence : ndarray of shape (n,)
        Largest posterior before sharpening, 1 for annotated images.
    trace : dict
        ``steps`` and ``residual`` of the propagation; empty where there was none.
    """

    F: np.ndarray
    confidence: np.ndarray
    trace: dict[str, float] = field(default_factory=dict)


def class_votes(codes: np.ndarray, p: int, weight: np.ndarray) -> np.ndarray:
    """Return the (n, p) matrix with `weight` at each annotated image's class, zero elsewhere.

    Examples
    --------
    >>> class_votes(np.array([1, -1]), 2, np.array([2.0, 1.0]))
    array([[0., 2.],
           [0., 0.]])
    """
    T = np.zeros((len(codes), p))
    annotated = np.flatnonzero(codes >= 0)
    T[annotated, codes[annotated]] = weight[annotated]
    return T


def graph_posterior(
    S: scipy.sparse.csr_array | Factored,
    T: np.ndarray,
    lambda1: float,
    held: np.ndarray | None = None,
    tol: float = 1e-9,
) -> Posterior:
    """Average the votes that reach each image through ``(I + λ1 L)^-1`` (robust SAP-I).

    Dividing by the mass that arrives makes zero rows of T mean "not annotated" and not "has no
    attribute", which is what shrinks the printed algorithm's Y.

    Parameters
    ----------
    S : sparse or factored array of shape (n, n)
        Normalised affinity, ``I - L``.
    T : ndarray of shape (n, p)
        Non-negative votes.
    lambda1 : float
    held : ndarray of shape (n,), optional
        Mask of the rows that keep their own vote; by default all that have one.
    tol : float
        Relative accuracy of each row.

    Examples
    --------
    >>> S = scipy.sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> graph_posterior(S, np.array([[2.0, 0.0], [0.0, 0.0]]), 1.0).F.round(9)
    array([[1., 0.],
           [1., 0.]])
    """
    solved = solve_nonnegative(S, lambda1 / (1 + lambda1), T, tol=tol)
    solved.warn_unless_converged("propagation over the graph", "lower lambda1")
    F = _rows_to_one(solved.solution)
    rows = np.flatnonzero(T.any(axis=1) if held is None else held)
    F[rows] = _rows_to_one(T[rows])
    trace = {"steps": solved.n_iter, "residual": solved.residual}
    return Posterior(F, F.max(axis=1), trace)


def sharpen(posterior: Posterior, power: float) -> Posterior:
    """Raise posteriors to `power` and renormalise (robust SAP-II).

    The result minimises ``Σ f log f - power Σ f log F`` over the simplex: an entropy that favours
    few classes, where the paper has an L1 norm.

    Examples
    --------
    >>> sharpen(Posterior(np.array([[0.75, 0.25]]), np.array([0.75])), 2.0).F
    array([[0.9, 0.1]])
    """
    peak = posterior.F.max(axis=1, keepdims=True)
    # In units of the row's largest entry no power makes the whole row underflow.
    F = (posterior.F / np.where(peak > 0, peak, 1.0)) ** power
    return Posterior(_rows_to_one(F), posterior.confidence, posterior.trace)


def _rows_to_one(F: np.ndarray) -> np.ndarray:
    mass = F.sum(axis=1, keepdims=True)
    return F / np.where(mass > 0, mass, 1.0)
