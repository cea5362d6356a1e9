"""Fair tuning: class-wise cross-validation of any rivals, sharing whatever they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone

from sapwood.baselines.base import Baseline
from sapwood.baselines.unlabelled import FILLS, IGNORE
from sapwood.errors import InputError
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.models.annotations import Annotations, read_annotations
from sapwood.models.checks import check_training_features
from sapwood.models.folds import ClassFold, class_folds
from sapwood.progress import report
from sapwood.projection import Evidence

#: Attribute maps that the search tries with every feature map and every trial.
TRIED_MAPS = ("l2", "powered")

Method = TypeVar("Method", bound=Baseline)


@dataclass(frozen=True)
class Workshop:
    """Training features under every feature map, each mapped once and when first asked for.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    """

    X: np.ndarray
    _maps: dict[str, tuple[FeatureMap, np.ndarray]] = field(default_factory=dict, repr=False)

    def mapped(self, features: str) -> tuple[FeatureMap, np.ndarray]:
        """Return the fitted map of this name and the mapped features."""
        if features not in self._maps:
            fitted = FeatureMap(**FEATURE_MAPS[features])
            self._maps[features] = fitted, fitted.fit_transform(self.X)
        return self._maps[features]


def tune(
    estimators: Sequence[Method],
    X: Any,
    y: Any,
    *,
    class_attributes: Any,
    class_names: Any = None,
    attribute_names: Any = None,
    features: Sequence[str] = tuple(FEATURE_MAPS),
    attribute_maps: Sequence[str] = TRIED_MAPS,
    n_splits: int = 3,
    random_state: int = 0,
    workshop: Workshop | None = None,
) -> list[Method]:
    """Choose each rival's settings on seen classes held out as if unseen, and fit it with them.

    Every rival is given the same folds and, unless slow, as many trials: its own grid under every
    feature map and two attribute maps. Images are only used as the rival itself uses them; no
    image of an unseen class is looked at.

    Parameters
    ----------
    estimators : sequence of Baseline
        Their `unlabelled` stays as it is; everything in their grid, `features` and
        `attribute_map` is chosen.
    X, y, class_attributes, class_names, attribute_names
        As in :meth:`Baseline.fit`.
    features, attribute_maps : sequence of str
        Those to choose among.
    n_splits : int
        Folds of classes; with 3, two of three seen classes teach and one is asked.
    random_state : int
        Divides the classes.
    workshop : Workshop, optional
        For several searches over the same X.

    Returns
    -------
    list of Baseline
        Fitted, each with ``search_log_``: what was tried, the mean reciprocal rank of the true
        class (which decides) and the accuracy.

    Examples
    --------
    >>> from sapwood.baselines import RPL
    >>> rng = np.random.default_rng(0)
    >>> Z, labels = rng.random((6, 5)), np.repeat(np.arange(6), 10)
    >>> X = Z[labels] @ rng.random((5, 8)) + 0.01 * rng.random((60, 8))
    >>> (model,) = tune([RPL()], X, np.where(labels < 5, labels, -1), class_attributes=Z)
    >>> len(model.search_log_)
    490
    """
    models = [clone(estimator) for estimator in estimators]
    if not models:
        return []
    for model in models:
        model._checked(vars(model))
        checked = check_training_features(model, X, y)
    X = checked
    known = read_annotations(y, len(X), class_attributes, class_names, attribute_names)
    shop = workshop or Workshop(X)
    if not np.array_equal(shop.X, X):
        raise InputError("workshop holds other features than X; make one for each X")
    pools = _pools(models, shop, known)
    steps = [(pool, name) for pool in pools for name in features]
    for done, (pool, name) in enumerate(steps):
        report("trials", done / len(steps))
        pool.run_trials(name, attribute_maps, n_splits, random_state)
    for pool in pools:
        pool.settle()
    return models


def _pools(models: Sequence[Baseline], shop: Workshop, known: Annotations) -> list[_Pool]:
    """Part the rivals by the images they see: all, or the annotated ones alone."""
    alone = [model for model in models if model.unlabelled == IGNORE]
    others = [model for model in models if model.unlabelled != IGNORE]
    pools = [_Pool(others, shop, known)] if others else []
    if alone:
        pools.append(_Pool(alone, Workshop(shop.X[known.annotated]), known.of_annotated()))
    return pools


@dataclass(frozen=True)
class _Pool:
    """Rivals that see the same images, with what was tried for each.

    What each way of taking unannotated images in makes of each feature map is found once.
    """

    models: Sequence[Baseline]
    shop: Workshop
    known: Annotations
    _logs: dict[int, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    _found: dict[tuple[str, str], Evidence] = field(default_factory=dict)

    def run_trials(
        self, features: str, attribute_maps: Sequence[str], n_splits: int, seed: int
    ) -> None:
        """Run every trial of every model under one feature map, and note what came out."""
        (_, X), codes = self.shop.mapped(features), self.known.seen_codes
        ranks: dict[tuple[int, str, int], list[np.ndarray]] = defaultdict(list)
        for unlabelled in dict.fromkeys(model.unlabelled for model in self.models):
            asked = [i for i, model in enumerate(self.models) if model.unlabelled == unlabelled]
            evidence = self._evidence(features, unlabelled)
            for fold in class_folds(evidence, X, codes, n_splits, seed):
                for i in asked:
                    for name, trial, found in _tried(self.models[i], fold, attribute_maps):
                        ranks[i, name, trial].append(found)
        for (i, name, trial), parts in ranks.items():
            rank = np.concatenate(parts)
            chosen = {"features": features, "attribute_map": name, **self.models[i].grid[trial]}
            row = {"reciprocal_rank": float(rank.mean()), "accuracy": float((rank == 1).mean())}
            self._logs[i].append({"parameters": chosen, **row})

    def settle(self) -> None:
        """Fit every model with the settings that did best."""
        for i, model in enumerate(self.models):
            best = max(self._logs[i], key=lambda row: row["reciprocal_rank"])
            model.set_params(**best["parameters"])
            feature_map, mapped = self.shop.mapped(model.features)
            evidence = self._evidence(model.features, model.unlabelled)
            model._learn(feature_map, mapped, self.known, np.ones(len(mapped)), evidence)
            model.search_log_ = self._logs[i]

    def _evidence(self, features: str, unlabelled: str) -> Evidence:
        """Return it with the attributes of seen classes as given."""
        key = (features, unlabelled)
        if key not in self._found:
            known, (_, X) = self.known, self.shop.mapped(features)
            fill = FILLS[unlabelled]
            self._found[key] = fill(X, known.seen_codes, known.Z[known.seen], np.ones(len(X)))
        return self._found[key]


def _tried(
    model: Baseline, fold: ClassFold, attribute_maps: Sequence[str]
) -> Iterator[tuple[str, int, np.ndarray]]:
    for name in attribute_maps:
        evidence, held = fold.described(name)
        for trial, scores in enumerate(model.score_trials(evidence, model.grid, fold.X, held)):
            yield name, trial, fold.reciprocal_ranks(scores)
