"""The robust algorithm in pieces that can be exchanged one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from shared import Graph, Problem, basis, factor, mapped, normalised, problem, remembered

from sapwood.features import ATTRIBUTE_MAPS, AttributeMap, FeatureMap
from sapwood.models.robust import TEMPERATURE_ROWS
from sapwood.projection import Evidence, fit_temperature, learn_scaled, prototype_scores, softmax
from sapwood.propagation import Posterior, class_votes, sharpen, smooth_coefficients
from sapwood.solvers import solve_nonnegative

#: Relative accuracy of propagated votes; what is compared here differs by far more.
TOL = 1e-4
#: The default's own graph.
GRAPH = Graph()
#: Above this many neighbours a factorisation is cheaper than a series.
DENSE = 100


def over_graph(T: np.ndarray, graph: Graph = GRAPH, lambda1: float = 1.0) -> np.ndarray:
    """SAP-I over the whole spectrum: ``(I + λ1 L)^-1 T``."""
    alpha = lambda1 / (1 + lambda1)
    if graph.k_g > DENSE:
        solved = scipy.linalg.cho_solve(factor(graph, alpha), T, check_finite=False)
        return np.maximum((1 - alpha) * solved, 0.0)
    return (1 - alpha) * solve_nonnegative(normalised(graph), alpha, T, tol=TOL).solution


def over_basis(T: np.ndarray, m: int, lambda1: float = 1.0, penalty: str = "no-l1") -> np.ndarray:
    """SAP-I with m eigenvectors, as printed; votes below zero are cut."""
    smooth = basis(GRAPH, m)
    return np.maximum(smooth.vectors @ smooth_coefficients(T, smooth, lambda1, penalty), 0.0)


def over_two_graphs(T: np.ndarray, few: int = 5, many: int = 20) -> np.ndarray:
    return (to_one(over_graph(T, Graph(k_g=few))) + to_one(over_graph(T, Graph(k_g=many)))) / 2


def alone(T: np.ndarray) -> np.ndarray:
    """No propagation."""
    return T


def to_one(M: np.ndarray) -> np.ndarray:
    mass = M.sum(axis=1, keepdims=True)
    return M / np.where(mass > 0, mass, 1.0)


def balanced(F: np.ndarray, power: float = 1.0, steps: int = 20) -> np.ndarray:
    """Sinkhorn's scaling towards classes of equal mass; each step is damped by `power`."""
    for _ in range(steps):
        mass = F.sum(axis=0)
        F = to_one(F * (mass.mean() / np.maximum(mass, 1e-12)) ** (power / 2))
    return F


def unchanged(F: np.ndarray) -> np.ndarray:
    return F


def described(Z: np.ndarray, Z_new: np.ndarray, **kwargs: object) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of seen and new classes; the default's where nothing else is asked."""
    fitted = AttributeMap(**{**ATTRIBUTE_MAPS["kernel"], **kwargs}).fit(Z)
    return fitted.transform(Z), fitted.transform(Z_new)


def rare_first(Z: np.ndarray, Z_new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Attributes divided by the root of their mean, as an inverse document frequency would."""
    unit = np.sqrt(np.maximum(Z.mean(axis=0), 1e-6))
    return described(Z / unit, Z_new / unit)


def decorrelated(
    Z: np.ndarray, Z_new: np.ndarray, power: float = 0.2
) -> tuple[np.ndarray, np.ndarray]:
    """Attributes whitened in part, as the features are, before the kernel."""
    whitening = FeatureMap(root=False, whitening=power)
    seen, new = Z**0.6, Z_new**0.6
    return described(whitening.fit_transform(seen), whitening.transform(new), power=1, center=False)


@dataclass(frozen=True)
class Recipe:
    """How the prototypes of unseen classes are learned; by default as in the robust preset.

    Attributes
    ----------
    features : str
    annotated_statistics : bool
        Whether the statistics of the features are those of annotated images alone.
    propagate : callable
        From votes, shape (n, p), to what reaches each image, of the same shape.
    adjust : callable
        Of the posteriors of unannotated images.
    divide, hold : bool
        Whether rows are divided by their mass, and annotated rows held.
    sharpness : float
    say : {"confidence", "squared", "equal", "mass"}
    trust : float
        Factor of unannotated images' weights.
    coordinates : callable
        Of seen and of new classes.
    ridge, beta : float
    absolute : bool
        Whether the ridge is an absolute number, as printed.
    rounds : int
    lambda3 : float
    multiply : bool
        Multiply the graph's posterior by the projection's instead of voting.
    """

    features: str = "whitened"
    annotated_statistics: bool = False
    propagate: Callable[[np.ndarray], np.ndarray] = over_graph
    adjust: Callable[[np.ndarray], np.ndarray] = unchanged
    divide: bool = True
    hold: bool = True
    sharpness: float = 2.0
    say: str = "confidence"
    trust: float = 1.0
    coordinates: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = described
    ridge: float = 0.08
    beta: float = 0.0
    absolute: bool = False
    rounds: int = 4
    lambda3: float = 0.1
    multiply: bool = False

    def mapped(self, K: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the features of training and of test images."""
        return mapped(self.features, (K, seed) if self.annotated_statistics else None)


@dataclass(frozen=True)
class Belief:
    """Sharpened class posteriors, the length each row keeps, and the images' weights."""

    F: np.ndarray
    length: np.ndarray
    weights: np.ndarray


@remembered()
def prototypes(recipe: Recipe, K: int, seed: int) -> np.ndarray:
    """Learn with `recipe`; return the prototypes of unseen classes, shape (unseen, d)."""
    given, X = problem(K, seed), recipe.mapped(K, seed)[0]
    Z, Z_new = recipe.coordinates(given.Z, given.Z_new)
    votes = class_votes(given.codes, len(Z), np.ones(len(X)))
    first = recipe.propagate(votes)
    belief = _believed(recipe, given, votes, first)
    W = _projection(recipe, X, Z, belief)
    for _ in range(1, recipe.rounds):
        reached = _coupled(recipe, given, votes, first, _view(X, Z @ W, belief))
        belief = _believed(recipe, given, votes, reached)
        W = _projection(recipe, X, Z, belief)
    return Z_new @ W


def _coupled(
    recipe: Recipe, given: Problem, votes: np.ndarray, first: np.ndarray, view: np.ndarray
) -> np.ndarray:
    """Return what reaches each image once the projection has a view."""
    if recipe.multiply:
        return np.where(first.any(axis=1, keepdims=True), to_one(first) * view, view)
    unknown = (given.codes < 0)[:, None]
    return recipe.propagate(np.where(unknown, recipe.lambda3 * view, votes))


def _believed(recipe: Recipe, given: Problem, votes: np.ndarray, reached: np.ndarray) -> Belief:
    known = given.codes >= 0
    F, mass = to_one(reached), np.minimum(reached.sum(axis=1), 1.0)
    F[~known] = recipe.adjust(F[~known])
    if recipe.hold:
        F[known], mass[known] = votes[known], 1.0
    length = np.where(mass > 0, 1.0, 0.0) if recipe.divide else mass
    confidence = F.max(axis=1) * length
    weights = {
        "confidence": confidence,
        "squared": confidence**2,
        "equal": (confidence > 0).astype(float),
        "mass": mass,
    }[recipe.say]
    sharp = sharpen(Posterior(F, confidence), recipe.sharpness).F
    return Belief(sharp, length, np.where(known, 1.0, recipe.trust) * weights)


def _projection(recipe: Recipe, X: np.ndarray, Z: np.ndarray, belief: Belief) -> np.ndarray:
    evidence = Evidence(X, belief.F * belief.length[:, None], Z, belief.weights)
    if recipe.absolute:
        shrunk = evidence.YtY + recipe.ridge * np.eye(Z.shape[1])
        return scipy.linalg.solve(shrunk, evidence.YtX, assume_a="pos")
    learned = learn_scaled(evidence, recipe.ridge, recipe.beta)
    return learned.W * learned.scale


def _view(X: np.ndarray, seen: np.ndarray, belief: Belief) -> np.ndarray:
    """Return the classes that the projection sees, as `sapwood.models.robust` does."""
    scores = prototype_scores(X, seen, "euclidean")
    reached = np.flatnonzero(belief.weights)
    some = reached[:: -(-len(reached) // TEMPERATURE_ROWS)]
    return softmax(scores, fit_temperature(scores[some], belief.F[some], belief.weights[some]))


def scores(
    X: np.ndarray,
    P: np.ndarray,
    metric: str = "euclidean",
    scale: float = 1.0,
    length: float = 1.0,
) -> np.ndarray:
    """Score test images; `scale` multiplies prototypes, `length` their ‖p‖² in the comparison."""
    if metric == "cosine":
        return prototype_scores(X, scale * P, "cosine")
    return 2 * scale * X @ P.T - length * scale**2 * np.einsum("ij,ij->i", P, P)
