"""What to annotate next: images that `suggest` chooses, against images drawn at random.

CUB, the paper's 150/50 split. From nothing: 150 annotations, chosen or drawn at random. After one
annotated image of each seen class: 150 more, which the model chooses or which are drawn (three
times). Then a model is scored on the images of unseen classes. Rows are appended to a file as they
are found and found rows are not computed again, so the run can be stopped and resumed.

    SAPWOOD_DATA=... python benchmarks/suggest.py [--seeds 5] [--rows FILE] [--jobs 2] [--docs]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from sapwood import SparseAttributePropagation
from sapwood.benchmark import (
    Row,
    Task,
    command_line,
    fill_page,
    markdown_table,
    mean_and_deviation,
    mean_and_error,
    run_missing,
)
from sapwood.data import Setting, ZeroShotData, load_zero_shot, standard_setting
from sapwood.metrics import accuracy
from sapwood.models import suggest_images

SEEDS = 5
#: Annotations added, and how often they are drawn at random.
MORE, DRAWS = 150, 3
FIRST, SUGGESTED, RANDOM = "first", "suggested", "random"
PAGE, MAKER = Path("docs/trust.md"), "benchmarks/suggest.py"


@cache
def cub() -> ZeroShotData:
    return load_zero_shot("cub")


def suggested(data: ZeroShotData, setting: Setting, more: int) -> Iterator[Row]:
    """Yield the row of the first annotations, and that of those which are asked for."""
    X, y = setting.training(data)
    if not (y >= 0).any():
        yield scored(data, setting, suggest_images(X, more), SUGGESTED, 0)
        return
    model = fitted(data, X, y)
    yield {"method": FIRST, "draw": 0, **scores(model, data, setting)}
    chosen = model.suggest(X, more, y)
    yield scored(data, setting, chosen, SUGGESTED, 0)


def random(data: ZeroShotData, setting: Setting, more: int, seed: int) -> Iterator[Row]:
    """Yield a row for each draw of as many annotations among the images without one."""
    without = np.flatnonzero(setting.y < 0)
    for draw in range(DRAWS):
        chosen = np.random.default_rng([seed, draw]).permutation(without)[:more]
        yield scored(data, setting, chosen, RANDOM, draw)


def scored(data: ZeroShotData, setting: Setting, chosen: np.ndarray, method: str, draw: int) -> Row:
    """Annotate what was chosen, fit and score."""
    X, y = setting.training(data)
    y = y.copy()
    y[chosen] = data.labels[setting.train][chosen]
    added = {"method": method, "draw": draw, "classes": len(np.unique(y[chosen]))}
    return {**added, **scores(fitted(data, X, y), data, setting)}


def fitted(data: ZeroShotData, X: np.ndarray, y: np.ndarray) -> SparseAttributePropagation:
    return SparseAttributePropagation().fit(X, y, class_attributes=data.attributes)


def scores(model: SparseAttributePropagation, data: ZeroShotData, setting: Setting) -> Row:
    truth = data.labels[setting.test_unseen]
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    return {
        "accuracy": accuracy(truth, answers),
        "accuracy_over_classes": accuracy(truth, answers, average="classes"),
    }


def work(task: Task) -> list[Row]:
    setting = standard_setting(cub(), "paper", task.annotated or 1, task.seed)
    if not task.annotated:
        setting = replace(setting, y=np.full(len(setting.y), -1))
    if task.group == SUGGESTED:
        return task.rows(suggested(cub(), setting, MORE))
    return task.rows(random(cub(), setting, MORE, task.seed))


def expected(task: Task) -> int:
    """Number of rows that a task has when it is finished."""
    if task.group == RANDOM:
        return DRAWS
    return 2 if task.annotated else 1


def table(rows: list[Row]) -> str:
    """Return means over draws, and the differences from random annotations seed by seed."""
    by_seed: dict[tuple[int, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_seed[row["annotated"], row["method"]][row["seed"]].append(100 * row["accuracy"])
    means = {key: {s: float(np.mean(v)) for s, v in of.items()} for key, of in by_seed.items()}
    names = {
        (0, RANDOM): f"{MORE} drawn at random",
        (0, SUGGESTED): f"{MORE} chosen by `suggest_images`",
        (1, FIRST): "one image of each seen class",
        (1, RANDOM): f"and {MORE} drawn at random",
        (1, SUGGESTED): f"and {MORE} chosen by `suggest`",
    }
    body = []
    for (start, name), shown in names.items():
        own, drawn = means.get((start, name), {}), means.get((start, RANDOM), {})
        paired = [own[s] - drawn[s] for s in sorted(set(own) & set(drawn))]
        lead = "" if name == RANDOM else mean_and_error(paired)
        body.append([shown, mean_and_deviation([own[s] for s in sorted(own)]), lead])
    return markdown_table(["annotated", "named rightly, %", "against random"], body)


def main() -> None:
    asked = command_line(__doc__, "suggest").parse_args()
    tasks = [
        Task(group, "cub", start, seed)
        for start in (0, 1)
        for seed in range(SEEDS)
        for group in (SUGGESTED, RANDOM)
    ]
    rows = run_missing(asked, work, tasks, expected)
    text = table(rows)
    (asked.out / "tables.md").write_text(text + "\n")
    if asked.docs:
        fill_page(PAGE, "suggest", text, MAKER)
    print(text)


if __name__ == "__main__":
    main()
