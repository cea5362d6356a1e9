"""Annotated images and unlabelled ones from elsewhere: the paper's Table 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import (
    ELSEWHERE,
    LISTED,
    WEB,
    data_alone,
    get_data,
    get_web,
    has_web,
)
from sapwood.benchmark.draws import (
    FEW,
    QUICK_SEEDS,
    SEEDS,
    allowed_counts,
    first_split,
    is_split_file,
)
from sapwood.benchmark.methods import Learned, fitted, known_methods, learned, own_methods, row_of
from sapwood.benchmark.problems import Problem, problem_of
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import insides, standard_scores
from sapwood.data import external_setting
from sapwood.data.filters import discard_unseen
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.models import SparseAttributePropagation

IGNORING = "sapwood-ignoring"
#: Ours, and how each differs from the default; the last two are given what the paper's filter left.
OURS: dict[str, dict[str, Any]] = {
    "sapwood": {},
    IGNORING: {},
    "sapwood-all": {"unlabelled": "all"},
    "sapwood-near": {"unlabelled": "near"},
    "sapwood-paper": {"preset": "paper"},
    "sapwood-filtered": {},
    "sapwood-filtered-all": {"unlabelled": "all"},
}
#: Rivals that the paper fills by its own propagation, as Table 4 has them.
FILLED = ("rpl", "eszsl", "zskl", "kernel-ridge")
RIVALS = (
    "rpl0", "rpl", "rpl+sap", "eszsl0", "eszsl", "eszsl+sap", "zskl0", "zskl",
    "kernel-ridge0", "kernel-ridge", "kernel-ridge+sap",
)  # fmt: skip
QUICK = ("sapwood", IGNORING, "sapwood-paper", "rpl0", "rpl", "eszsl0", "eszsl", "zskl0", "zskl")


def cases(asked: Asked) -> list[Case]:
    """Return K × seed for the data sets that have images from elsewhere."""
    seeds = asked.seeds or (QUICK_SEEDS if asked.quick else SEEDS)
    return [
        Case("external", f"{data}{WEB}", split, K, seed, asked.quick)
        for seed in range(seeds)
        for data in filter(has_web, asked.data)
        for split in _splits(asked)
        for K in allowed_counts(data, _classes(data, split, asked.quick), asked, FEW)
        if split != LISTED or (seed == 0 and _listed(data, asked.quick) >= K)
    ]


def _splits(asked: Asked) -> list[str]:
    """Return how annotated images are taken; with a file of unseen classes they are drawn."""
    wanted = asked.splits or ELSEWHERE
    # Both are of the paper's split.
    own = [split for split in ELSEWHERE if split in wanted or "paper" in wanted]
    return own + [split for split in wanted if is_split_file(split)]


def _listed(name: str, quick: bool) -> int:
    """Return how many annotated images of each class a data set lists."""
    data = get_data(name, quick)
    lists = [data.labels[rows] for rows in data.annotated.values()]
    return max(np.bincount(lists[0])) if lists else 0


def methods(case: Case) -> list[str]:
    """Return the methods of a case where nobody asks for any."""
    return [*(QUICK if case.quick else (*OURS, *RIVALS)), *own_methods()]


def known() -> list[str]:
    """Return every method that may be asked for."""
    return [*known_methods(), *OURS]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each method; those without images from elsewhere never meet any."""
    problem = draw(case)
    for one in _learned(problem, methods, case):
        yield row_of(one, partial(_scores, problem=problem, method=one.method, case=case))


def _scores(model: Any, problem: Problem, method: str, case: Case) -> Row:
    found = standard_scores(model, problem, method, case)
    ours = isinstance(model, SparseAttributePropagation)
    return found | insides(model) | used(model) if ours else found


def _learned(problem: Problem, methods: Sequence[str], case: Case) -> Iterator[Learned]:
    without = None
    for name in (name for name in methods if name in OURS):
        given = problem.annotated() if name == IGNORING else problem
        if name.startswith("sapwood-filtered"):
            given = without = without or filtered(problem, case)
        yield fitted(given, name, SparseAttributePropagation(**OURS[name]))
    # Two names may stand for one rival, as "rpl" and "rpl+paper" do.
    names: dict[str, list[str]] = {}
    for name in (name for name in methods if name not in OURS):
        names.setdefault(_filling(name), []).append(name)
    for one in learned(problem, list(names), case, draw):
        yield from (one._replace(method=name) for name in names[one.method])


def _filling(name: str) -> str:
    return f"{name}+paper" if name in FILLED else name


def draw(case: Case) -> Problem:
    """Return the problem of a case; its images from elsewhere come last."""
    name = data_alone(case.bench, case.data, case.split)
    data, web = get_data(name, case.quick), get_web(name, case.quick)
    listed = next(iter(data.annotated)) if case.split == LISTED else None
    split = _classes(name, case.split, case.quick)
    return problem_of(
        data, external_setting(data, web, split, case.annotated, case.seed, listed=listed)
    )


def _classes(name: str, split: str, quick: bool) -> str:
    return first_split(get_data(name, quick)).name if split in ELSEWHERE else split


def filtered(problem: Problem, case: Case) -> Problem:
    """Return the problem without web images that look like one of an unseen class."""
    keep = problem.y >= 0
    classifier = knows_all_classes(data_alone(case.bench, case.data, case.split), case.quick)
    keep[~keep] = discard_unseen(problem.X[~keep], classifier, problem.unseen)
    return replace(problem, X=problem.X[keep], y=problem.y[keep])


@cache
def knows_all_classes(name: str, quick: bool = False) -> Pipeline:
    """Nearest class mean, taught with every labelled image, unseen classes' too."""
    data, whitened = get_data(name, quick), FeatureMap(**FEATURE_MAPS["whitened"])
    known = data.labels >= 0
    classifier = make_pipeline(whitened, NearestCentroid())
    return classifier.fit(data.features[known].astype(float), data.labels[known])


def used(model: SparseAttributePropagation) -> Row:
    """Return how many unannotated images a model was given and used, and why.

    Parameters
    ----------
    model : SparseAttributePropagation
        Fitted.
    """
    extra = model.reasons_ != "annotated"
    return {
        "given": int(extra.sum()),
        "used": int((model.weights_[extra] > 0).sum()),
        "reasons": dict(Counter(reason.split(":")[0] for reason in model.reasons_[extra])),
    }
