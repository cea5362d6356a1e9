"""Rivals by name, with settings chosen on seen classes held out as if unseen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from sapwood.baselines import BASELINES
from sapwood.baselines.base import Baseline
from sapwood.baselines.search import TRIED_MAPS, Workshop, tune
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.workplace import kept_graphs
from sapwood.features import FEATURE_MAPS

#: How a rival's name ends, and how it then takes unannotated images in.
WAYS = {"0": "ignore", "": "nearest", "+sap": "propagate", "+paper": "paper", "+nearest": "nearest"}
#: A rival that has one way of its own.
SPREADING = "label-spreading"


def rival_names() -> list[str]:
    """Return the name of every rival with every way of taking unannotated images in.

    Examples
    --------
    >>> rival_names()[:4]
    ['rpl0', 'rpl', 'rpl+sap', 'rpl+paper']
    """
    own = [name for name in BASELINES if name != SPREADING]
    return [f"{name}{end}" for name in own for end in WAYS] + [SPREADING]


def new_rival(name: str) -> Baseline:
    """Return the rival of this name, with the settings it has before any are chosen.

    Examples
    --------
    >>> new_rival("rpl0").unlabelled, new_rival("rpl+sap").unlabelled
    ('ignore', 'propagate')
    """
    if name == SPREADING:
        return BASELINES[name]()
    stem = stem_of(name)
    return BASELINES[stem](unlabelled=WAYS[name.removeprefix(stem)])


def stem_of(name: str) -> str:
    """Return a rival's name without the way in which it takes unannotated images in.

    Examples
    --------
    >>> stem_of("kernel-ridge+sap")
    'kernel-ridge'
    """
    return max((stem for stem in BASELINES if name.startswith(stem)), key=len)


@dataclass(frozen=True)
class Search:
    """What settings are chosen among, and how classes are divided for it.

    Attributes
    ----------
    features, attribute_maps : tuple of str
    seed : int
        Divides the seen classes.
    """

    features: tuple[str, ...] = tuple(FEATURE_MAPS)
    attribute_maps: tuple[str, ...] = TRIED_MAPS
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Chosen:
    """A rival with its settings chosen, and what the search took.

    Attributes
    ----------
    method : str
    model : Baseline
        Fitted.
    seconds : float
        Its share of a search that several rivals had in common.
    shared : int
        How many these were.
    """

    method: str
    model: Baseline
    seconds: float
    shared: int


def tuned_rivals(problem: Problem, names: Sequence[str], search: Search) -> Iterator[Chosen]:
    """Yield the rivals with settings chosen; those that see the same images share the search.

    Parameters
    ----------
    problem : Problem
    names : sequence of str
    search : Search

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Z, labels = rng.random((7, 5)), np.repeat(np.arange(7), 6)
    >>> X, seen = Z[labels] @ rng.random((5, 8)), labels < 6
    >>> problem = Problem(X[seen], labels[seen], Z, X[~seen], labels[~seen], np.array([6]))
    >>> [rival.method for rival in tuned_rivals(problem, ["rpl0"], Search(("whitened",)))]
    ['rpl0']
    """
    shop = Workshop(problem.X)
    rivals = {name: new_rival(name) for name in names}
    for way in dict.fromkeys(rival.unlabelled for rival in rivals.values()):
        own = [name for name, rival in rivals.items() if rival.unlabelled == way]
        # The printed algorithm's lists are long, and nobody asks for them again.
        keeping = nullcontext() if way == "paper" else kept_graphs()
        with quiet(), clocked() as taken, keeping:
            found = tune(
                [rivals[name] for name in own],
                problem.X,
                problem.y,
                class_attributes=problem.Z,
                features=search.features,
                attribute_maps=search.attribute_maps,
                random_state=search.seed,
                workshop=shop,
            )
        for name, model in zip(own, found, strict=True):
            yield Chosen(name, model, round(taken.seconds / len(own), 4), len(own))
