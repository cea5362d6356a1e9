"""What to annotate next: images that `suggest` chooses, against images drawn at random.

CUB, the paper's 150/50 split: one annotated image of each seen class, a model, and 150 annotations
more, which the model chooses or which are drawn (three times); then a new model, scored on the
images of unseen classes. Rows are appended to a file as they are found and found rows are not
computed again, so the run can be stopped and resumed.

    SAPWOOD_DATA=... python benchmarks/suggest.py [--seeds 5] [--rows FILE] [--jobs 2] [--docs]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
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

SEEDS = 5
#: Annotations added, and how often they are drawn at random.
MORE, DRAWS = 150, 3
FIRST, SUGGESTED, RANDOM = "first", "suggested", "random"
PAGE, MAKER = Path("docs/trust.md"), "benchmarks/suggest.py"


@cache
def cub() -> ZeroShotData:
    return load_zero_shot("cub")


def suggested(data: ZeroShotData, setting: Setting, more: int) -> Iterator[Row]:
    """Yield the row of the first annotations, and that of those which the model asks for."""
    X, y = setting.training(data)
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
    setting = standard_setting(cub(), "paper", task.annotated, task.seed)
    if task.group == SUGGESTED:
        return task.rows(suggested(cub(), setting, MORE))
    return task.rows(random(cub(), setting, MORE, task.seed))


def expected(task: Task) -> int:
    """Number of rows that a task has when it is finished."""
    return 2 if task.group == SUGGESTED else DRAWS


def table(rows: list[Row]) -> str:
    """Return means over draws, and the differences from random annotations seed by seed."""
    by_seed: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_seed[row["method"]][row["seed"]].append(100 * row["accuracy"])
    means = {name: {s: float(np.mean(v)) for s, v in of.items()} for name, of in by_seed.items()}
    names = {
        FIRST: "one image of each seen class",
        RANDOM: f"and {MORE} drawn at random",
        SUGGESTED: f"and {MORE} chosen by `suggest`",
    }
    body = []
    for name, shown in names.items():
        own, drawn = means.get(name, {}), means.get(RANDOM, {})
        paired = [own[s] - drawn[s] for s in sorted(set(own) & set(drawn))]
        lead = "" if name == RANDOM else mean_and_error(paired)
        body.append([shown, mean_and_deviation([own[s] for s in sorted(own)]), lead])
    return markdown_table(["annotated", "named rightly, %", "against random"], body)


def main() -> None:
    asked = command_line(__doc__, "suggest").parse_args()
    tasks = [Task(group, "cub", 1, s) for s in range(SEEDS) for group in (SUGGESTED, RANDOM)]
    rows = run_missing(asked, work, tasks, expected)
    text = table(rows)
    (asked.out / "tables.md").write_text(text + "\n")
    if asked.docs:
        fill_page(PAGE, "suggest", text, MAKER)
    print(text)


if __name__ == "__main__":
    main()
