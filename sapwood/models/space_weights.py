"""How much each of several semantic spaces counts, chosen on seen classes held out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.models.annotations import read_annotations
from sapwood.models.checks import check_training_features, draw_seed
from sapwood.models.choice import NOTHING_TO_ASK, Trial, best_row, choose
from sapwood.models.folds import ClassFold, class_folds
from sapwood.models.learned import affinity_of
from sapwood.models.limits import Number, require
from sapwood.models.parameters import USUAL
from sapwood.models.parts import in_statistics
from sapwood.models.robust import Robust
from sapwood.progress import report
from sapwood.projection import Evidence, prototype_scores, prototypes_along
from sapwood.text import ClassSpaces

#: Weights are tried in steps of one part of this many.
PARTS = 10


@dataclass(frozen=True)
class SpaceWeights:
    """What was chosen, and why.

    Attributes
    ----------
    weights : tuple of float
        One for each space, with sum 1.
    log : list of dict
        For each trial its weights, and how it did, as in `SparseAttributePropagationCV`.
    summary : str
    """

    weights: tuple[float, ...]
    log: list[dict[str, Any]]
    summary: str


def weigh_spaces(
    X: Any,
    y: Any,
    spaces: Sequence[np.ndarray],
    *,
    class_names: Any = None,
    names: Sequence[str] | None = None,
    n_splits: int = 3,
    random_state: Any = 0,
) -> SpaceWeights:
    """Choose weights for :class:`sapwood.text.ClassSpaces`; no image of an unseen class is asked.

    Annotations are propagated once, which needs no description of classes. Then seen classes are
    held out as if they were unseen, and their annotated images are named under each choice of
    weights. The first space alone is left only for a choice that leads it by more than two
    standard errors.

    Parameters
    ----------
    X, y, class_names
        As in :meth:`sapwood.SparseAttributePropagation.fit`.
    spaces : sequence of arrays of shape (classes, k)
        Descriptions of the same classes; the one trusted most comes first.
    names : sequence of str, optional
        What the spaces are called in the summary.
    n_splits : int
        Parts into which seen classes are divided.
    random_state : int, RandomState or None

    Returns
    -------
    SpaceWeights

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z, labels = rng.random((30, 6)), np.repeat(np.arange(30), 8)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.1 * rng.random((240, 9))
    >>> weigh_spaces(X, labels, [rng.random((30, 6)), Z]).weights
    (0.0, 1.0)
    """
    spaces = _checked(spaces, names)
    features = FeatureMap(**FEATURE_MAPS[USUAL["features"]])
    checked = check_training_features(features, X, y)
    # Classes by number: each trial describes them in its own way.
    numbers = np.arange(1.0, len(spaces[0]) + 1)[:, None]
    known = read_annotations(y, len(checked), numbers, class_names)
    codes, seen = known.seen_codes, known.seen
    require("n_splits", n_splits, Number(2, integer=True))
    n_splits, seed = min(n_splits, len(seen) // 2), draw_seed(random_state)
    alone = (1.0, *(0.0 for _ in spaces[1:]))
    names = names or [f"space {i + 1}" for i in range(len(spaces))]
    if n_splits < 2 or len(spaces) == 1:
        why = "there is no other" if len(spaces) == 1 else NOTHING_TO_ASK
        return SpaceWeights(alone, [], f"{names[0]} alone: {why}")
    mapped = features.fit_transform(checked, sample_weight=in_statistics(codes))
    evidence = _propagated(mapped, codes, len(seen), seed)
    folds = list(class_folds(evidence, evidence.X, codes, n_splits, seed))
    # A fold may leave a column without a value that other seen classes have.
    described = [_with_means(Z[seen]) for Z in spaces]
    trials = []
    tried = list(_lattice(len(spaces)))
    for done, weights in enumerate(tried):
        report("weights", done / len(tried))
        trials.append(_trial(folds, described, weights, alone))
    chosen, log, _ = choose(trials)
    weights = chosen.get("weights", alone)
    return SpaceWeights(weights, log, _summary(weights, log, names))


def _checked(spaces: Sequence[Any], names: Sequence[str] | None) -> list[np.ndarray]:
    try:
        arrays = [np.asarray(Z, dtype=float) for Z in spaces]
    except (TypeError, ValueError) as error:
        raise InputError(f"spaces have entries that are not numbers ({error})") from None
    shapes = [Z.shape for Z in arrays]
    if not arrays or any(len(shape) != 2 or shape[0] != shapes[0][0] for shape in shapes):
        raise InputError(
            f"spaces have shapes {shapes}; expected (classes, k), with a row for the same classes "
            "in each"
        )
    for number, Z in enumerate(arrays):
        if np.isinf(Z).any():
            raise InputError(f"spaces[{number}] has infinite entries; NaN is for missing ones")
    if names is not None and len(names) != len(arrays):
        raise InputError(f"names has {len(names)} entries for {len(arrays)} spaces; name each one")
    return arrays


def _with_means(Z: np.ndarray) -> np.ndarray:
    """Put each column's mean where a value is missing; a column without any stays as it is."""
    known = ~np.isnan(Z)
    means = np.where(known, Z, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(known | ~known.any(axis=0), Z, means)


def _lattice(count: int) -> Iterator[tuple[float, ...]]:
    """Yield all weights of `count` spaces in whole parts, those of one space included."""
    for parts in product(range(PARTS + 1), repeat=count):
        if sum(parts) == PARTS:
            yield tuple(part / PARTS for part in parts)


def _propagated(X: np.ndarray, codes: np.ndarray, p: int, seed: int) -> Evidence:
    """What mapped features and annotations say after one propagation."""
    report("neighbours")
    S = affinity_of(X, {**USUAL, "seed": seed})
    # The first propagation does not look at coordinates of classes.
    problem = Robust(X, S, codes, np.eye(p), np.ones(len(X)), tol=1e-4)
    found = next(problem.iterate(1)).evidence
    return Evidence(X, found.F, np.arange(p)[:, None], found.weights)


def _trial(
    folds: list[ClassFold],
    spaces: list[np.ndarray],
    weights: tuple[float, ...],
    alone: tuple[float, ...],
) -> Trial:
    ranks = [fold.reciprocal_ranks(_scores(fold, spaces, weights)) for fold in folds]
    # Folds hold different classes out.
    classes = np.concatenate([fold.held[fold.truth, 0] for fold in folds])
    return Trial({} if weights == alone else {"weights": weights}, np.concatenate(ranks), classes)


def _scores(fold: ClassFold, spaces: list[np.ndarray], weights: tuple[float, ...]) -> np.ndarray:
    """Name the images of classes held out after learning from the others."""
    kept, held = fold.evidence.Z[:, 0], fold.held[:, 0]
    together = ClassSpaces(weights).fit([Z[kept] for Z in spaces])
    given = together.transform([Z[kept] for Z in spaces])
    mapped = AttributeMap(**ATTRIBUTE_MAPS[USUAL["attribute_map"]]).fit(given)
    taught = fold.evidence.described(lambda _: mapped.transform(given))
    others = mapped.transform(together.transform([Z[held] for Z in spaces]))
    (prototypes,) = prototypes_along(taught, others, [USUAL["lambda4"]])
    return prototype_scores(fold.X, prototypes, USUAL["metric"])


def _summary(weights: tuple[float, ...], log: list[dict[str, Any]], names: Sequence[str]) -> str:
    best, first = best_row(log), names[0]
    if not best["parameters"]:
        return f"{first} alone: no other weights did better on seen classes held out"
    pairs = zip(names, best["parameters"]["weights"], strict=True)
    said = ", ".join(f"{name} {weight:g}" for name, weight in pairs)
    numbers = f"by {best['lead']:.4f} ± {best['standard_error']:.4f} in mean reciprocal rank"
    if weights[0] == 1:
        return f"{first} alone: {said} lead {numbers} only"
    return f"{said} did best on seen classes held out, ahead of {first} alone {numbers}"
