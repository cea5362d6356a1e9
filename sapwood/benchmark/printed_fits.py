"""Many fits of the paper preset to one problem, which share all that they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.benchmark.studies import accuracies
from sapwood.benchmark.workplace import kept_graphs
from sapwood.graph import affinity_matrix, nearest_neighbors, spectral_basis
from sapwood.models import SparseAttributePropagation
from sapwood.models.annotations import read_annotations
from sapwood.models.learned import coordinates, map_features
from sapwood.models.parameters import PRESETS, resolve
from sapwood.models.printed import OWN, Printed, State, solve_printed
from sapwood.projection import prototype_scores
from sapwood.solvers import Eigen

PAPER = PRESETS["paper"]

Settings = dict[str, Any]


def printed_settings(options: dict[str, Any], n: int) -> Settings:
    """Return all parameters of the paper preset, as a fit to n images with `options` has them.

    The graph is exact, as the paper has it, however many images there are.
    """
    model = SparseAttributePropagation("paper", graph="knn", **options)
    return resolve(model.get_params(deep=False), n)


class PrintedFits:
    """The paper preset on one problem: mapped features, neighbours and eigenvectors found once.

    Parameters
    ----------
    problem : Problem
    planned : iterable of dict
        Settings of all fits that will be asked for; only what the graph is made from matters. Short
        lists of neighbours are the beginning of the longest one, and so it is with eigenvectors of
        one graph.
    """

    def __init__(self, problem: Problem, planned: Iterable[Settings]) -> None:
        self.problem = problem
        known = read_annotations(problem.y, len(problem.X), problem.Z)
        self._feature_map, self._X = map_features(problem.X, PAPER["features"])
        _, self._Z = coordinates(known, PAPER["attribute_map"])
        self._Y_given = np.zeros((len(self._X), self._Z.shape[1]))
        self._Y_given[known.annotated] = self._Z[known.codes[known.annotated]]
        self._largest: dict[int, int] = {}
        for one in planned:
            self._largest[one["k_g"]] = max(one["m"], self._largest.get(one["k_g"], 0))
        self._bases: dict[int, Eigen] = {}
        with kept_graphs():
            self._lists = nearest_neighbors(self._X, max(self._largest))

    def scores(self, settings: Settings) -> Row:
        """Fit with `settings` until it converges or its iterations are spent; return the scores."""
        found = solve_printed(self._printed(settings), settings["max_iter"], settings["tol"])
        return self.scores_of(found.W)

    def states(self, settings: Settings) -> Iterator[State]:
        """Yield the state at the start and after each step of each iteration."""
        return self._printed(settings).iterate(settings["max_iter"])

    def scores_of(self, W: np.ndarray) -> Row:
        """Score the answers of the projection W, shape (k, d)."""
        images = self._feature_map.transform(self.problem.X_test.astype(float))
        prototypes = self._Z[self.problem.unseen] @ W
        return accuracies(self.problem, prototype_scores(images, prototypes, PAPER["metric"]))

    def _printed(self, settings: Settings) -> Printed:
        own = {name: settings[name] for name in OWN}
        basis = self._basis(settings["k_g"], settings["m"])
        return Printed(self._X, self._Y_given, basis, **own)

    def _basis(self, k_g: int, m: int) -> Eigen:
        if k_g not in self._bases:
            neighbors, squared = (part[:, :k_g] for part in self._lists)
            A = affinity_matrix(neighbors, squared, sigma=PAPER["sigma"])
            self._bases[k_g] = spectral_basis(A, self._largest[k_g])
        whole = self._bases[k_g]
        return Eigen(whole.values[:m], whole.vectors[:, :m])
