"""How the algorithm's loop goes on: objective, change of W and accuracy, iteration by iteration.

The paper says that at most five iterations are needed. The robust preset's loop is its rounds of
propagation and projection; it has no single objective.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.methods import quiet
from sapwood.benchmark.printed_fits import PrintedFits, Settings, printed_settings
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.benchmark.studies import accuracies, draw, long_cases, plain_row
from sapwood.benchmark.workplace import kept_graphs
from sapwood.graph import normalised_affinity
from sapwood.models.annotations import read_annotations
from sapwood.models.checks import draw_seed
from sapwood.models.learned import coordinates, graph_of, map_features
from sapwood.models.parameters import USUAL
from sapwood.models.robust import INFORMED, SETTINGS, Robust
from sapwood.projection import prototype_scores

METHODS = ("paper", "robust")
#: Iterations of the printed loop at most, and rounds of the robust one.
ITERATIONS, ROUNDS, QUICK = 100, 30, 15
#: The loop has converged where W changes by less, relatively; it is left where it stands still.
CONVERGED, STILL = 1e-3, 1e-6


def cases(asked: Asked) -> list[Case]:
    """Return data × seed at one K."""
    return long_cases("convergence", asked)


def methods(case: Case) -> list[str]:
    """Return the presets."""
    return list(METHODS)


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each of `methods`."""
    problem = draw(case)
    for name in methods:
        with quiet():
            if name == "paper":
                row = _printed(problem, QUICK if case.quick else ITERATIONS)
            else:
                row = _robust(problem, QUICK if case.quick else ROUNDS)
        yield row


def iterations_to_converge(change: Sequence[float]) -> int | None:
    """Return the first iteration, counted from 1, with a change below a thousandth.

    Examples
    --------
    >>> iterations_to_converge([0.5, 0.1, 1e-4, 1e-5]), iterations_to_converge([0.5])
    (3, None)
    """
    small = np.flatnonzero(np.asarray(change) < CONVERGED)
    return int(small[0]) + 1 if len(small) else None


def _printed(problem: Problem, iterations: int) -> Row:
    settings = printed_settings({"max_iter": iterations, "tol": 0.0}, len(problem.X))
    fits, objective = PrintedFits(problem, [settings]), list[float]()

    def projections() -> Iterator[np.ndarray]:
        for state in fits.states(settings):
            if state.step == "bpl":
                objective.append(state.objective)
            if state.step in ("start", "bpl"):
                yield state.W

    row = plain_row(problem, "paper", "paper", settings) | _followed(projections(), fits.scores_of)
    fall = -np.diff(objective) / np.maximum(np.abs(objective[1:]), 1e-300)
    needed = iterations_to_converge([np.inf, *fall])
    return {**row, "objective": objective, "objective_iterations_to_converge": needed}


def _robust(problem: Problem, rounds: int) -> Row:
    """Run the rounds with all images and with the vote, whether or not a fit would give it."""
    settings = {**USUAL, "graph": "knn", "max_iter": rounds, "unlabelled": "all"}
    # The projection is followed, not what comes after it.
    settings["error_whitening"] = 0.0
    settings["k_g"] = min(settings["k_g"], len(problem.X) - 1)
    robust, scores_of = _prepared(problem, settings)

    def projections() -> Iterator[np.ndarray]:
        # As in the printed loop, the start is a projection learned from annotated images alone.
        yield next(replace(robust, S=None).iterate(1)).W
        yield from (step.W for step in robust.iterate(rounds))

    row = plain_row(problem, "robust", "robust", settings) | _followed(projections(), scores_of)
    # With the seed that an estimator has where nobody gives one.
    information = robust.information(draw_seed(0))
    return {**row, "information": information, "votes": information >= INFORMED}


def _prepared(problem: Problem, settings: Settings) -> tuple[Robust, Callable[[np.ndarray], Row]]:
    """Return the robust algorithm for a problem, and what scores a projection."""
    known = read_annotations(problem.y, len(problem.X), problem.Z)
    feature_map, X = map_features(problem.X, settings["features"])
    _, Z = coordinates(known, settings["attribute_map"])
    with kept_graphs():
        S = normalised_affinity(graph_of(X, settings))
    own = {name: settings[name] for name in SETTINGS}
    images = feature_map.transform(problem.X_test.astype(float))

    def scores_of(W: np.ndarray) -> Row:
        prototypes = Z[problem.unseen] @ W
        return accuracies(problem, prototype_scores(images, prototypes, settings["metric"]))

    return Robust(X, S, known.seen_codes, Z[known.seen], np.ones(len(X)), **own), scores_of


def _followed(projections: Iterator[np.ndarray], scores_of: Callable[[np.ndarray], Row]) -> Row:
    """Follow W from its start until it stands still; the row's scores are those of the last."""
    W = next(projections)
    start, change, scores = scores_of(W), list[float](), list[Row]()
    for new in projections:
        length = max(float(np.linalg.norm(new)), 1e-300)
        change.append(float(np.linalg.norm(new - W)) / length)
        scores.append(scores_of(new))
        W = new
        if change[-1] < STILL:
            break
    return {
        **scores[-1],
        "change": change,
        "accuracy_at_start": start["accuracy"],
        "accuracy_by_iteration": [row["accuracy"] for row in scores],
        "iterations_to_converge": iterations_to_converge(change),
    }
