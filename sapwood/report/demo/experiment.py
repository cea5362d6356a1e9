"""The demo's experiment: rows of results, and one fitted model to look into."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from sapwood.data import annotate
from sapwood.data.world import AttributeWorld
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.metrics import accuracy
from sapwood.models import SparseAttributePropagation

Progress = Callable[[str, float], None]
Row = dict[str, Any]
#: Names of the methods, in the order of the table.
SAPWOOD = "sapwood"
NEAREST = "nearest-neighbour labels"
ALONE = "annotated pictures only"
WEB = "annotated + web pictures"
BLIND = "the same, unjudged"
METHODS = (SAPWOOD, NEAREST, ALONE, WEB, BLIND)
#: What a method is, where it is not the default.
OPTIONS: dict[str, dict[str, Any]] = {
    NEAREST: {"steps": "bpl"},
    ALONE: {"steps": "bpl"},
    BLIND: {"unlabelled": "all"},
}
#: Annotated pictures a class, and how often they are drawn anew.
ANNOTATED = (1, 2, 5, 10, 20)
DRAWS = 5
ALL = "all"
#: Iterations for which the printed algorithm's convergence is shown.
ITERATIONS = 20


@dataclass(frozen=True, eq=False)
class Study:
    """What the experiment found.

    Parameters
    ----------
    rows : list of dict
        One a fit: ``method``, ``annotated`` (K or "all"), ``draw`` and ``accuracy``.
    train, test : ndarray of int
        Rows of the world: pictures of seen and of unseen classes.
    known : ndarray of int, shape (train,)
        The annotations `model` was given, −1 for none.
    model : SparseAttributePropagation
        Fitted with one annotated picture a class.
    printed, traced : SparseAttributePropagation
        The paper's preset on the same pictures, stopped as published and run on.
    """

    rows: list[Row]
    train: np.ndarray
    test: np.ndarray
    known: np.ndarray
    model: SparseAttributePropagation
    printed: SparseAttributePropagation
    traced: SparseAttributePropagation


def run_study(
    world: AttributeWorld,
    *,
    annotated: Iterable[int] = ANNOTATED,
    draws: int = DRAWS,
    progress: Progress | None = None,
) -> Study:
    """Fit and score every method with K annotated pictures a class, several draws of each.

    Parameters
    ----------
    world : AttributeWorld
    annotated : iterable of int
        The values of K; those that leave nothing unannotated are skipped.
    draws : int
    progress : callable, optional

    Examples
    --------
    >>> from sapwood.data.world import make_attribute_world
    >>> world = make_attribute_world(seen=4, unseen=2, strangers=1, per_class=6, web=8, size=32)
    >>> study = run_study(world, annotated=[1], draws=1)
    >>> len(study.rows), study.rows[-1]["annotated"]
    (7, 'all')
    """
    # Matrices this small are done before a second thread is awake.
    with threadpool_limits(1):
        return _run_study(world, annotated, draws, progress or (lambda stage, share: None))


def _run_study(
    world: AttributeWorld, annotated: Iterable[int], draws: int, told: Progress
) -> Study:
    train = np.flatnonzero(np.isin(world.labels, world.seen))
    test = np.flatnonzero(np.isin(world.labels, world.unseen))
    few = np.bincount(world.labels[train], minlength=1)[world.seen].min()
    counts = [k for k in annotated if k < few]
    runs = [(k, draw) for k in counts for draw in range(draws)]
    rows: list[Row] = []
    for done, (k, draw) in enumerate(runs):
        told("fitting", done / len(runs))
        y = given(world, train, k, draw)
        rows += [_row(world, test, m, k, draw, *_problem(m, world, train, y)) for m in METHODS]
    everything = (world.features[train], world.labels[train])
    rows += [_row(world, test, m, ALL, 0, *everything) for m in (SAPWOOD, ALONE)]
    known = given(world, train, counts[0], 0)
    model = _fit(world, world.features[train], known)
    printed, traced = (_printed(world, train, known, n) for n in (None, ITERATIONS))
    return Study(rows, train, test, known, model, printed, traced)


def given(world: AttributeWorld, train: np.ndarray, k: int, draw: int) -> np.ndarray:
    """Return the labels of the training pictures, −1 for all but k of each class."""
    chosen = annotate(world.labels, world.seen, k, draw)
    return np.where(np.isin(train, chosen), world.labels[train], -1)


def _problem(
    method: str, world: AttributeWorld, train: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and labels a method is fitted on."""
    X = world.features[train]
    if method == SAPWOOD:
        return X, y
    if method == NEAREST:
        return X, _nearest_labels(X, y)
    own, labels = X[y >= 0], y[y >= 0]
    if method == ALONE:
        return own, labels
    unknown = np.full(len(world.web_features), -1)
    return np.concatenate([own, world.web_features]), np.concatenate([labels, unknown])


def _nearest_labels(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Give each picture the label of the nearest annotated one, seen through the same features."""
    mapped = FeatureMap(**FEATURE_MAPS["whitened"]).fit_transform(X)
    annotated = np.flatnonzero(y >= 0)
    # Rows have unit length, so the nearest is the one with the largest product.
    return y[annotated[(mapped @ mapped[annotated].T).argmax(axis=1)]]


def _fit(world: AttributeWorld, X: np.ndarray, y: np.ndarray, **options: Any) -> Any:
    model = SparseAttributePropagation(**options)
    return model.fit(X, y, class_attributes=world.attributes, class_names=world.class_names)


def _row(
    world: AttributeWorld,
    test: np.ndarray,
    method: str,
    k: int | str,
    draw: int,
    X: np.ndarray,
    y: np.ndarray,
) -> Row:
    model = _fit(world, X, y, **OPTIONS.get(method, {}))
    answers = model.predict(world.features[test], classes=world.unseen)
    found = accuracy(world.labels[test], answers)
    return {"method": method, "annotated": k, "draw": draw, "accuracy": found}


def _printed(world: AttributeWorld, train: np.ndarray, y: np.ndarray, most: int | None) -> Any:
    n = len(train)
    with warnings.catch_warnings():
        # Whether it has converged is what the report shows.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return _fit(
            world,
            world.features[train],
            y,
            preset="paper",
            max_iter=most,
            k_g=min(300, n - 1),
            m=min(50, n - 1),
        )
