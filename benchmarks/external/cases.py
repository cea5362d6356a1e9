"""The problems: annotated images of CUB, and unlabelled ones from the web."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline

from sapwood.benchmark import Problem, problem_of
from sapwood.data import ZeroShotData, external_setting, load_features, load_zero_shot
from sapwood.data.filters import discard_unseen
from sapwood.features import FEATURE_MAPS, FeatureMap

ANNOTATED = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Case:
    """How images are annotated; `listed` names a published list, of which the first K are taken."""

    title: str
    listed: str | None
    seeds: int


CASES = {
    "listed": Case("CUB+Web, the paper's annotated images", "cub_web", 1),
    "drawn": Case("CUB+Web, annotated images drawn at random", None, 5),
}


def draw(case: str, K: int, seed: int) -> Problem:
    """Return a problem whose unannotated images are those from the web, which come last."""
    setting = external_setting(cub(), web(), "paper", K, seed, listed=CASES[case].listed)
    return problem_of(cub(), setting)


def filtered(problem: Problem) -> Problem:
    """Return the problem without web images that look like one of an unseen class."""
    keep = problem.y >= 0
    keep[~keep] = discard_unseen(problem.X[~keep], knows_all_classes(), problem.unseen)
    return Problem(
        problem.X[keep], problem.y[keep], problem.Z, problem.X_test, problem.truth, problem.unseen
    )


@cache
def knows_all_classes() -> Pipeline:
    """Nearest class mean, taught with every labelled image of CUB, unseen classes' too."""
    whitened = FeatureMap(**FEATURE_MAPS["whitened"])
    classifier = make_pipeline(whitened, NearestCentroid())
    return classifier.fit(cub().features.astype(float), cub().labels)


@cache
def cub() -> ZeroShotData:
    return load_zero_shot("cub")


@cache
def web() -> np.ndarray:
    return load_features("cub_web").features
