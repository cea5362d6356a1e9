"""The problems: a fifth of each seen class is tested on, together with all unseen images."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sapwood.benchmark import Problem, problem_of
from sapwood.data import ZeroShotData, generalized_setting, load_zero_shot

SEEDS = 5
#: Share of each seen class that is held out before any image is annotated.
HOLDOUT = 0.2


@dataclass(frozen=True)
class Case:
    """A data set with the numbers of annotated images a class."""

    title: str
    data: str
    annotated: tuple[int, ...]


CASES = {
    "cub": Case("CUB, the paper's 150/50 split", "cub", (1, 5, 25)),
    "awa1": Case("AwA1, low-level features, the paper's 40/10 split", "awa1_lowlevel", (5, 25)),
}


def draw(case: str, K: int, seed: int) -> Problem:
    data = _data(CASES[case].data)
    return problem_of(data, generalized_setting(data, "paper", K, seed, HOLDOUT))


@cache
def _data(name: str) -> ZeroShotData:
    return load_zero_shot(name)
