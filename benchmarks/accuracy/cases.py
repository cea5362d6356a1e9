"""The problems: which data, which classes are unseen, how many annotations, which draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from sapwood.benchmark import Problem, problem_of
from sapwood.data import (
    Split,
    ZeroShotData,
    annotate,
    load_zero_shot,
    make_attribute_world,
    standard_setting,
)


@dataclass(frozen=True)
class Case:
    """A family of problems; `methods` names the list of methods that is run on it."""

    title: str
    draw: Callable[[int, int], Problem]
    annotated: tuple[int, ...]
    seeds: int
    methods: str


@cache
def _data(name: str, attributes: str | None) -> ZeroShotData:
    return load_zero_shot(name, attributes=attributes)


def _drawn(name: str, split: str, K: int, seed: int, attributes: str | None = None) -> Problem:
    data = _data(name, attributes)
    return problem_of(data, standard_setting(data, split, annotated=K, seed=seed))


def _fresh(K: int, seed: int) -> Problem:
    """CUB with 50 classes drawn anew as unseen ones: another split for every seed."""
    data = _data("cub", None)
    unseen = np.sort(np.random.default_rng(1000 + seed).permutation(200)[:50])
    split = Split(name="fresh", unseen=unseen)
    return problem_of(data, standard_setting(data, split, annotated=K, seed=seed))


@cache
def _world():  # type: ignore[no-untyped-def]
    return make_attribute_world()


def _demo(K: int, seed: int) -> Problem:
    world = _world()
    train = np.flatnonzero(np.isin(world.labels, world.seen))
    test = np.flatnonzero(np.isin(world.labels, world.unseen))
    chosen = annotate(world.labels, world.seen, K, seed)
    y = np.where(np.isin(train, chosen), world.labels[train], -1)
    X, Z = world.features, world.attributes
    return Problem(X[train], y, Z, X[test], world.labels[test], world.unseen)


CASES: dict[str, Case] = {
    "cub": Case(
        "CUB, the paper's 150/50 split",
        lambda K, seed: _drawn("cub", "paper", K, seed),
        (1, 2, 5, 10, 25),
        5,
        "all",
    ),
    "cub-fresh": Case("CUB, five fresh 150/50 splits", _fresh, (1, 5, 25), 5, "strong"),
    "cub-proposed": Case(
        "CUB, proposed split",
        lambda K, seed: _drawn("cub", "proposed", K, seed),
        (1, 5, 25),
        2,
        "strong",
    ),
    "cub-sentences": Case(
        "CUB, the paper's split, classes known by sentences",
        lambda K, seed: _drawn("cub", "paper", K, seed, "sentence_attributes"),
        (1, 5, 25),
        2,
        "strong",
    ),
    "awa1": Case(
        "AwA1, low-level features, the paper's 40/10 split",
        lambda K, seed: _drawn("awa1_lowlevel", "paper", K, seed),
        (5, 25),
        2,
        "strong",
    ),
    "awa1-proposed": Case(
        "AwA1, low-level features, proposed split",
        lambda K, seed: _drawn("awa1_lowlevel", "proposed", K, seed),
        (5, 25),
        2,
        "strong",
    ),
    "demo": Case("The demo's creatures", _demo, (1, 2, 5, 10), 5, "strong"),
}
