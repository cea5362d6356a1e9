"""The ways in which unannotated images enter a method that knows annotated ones only."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NearestNeighbors
from sklearn.semi_supervised import LabelSpreading

from sapwood.features import unit_rows
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity, spectral_basis
from sapwood.models.parameters import PRESETS
from sapwood.models.printed import OWN, Printed, solve_printed
from sapwood.models.robust import SETTINGS, Robust
from sapwood.projection import Evidence
from sapwood.propagation import class_votes


def annotated_only(X: np.ndarray, codes: np.ndarray, Z: np.ndarray, weight: np.ndarray) -> Evidence:
    """Leave unannotated images out: the paper's RPL0, ESZSL0.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Mapped features.
    codes : ndarray of shape (n,)
        Row of Z for each image, -1 where it is unannotated.
    Z : ndarray of shape (p, k)
        Attributes of the seen classes, as given.
    weight : ndarray of shape (n,)
    """
    known = codes >= 0
    return Evidence(X[known], np.eye(len(Z))[codes[known]], Z, weight[known])


def nearest_label(X: np.ndarray, codes: np.ndarray, Z: np.ndarray, weight: np.ndarray) -> Evidence:
    """Give each unannotated image the label of the nearest annotated one (the paper's Table 2)."""
    known = np.flatnonzero(codes >= 0)
    index = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(X[known])
    labels = codes[known][index.kneighbors(X, return_distance=False)[:, 0]]
    labels[known] = codes[known]  # Of two images with the same features each keeps its own.
    return Evidence(X, np.eye(len(Z))[labels], Z, weight)


def propagated(X: np.ndarray, codes: np.ndarray, Z: np.ndarray, weight: np.ndarray) -> Evidence:
    """Propagate class posteriors as the robust preset first does, weighed by their confidence."""
    robust = PRESETS["robust"]
    # σ is meant for rows of unit length, which only features="raw" leaves to be made.
    neighbors, squared = nearest_neighbors(unit_rows(X), min(robust["k_g"], len(X) - 1))
    S = normalised_affinity(affinity_matrix(neighbors, squared, sigma=robust["sigma"]))
    own = {name: robust[name] for name in SETTINGS}
    problem = Robust(X, S, codes, Z, weight, **own)
    # Later iterations have the robust preset's own projection vote, which is no rival's.
    return next(problem.iterate(1)).evidence


def printed(X: np.ndarray, codes: np.ndarray, Z: np.ndarray, weight: np.ndarray) -> Evidence:
    """Propagate attributes by Algorithm 1 with the paper's parameters (the paper's Table 4)."""
    paper = PRESETS["paper"]
    neighbors, squared = nearest_neighbors(unit_rows(X), min(paper["k_g"], len(X) - 1))
    A = affinity_matrix(neighbors, squared, sigma=paper["sigma"])
    basis = spectral_basis(A, min(paper["m"], len(X) - 1), 0)
    given = class_votes(codes, len(Z), np.ones(len(X))) @ unit_rows(Z, norm=1)
    problem = Printed(X, given, basis, **{name: paper[name] for name in OWN})
    with warnings.catch_warnings():
        # The paper's few iterations are meant here, and there is nothing to raise them with.
        warnings.simplefilter("ignore", ConvergenceWarning)
        Y = solve_printed(problem, paper["max_iter"], paper["tol"]).Y
    # Methods that need classes take the seen class an image's attributes point to.
    F = np.eye(len(Z))[(unit_rows(Y) @ unit_rows(Z).T).argmax(axis=1)]
    return Evidence(X, F, Z, weight, attributes=Y)


def spread_labels(X: np.ndarray, codes: np.ndarray, Z: np.ndarray, weight: np.ndarray) -> Evidence:
    """Spread labels over a graph of neighbours by scikit-learn's `LabelSpreading`."""
    neighbors, _ = nearest_neighbors(X, min(PRESETS["robust"]["k_g"], len(X)) - 1)
    graph = _connected(neighbors)
    # At alpha 0.5 the change halves in each step, so it stops long before max_iter.
    spreading = LabelSpreading(kernel=lambda *_: graph, alpha=0.5, max_iter=1000)
    # An image no label reaches divides zero by zero in older versions of scikit-learn.
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        # One image of each class is what few annotations look like, and no regression.
        warnings.filterwarnings("ignore", "The number of unique classes is greater")
        spreading.fit(X, codes)
    F = np.zeros((len(X), len(Z)))
    F[:, spreading.classes_] = np.nan_to_num(spreading.label_distributions_)
    return Evidence(X, F, Z, np.where(F.any(axis=1), weight, 0.0))


def _connected(neighbors: np.ndarray) -> scipy.sparse.csr_matrix:
    """1 from each image to itself and to its neighbours: scikit-learn's kernel="knn"."""
    n, k = neighbors.shape
    columns = np.hstack([np.arange(n)[:, None], neighbors]).ravel()
    indptr = np.arange(0, n * (k + 1) + 1, k + 1)
    return scipy.sparse.csr_matrix((np.ones(len(columns)), columns, indptr), shape=(n, n))


Fill = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Evidence]
#: Not even the feature map sees unannotated images then.
IGNORE = "ignore"
FILLS: dict[str, Fill] = {
    IGNORE: annotated_only,
    "nearest": nearest_label,
    "propagate": propagated,
    "paper": printed,
    "spread": spread_labels,
}
