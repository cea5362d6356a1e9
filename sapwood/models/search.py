"""Class-wise cross-validation of the robust preset, with whatever is shared computed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.graph import affinity_matrix, nearest_neighbors, normalised_affinity
from sapwood.models.annotations import Annotations
from sapwood.models.folds import ClassFold, class_folds
from sapwood.models.parameters import PRESETS
from sapwood.models.robust import INFORMED, Robust
from sapwood.progress import report
from sapwood.projection import Evidence, prototype_scores
from sapwood.solvers import symmetric_eigen

#: One change at a time to what is propagated …
PROPAGATIONS: list[dict[str, Any]] = [
    {},
    {"steps": "bpl"},
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
USUAL_RIDGE = {"kernel": PRESETS["robust"]["lambda4"], "powered": 2.0, "l2": 1.0}


@dataclass(frozen=True)
class Trial:
    """What was tried, and how it did on held-out classes.

    Attributes
    ----------
    parameters : dict
        Other than the preset's.
    ranks : ndarray of shape (images,)
        1 / rank of the true class of each annotated image when its class was held out.
    """

    parameters: dict[str, Any]
    ranks: np.ndarray


def search(
    X: np.ndarray, known: Annotations, weight: np.ndarray, n_splits: int, seed: int
) -> Iterator[Trial]:
    """Yield every trial; X are features as given, shape (n, d)."""
    usual = PRESETS["robust"]
    maps = sorted(FEATURE_MAPS, key=lambda name: name != usual["features"])
    propagated: list[tuple[dict[str, Any], Evidence]] = []
    for done, features in enumerate(maps):
        report("trials", done / len(maps))
        mapped = FeatureMap(**FEATURE_MAPS[features]).fit_transform(X)
        if not propagated:
            propagated = list(_propagations(mapped, known, weight, seed))
        for change, evidence in propagated:
            there = replace(evidence, X=mapped)
            folds = list(class_folds(there, mapped, known.seen_codes, n_splits, seed))
            for comparison in COMPARISONS if not change else COMPARISONS[:1]:
                own = {"features": features, **change, **comparison}
                yield from _ridges(folds, {**usual, **own}, own)


def choose(trials: list[Trial]) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
    """Return the chosen parameters, a row for each trial, and the reason in words.

    The preset is the trial that changes nothing; it is left only for a trial whose mean lead over
    it is larger than the lead's standard error.
    """
    usual = next(trial for trial in trials if not trial.parameters)
    log: list[dict[str, Any]] = []
    for trial in trials:
        lead = trial.ranks - usual.ranks
        log.append(
            {
                "parameters": trial.parameters,
                "reciprocal_rank": float(trial.ranks.mean()),
                "accuracy": float((trial.ranks == 1).mean()),
                "lead": float(lead.mean()),
                "standard_error": float(lead.std(ddof=1) / np.sqrt(len(lead))),
            }
        )
    best = max(range(len(log)), key=lambda i: log[i]["lead"])
    row, changes = log[best], trials[best].parameters
    said = ", ".join(f"{name}={value!r}" for name, value in changes.items())
    numbers = f"by {row['lead']:.4f} ± {row['standard_error']:.4f} in mean reciprocal rank"
    if not changes:
        return {}, log, f"of {len(log)} trials the preset itself did best"
    if row["lead"] <= row["standard_error"]:
        why = f"the preset is kept: the best of {len(log)} trials ({said}) leads {numbers} only"
        return {}, log, why
    return changes, log, f"of {len(log)} trials {said} did best, ahead of the preset {numbers}"


def _propagations(
    X: np.ndarray, known: Annotations, weight: np.ndarray, seed: int
) -> Iterator[tuple[dict[str, Any], Evidence]]:
    """Yield what is propagated under each change, with attributes of classes as given."""
    usual = PRESETS["robust"]
    most = max([usual["k_g"], *(change.get("k_g", 0) for change in PROPAGATIONS)])
    neighbors, squared = nearest_neighbors(X, min(most, len(X) - 1))
    Z = known.Z[known.seen]
    names = ("lambda1", "lambda3", "lambda4", "beta", "sharpness", "steps")
    coordinates = AttributeMap(**ATTRIBUTE_MAPS[usual["attribute_map"]]).fit(Z).transform(Z)
    informed = None
    for done, change in enumerate(PROPAGATIONS):
        report("propagation", done / len(PROPAGATIONS))
        own = {**usual, **change}
        k = own["k_g"]
        A = affinity_matrix(neighbors[:, :k], squared[:, :k], sigma=own["sigma"])
        problem = Robust(
            X,
            normalised_affinity(A),
            known.seen_codes,
            coordinates,
            weight,
            **{name: own[name] for name in names},
            # What is compared here differs by far more.
            tol=1e-4,
        )
        # Asked once: it hardly depends on what is changed here.
        informed = problem.information(seed) >= INFORMED if informed is None else informed
        alone = own["steps"] == "bpl" or not informed
        *_, last = problem.iterate(1 if alone else own["max_iter"])
        yield change, Evidence(X, last.evidence.F, Z, last.evidence.weights)


def _ridges(
    folds: list[ClassFold], settings: dict[str, Any], changes: dict[str, Any]
) -> Iterator[Trial]:
    """Yield a trial for each ridge; without a forward term they share an eigendecomposition."""
    ranks: dict[float, list[np.ndarray]] = defaultdict(list)
    for fold in folds:
        evidence, held = fold.described(settings["attribute_map"])
        attributes = symmetric_eigen(evidence.YtY)
        unit = attributes.values.mean()
        rotated = attributes.vectors.T @ evidence.YtX
        projected = held @ attributes.vectors
        for factor in RIDGES:
            ridge = factor * USUAL_RIDGE[settings["attribute_map"]]
            prototypes = (projected / (attributes.values + ridge * unit)) @ rotated
            scores = prototype_scores(fold.X, prototypes, settings["metric"])
            ranks[ridge].append(fold.reciprocal_ranks(scores))
    usual = PRESETS["robust"]
    for ridge, found in ranks.items():
        own = {**changes, "lambda4": ridge}
        other = {name: value for name, value in own.items() if value != usual[name]}
        yield Trial(other, np.concatenate(found))
