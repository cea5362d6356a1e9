"""What to annotate next: images that `suggest` chooses, against images drawn at random.

From nothing (K = 0): 150 annotations, chosen or drawn. After one annotated image of each seen class
(K = 1): 150 more, which the model chooses or which are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.datasets import get_data
from sapwood.benchmark.draws import split_of, usual_cases
from sapwood.benchmark.methods import fitted
from sapwood.benchmark.problems import problem_of
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import standard_scores
from sapwood.data import Setting, ZeroShotData, standard_setting
from sapwood.errors import InputError
from sapwood.models import SparseAttributePropagation, suggest_images

#: Annotations added, and how often they are drawn at random.
MORE, DRAWS = 150, 3
FIRST, SUGGESTED, RANDOM = "first", "suggested", "random"


def cases(asked: Asked) -> list[Case]:
    """Return data × seed, from nothing and from one annotated image of each class."""
    cases = usual_cases("suggest", replace(asked, annotated=(1,)), splits=("paper",))
    return [case._replace(annotated=K) for case in cases for K in asked.annotated or (0, 1)]


def methods(case: Case) -> list[str]:
    """Return the ways of choosing images."""
    random = [f"{RANDOM}-{draw}" for draw in range(DRAWS)]
    return [*([FIRST] if case.annotated else []), SUGGESTED, *random]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each way."""
    data = get_data(case.data, case.quick)
    split = split_of(data, case.split, case.seed)
    setting = standard_setting(data, split, case.annotated or 1, case.seed)
    if not case.annotated:
        setting = replace(setting, y=np.full(len(setting.y), -1))
    for name in methods:
        try:
            yield {"method": name, **_row(data, setting, name, case)}
        except InputError as error:
            yield {"method": name, "skipped": str(error)}


def _row(data: ZeroShotData, setting: Setting, name: str, case: Case) -> Row:
    added = choose(data, setting, name, case.seed)
    y = setting.y.copy()
    y[added] = data.labels[setting.train][added]
    problem = problem_of(data, replace(setting, y=y))
    _, model, told = fitted(problem, name, SparseAttributePropagation())
    found = {} if model is None else standard_scores(model, problem, name, case)
    return {"classes": len(np.unique(y[added])), **told, **found}


def choose(data: ZeroShotData, setting: Setting, method: str, seed: int) -> np.ndarray:
    """Return the rows of the training images that are annotated in addition.

    Parameters
    ----------
    data : ZeroShotData
    setting : Setting
    method : str
    seed : int
    """
    X, y = setting.training(data)
    more = min(MORE, int((y < 0).sum()))
    if method == FIRST:
        return np.empty(0, dtype=int)
    if method != SUGGESTED:
        draw = int(method.removeprefix(f"{RANDOM}-"))
        return np.random.default_rng([seed, draw]).permutation(np.flatnonzero(y < 0))[:more]
    if not (y >= 0).any():
        return suggest_images(X, more)
    model = SparseAttributePropagation().fit(X, y, class_attributes=data.attributes)
    return model.suggest(X, more, y)
