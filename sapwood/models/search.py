"""Class-wise cross-validation of the robust preset, with whatever is shared computed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.annotations import Annotations
from sapwood.models.checks import check_mapped
from sapwood.models.choice import Trial
from sapwood.models.coordinates import Coordinates, alike_or_weighed, choose_coordinates
from sapwood.models.folds import ClassFold, class_folds
from sapwood.models.learned import affinity_of, coordinates, none_is_a_guide
from sapwood.models.parameters import USUAL, graph_for
from sapwood.models.parts import in_statistics
from sapwood.models.robust import INFORMED, SETTINGS, Robust
from sapwood.models.weighted import COORDINATES
from sapwood.progress import listening, report
from sapwood.projection import Evidence, prototype_scores, prototypes_along

#: One change at a time to what is propagated …
PROPAGATIONS: list[dict[str, Any]] = [
    {},
    {"steps": "sap1+bpl"},
    {"max_iter": 1},
    {"sharpness": 1.0},
    {"sharpness": 4.0},
    {"lambda1": 0.5},
    {"lambda1": 2.0},
    {"k_g": 5},
    {"k_g": 20},
]
#: … or to how classes and images are compared …
COMPARISONS: list[dict[str, Any]] = [
    {},
    {"metric": "cosine"},
    {"attribute_map": "powered"},
    {"attribute_map": "powered", "metric": "cosine"},
    {"attribute_map": "l2"},
    {"attribute_map": "l2", "metric": "cosine"},
]
#: … each with ridges from an eighth to eight times the usual one, which is larger without a kernel.
RIDGES = tuple(2.0**power for power in range(-3, 4))
USUAL_RIDGE = {"kernel": USUAL["lambda4"], "powered": 2.0, "l2": 1.0}
#: Features of any length need an affinity of any width.
SCALES: dict[str, dict[str, Any]] = {"raw": {"sigma": "mean"}}


def search(
    X: np.ndarray, known: Annotations, weight: np.ndarray, n_splits: int, seed: int
) -> Iterator[Trial]:
    """Yield every trial; X are features as given, shape (n, d).

    Each part has two classes or more, or there would be nothing to tell apart: there is no trial
    with fewer than four classes, nor where none is a guide to another.
    """
    codes = known.seen_codes
    n_splits = min(n_splits, len(np.unique(codes[codes >= 0])) // 2)
    propagated: list[tuple[dict[str, Any], Evidence]] = []
    if n_splits < 2 or none_is_a_guide(known, coordinates(known, USUAL["attribute_map"])[1]):
        return
    report("features")
    for done, (features, mapped) in enumerate(_mapped(X, in_statistics(codes))):
        if not propagated:
            propagated = list(_propagations(mapped, known, weight, seed))
            freedom = _freedom(propagated[0][1], codes, seed)
        for turn, (change, evidence) in enumerate(propagated):
            report("trials", (done + turn / len(propagated)) / len(FEATURE_MAPS))
            there = replace(evidence, X=mapped)
            folds = list(class_folds(there, mapped, codes, n_splits, seed))
            for comparison in COMPARISONS if not change else COMPARISONS[:1]:
                own = {"features": features, **SCALES.get(features, {}), **change, **comparison}
                yield from _ridges(folds, {**USUAL, "attribute_freedom": freedom, **own}, own)


def _freedom(evidence: Evidence, codes: np.ndarray, seed: int) -> float:
    """Ask, as a fit does, whether attributes count alike: a trial is no better for that alone."""
    usual = Coordinates(*(USUAL[name] for name in COORDINATES))
    tried = alike_or_weighed(usual)
    return choose_coordinates(evidence, codes, tried, USUAL["metric"], seed).freedom


def _mapped(X: np.ndarray, counts: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield X under every feature map, the usual one first; others that leave nothing are skipped.

    Without the usual one there is no fit either. `counts`, shape (n,), is what an image counts in
    their statistics.
    """
    usual = USUAL["features"]
    for name in sorted(FEATURE_MAPS, key=lambda name: name != usual):
        try:
            found = FeatureMap(**FEATURE_MAPS[name]).fit_transform(X, sample_weight=counts)
            mapped = check_mapped(found, name)
        except InputError:
            if name == usual:
                raise
            continue
        yield name, mapped


def _propagations(
    X: np.ndarray, known: Annotations, weight: np.ndarray, seed: int
) -> Iterator[tuple[dict[str, Any], Evidence]]:
    """Yield what is propagated under each change, with attributes of classes as given."""
    _, Z = coordinates(known, USUAL["attribute_map"])
    informed = None
    for done, (change, S) in enumerate(_affinities(X, seed)):
        report("propagation", done / len(PROPAGATIONS))
        own = {**USUAL, **change}
        problem = Robust(
            X,
            S,
            known.seen_codes,
            Z[known.seen],
            weight,
            **{name: own[name] for name in SETTINGS},
            # What is compared here differs by far more.
            tol=1e-4,
        )
        # Its own stages are not those of the search.
        with listening(lambda stage, done: None):
            # Asked once: it hardly depends on what is changed here.
            informed = problem.information(seed) >= INFORMED if informed is None else informed
            votes = informed and own["steps"] == USUAL["steps"]
            *_, last = problem.iterate(own["max_iter"] if votes else 1)
        yield change, Evidence(X, last.evidence.F, known.Z[known.seen], last.evidence.weights)


def _affinities(X: np.ndarray, seed: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield each change with the affinity that it has, all of them from one list of neighbours.

    Where images are so many that they are compared with landmarks, all changes have one affinity,
    and those of the number of neighbours are left out.
    """
    if graph_for(USUAL["graph"], len(X)) == "landmark":
        S = affinity_of(X, {**USUAL, "seed": seed})
        yield from ((change, S) for change in PROPAGATIONS if "k_g" not in change)
        return
    most = max([USUAL["k_g"], *(change.get("k_g", 0) for change in PROPAGATIONS)])
    neighbors, squared = nearest_neighbors(X, min(most, len(X) - 1))
    for change in PROPAGATIONS:
        if "k_g" in change:
            change = {"k_g": min(change["k_g"], len(X) - 1)}
        k = change.get("k_g", USUAL["k_g"])
        A = affinity_matrix(neighbors[:, :k], squared[:, :k], sigma=USUAL["sigma"])
        yield change, normalised_affinity(A)


def _ridges(
    folds: list[ClassFold], settings: dict[str, Any], changes: dict[str, Any]
) -> Iterator[Trial]:
    """Yield a trial for each ridge; without a forward term they share an eigendecomposition."""
    ranks: dict[float, list[np.ndarray]] = defaultdict(list)
    usual = USUAL_RIDGE[settings["attribute_map"]]
    ridges = [factor * usual for factor in RIDGES]
    for fold in folds:
        freedom = settings["attribute_freedom"]
        evidence, held = fold.described(settings["attribute_map"], usual, freedom)
        tried = zip(ridges, prototypes_along(evidence, held, ridges), strict=True)
        for ridge, prototypes in tried:
            scores = prototype_scores(fold.X, prototypes, settings["metric"])
            ranks[ridge].append(fold.reciprocal_ranks(scores))
    classes = np.concatenate([fold.classes[fold.truth] for fold in folds])
    for ridge, found in ranks.items():
        yield Trial(_other(changes, ridge), np.concatenate(found), classes)


def _other(changes: dict[str, Any], ridge: float) -> dict[str, Any]:
    """Return what a trial has other than the preset; coordinates are all left to it, or none."""
    own = {"attribute_map": USUAL["attribute_map"], **changes, "lambda4": ridge}
    chosen = ("attribute_map", "lambda4")
    left = all(own[name] == USUAL[name] for name in chosen)
    return {n: v for n, v in own.items() if (not left if n in chosen else v != USUAL[n])}
