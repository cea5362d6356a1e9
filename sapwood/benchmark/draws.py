"""From a case to its problem, and the cases that a data set allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import ELSEWHERE, get_data
from sapwood.benchmark.problems import Problem, problem_of
from sapwood.data import (
    Setting,
    Split,
    ZeroShotData,
    generalized_setting,
    get_split,
    standard_setting,
)
from sapwood.errors import InputError

#: Other unseen classes for every seed, as many as the data set's first split has.
FRESH = "fresh"
#: Splits that are never files.
NAMED = ("paper", "proposed", FRESH, *ELSEWHERE, "given")
SEEDS = 5
#: The paper's values of K, and those where classes are small, as in SUN.
MANY, FEW = (5, 10, 15, 20, 25), (1, 2, 3, 4, 5)
#: In quick runs.
QUICK_SEEDS, QUICK_MANY, QUICK_FEW = 2, (5, 10), (1, 5)
#: Images a class that allow the larger values of K.
LARGE = 40
#: Share of each seen class that the generalized setting holds out.
HOLDOUT = 0.2
MakeSetting = Callable[..., Setting]
#: The generalized setting of the benchmarks.
holding_out: MakeSetting = partial(generalized_setting, holdout=HOLDOUT)


def split_of(data: ZeroShotData, name: str, seed: int) -> Split:
    """Return a split by name; ``fresh`` is another one for every seed."""
    if name != FRESH:
        return get_split(data, name)
    classes, unseen = len(data.class_names), len(first_split(data).unseen)
    drawn = np.random.default_rng(1000 + seed).permutation(classes)[:unseen]
    return get_split(data, Split(name=FRESH, unseen=np.sort(drawn)))


def is_split_file(name: str) -> bool:
    """Tell whether a split is a file with the names of unseen classes.

    Examples
    --------
    >>> is_split_file("paper"), is_split_file("no-such-file.txt")
    (False, False)
    """
    return name not in NAMED and Path(name).is_file()


def first_split(data: ZeroShotData) -> Split:
    """Return the split a data set is first asked for with."""
    if not data.splits:
        raise InputError("the data set has no split; give --split a file with its unseen classes")
    return next(iter(data.splits.values()))


def draw_standard(case: Case) -> Problem:
    """Return the problem of a case in the standard setting."""
    data = get_data(case.data, case.quick)
    split = split_of(data, case.split, case.seed)
    return problem_of(data, standard_setting(data, split, case.annotated, case.seed))


def draw_generalized(case: Case) -> Problem:
    """Return the problem of a case in the generalized setting."""
    data = get_data(case.data, case.quick)
    split = split_of(data, case.split, case.seed)
    return problem_of(data, holding_out(data, split, case.annotated, case.seed))


def usual_cases(
    bench: str,
    asked: Asked,
    splits: Iterable[str] | None = None,
    counts: Sequence[int] = (),
    setting: MakeSetting = standard_setting,
) -> list[Case]:
    """Return a benchmark's cases, all of the first draw first.

    Parameters
    ----------
    bench : str
    asked : Asked
    splits : iterable of str, optional
        Where nobody asks for any: those of these that a data set has; all it has by default.
    counts : sequence of int
        Values of K where nobody asks for any; by default the paper's.
    setting : callable
        Tells which images can be annotated.
    """
    seeds = asked.seeds or (QUICK_SEEDS if asked.quick else SEEDS)
    return [
        Case(bench, data, split, K, seed, asked.quick)
        for seed in range(seeds)
        for data in asked.data
        for split in asked.splits or _has(data, asked, splits)
        for K in allowed_counts(data, split, asked, counts, setting)
    ]


def allowed_counts(
    data: str,
    split: str,
    asked: Asked,
    counts: Sequence[int] = (),
    setting: MakeSetting = standard_setting,
) -> list[int]:
    """Return the values of K for a data set: asked for, or usual and not more than there are.

    Data without an image to test on is refused.
    """
    loaded = get_data(data, asked.quick)
    made = setting(loaded, split_of(loaded, split, 0))
    if not len(made.test_unseen):
        raise InputError(
            f"--data {data}: no labelled image of an unseen class to test on (split {split}); "
            "label some, or give --split a file that names classes with labelled images"
        )
    known = made.y
    sizes = np.unique(known[known >= 0], return_counts=True)[1]
    if asked.annotated:
        wrong = [K for K in asked.annotated if sizes.max() < K]
        if wrong:
            raise InputError(
                f"--annotated {wrong[0]}: the largest seen class of {data} has {sizes.max()} "
                "images to annotate; give at most that"
            )
        return list(asked.annotated)
    large = np.median(sizes) >= LARGE
    if asked.quick:
        usual: Sequence[int] = QUICK_MANY if large else QUICK_FEW
    else:
        usual = counts or (MANY if large else FEW)
    return [K for K in usual if np.median(sizes) >= K] or [1]


def _has(data: str, asked: Asked, wanted: Iterable[str] | None) -> list[str]:
    loaded = get_data(data, asked.quick)
    own = list(loaded.splits) or [first_split(loaded).name]
    return [name for name in own if wanted is None or name in wanted] or own[:1]
