"""The robust algorithm: the paper's three steps, each free of scale and safe for zero rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from sapwood.progress import report
from sapwood.projection import (
    Evidence,
    ScaledProjection,
    fit_temperature,
    learn_scaled,
    log_loss,
    prototype_scores,
    softmax,
)
from sapwood.propagation import Posterior, class_votes, graph_posterior, sharpen
from sapwood.solvers import Factored

#: The projection votes only if it tells this share of what withheld annotations say.
INFORMED = 1 / 3
#: Parts into which annotations are divided to be withheld in turn.
PARTS = 3
#: The preset's parameters that `Robust` takes.
SETTINGS = ("lambda1", "lambda3", "lambda4", "beta", "sharpness", "steps")
#: Images to which a temperature is fitted.
TEMPERATURE_ROWS = 4096


@dataclass(frozen=True)
class Step:
    """Where the algorithm stands after a propagation and a projection.

    Attributes
    ----------
    posterior : Posterior
        Over the p seen classes.
    evidence : Evidence
        What the projection was learned from.
    projection : ScaledProjection
    """

    posterior: Posterior
    evidence: Evidence
    projection: ScaledProjection

    @property
    def W(self) -> np.ndarray:
        """Coordinates of classes to mapped features."""
        return self.projection.to_features


@dataclass(frozen=True)
class Robust:
    """One problem, and the settings under which it is solved.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        Mapped features.
    S : sparse or factored array of shape (n, n), or None
        Normalised affinity; None if annotated images stand alone.
    codes : ndarray of shape (n,)
        Seen class of each annotated image, -1 elsewhere.
    Z : ndarray of shape (p, q)
        Coordinates of the seen classes.
    sample_weight : ndarray of shape (n,)
    lambda1, lambda3, lambda4, beta, sharpness : float
    steps : {"bpl", "sap1+bpl", "sap1+sap2+bpl"}
        Annotated images alone; plain posteriors, each image with the same say; posteriors sharpened
        and weighed by their confidence.
    tol : float
        Relative accuracy of each row's propagated votes.
    """

    X: np.ndarray
    S: scipy.sparse.csr_array | Factored | None
    codes: np.ndarray
    Z: np.ndarray
    sample_weight: np.ndarray
    lambda1: float = 1.0
    lambda3: float = 0.1
    lambda4: float = 0.08
    beta: float = 0.0
    sharpness: float = 2.0
    steps: str = "sap1+sap2+bpl"
    tol: float = 1e-9

    @property
    def annotated(self) -> np.ndarray:
        """Mask of the annotated images, shape (n,)."""
        return self.codes >= 0

    def iterate(self, max_iter: int) -> Iterator[Step]:
        """Yield the state after each of `max_iter` propagations and projections.

        From the second on the projection votes, too: for every unannotated image, with weight λ3.
        """
        votes = class_votes(self.codes, len(self.Z), self.sample_weight)
        step = self.learn(votes)
        yield step
        for turn in range(1, max_iter):
            report("learning", turn / max_iter)
            step = self.learn(np.where(self.annotated[:, None], votes, self._opinion(step)))
            yield step

    def learn(self, votes: np.ndarray, tol: float | None = None) -> Step:
        """Propagate votes, shape (n, p), and learn the projection from the result."""
        posterior = self._propagated(votes, self.tol if tol is None else tol)
        evidence = Evidence(self.X, posterior.F, self.Z, self.sample_weight * self._say(posterior))
        return Step(posterior, evidence, learn_scaled(evidence, self.lambda4, self.beta))

    def information(self, seed: int) -> float:
        """Withhold annotations in turn and ask how much of them the projection tells.

        Returns
        -------
        float
            1 - (log-loss of the withheld classes) / (log-loss of guessing): 0 is nothing, 1 all.
        """
        known = np.random.default_rng(seed).permutation(np.flatnonzero(self.annotated))
        votes = class_votes(self.codes, len(self.Z), self.sample_weight)
        scores = np.empty((len(known), len(self.Z)))
        for part in range(PARTS):
            withheld = known[part::PARTS]
            rest = votes.copy()
            rest[withheld] = 0
            if rest.any():
                prototypes = self.Z @ self.learn(rest, tol=1e-3).W
                scores[part::PARTS] = prototype_scores(self.X[withheld], prototypes, "euclidean")
            else:
                scores[part::PARTS] = 0
        truth, weights = self.codes[known], self.sample_weight[known]
        loss = log_loss(scores, truth, fit_temperature(scores, truth, weights), weights)
        return 1 - loss / float(np.log(len(self.Z)))

    def _propagated(self, votes: np.ndarray, tol: float) -> Posterior:
        if self.S is None or self.steps == "bpl":
            F = (votes > 0).astype(float)
            return Posterior(F, F.max(axis=1))
        held = self.annotated & votes.any(axis=1)
        posterior = graph_posterior(self.S, votes, self.lambda1, held, tol)
        full = self.steps == "sap1+sap2+bpl"
        return sharpen(posterior, self.sharpness) if full else posterior

    def _say(self, posterior: Posterior) -> np.ndarray:
        """The weight of each image: its confidence, or just whether annotations reach it."""
        if self.steps == "sap1+sap2+bpl":
            return posterior.confidence
        return (posterior.confidence > 0).astype(float)

    def _opinion(self, step: Step) -> np.ndarray:
        """λ3 times the classes that the projection sees in each image.

        The temperature is the one at which it agrees best with what was propagated.
        """
        scores = prototype_scores(self.X, self.Z @ step.W, "euclidean")
        reached = np.flatnonzero(step.evidence.weights)
        some = reached[:: -(-len(reached) // TEMPERATURE_ROWS)]
        F, weights = step.evidence.F[some], step.evidence.weights[some]
        return self.lambda3 * softmax(scores, fit_temperature(scores[some], F, weights))


@dataclass(frozen=True)
class Solution:
    """Where the algorithm ended, and how it came there.

    Attributes
    ----------
    step : Step
        The last one.
    trace : list of dict
        Steps and residual of each propagation.
    information : float or None
        How much the projection tells of withheld annotations; None where it was not tested.
    """

    step: Step
    trace: list[dict[str, float]]
    information: float | None


def solve_robust(problem: Robust, max_iter: int, seed: int) -> Solution:
    """Run the algorithm.

    Parameters
    ----------
    problem : Robust
    max_iter : int
        Propagations; after the first, the projection votes, but only if it is informed.
    seed : int
        Of the division of annotations.
    """
    votes = problem.S is not None and problem.lambda3 > 0 and problem.steps == "sap1+sap2+bpl"
    information = None
    if max_iter > 1 and votes and not problem.annotated.all():
        information = problem.information(seed)
    informed = information is not None and information >= INFORMED
    trace = []
    for step in problem.iterate(max_iter if informed else 1):
        trace.append(step.posterior.trace)
    return Solution(step, trace, information)
