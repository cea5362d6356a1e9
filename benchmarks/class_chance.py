"""How sure a lead is, once the classes that are asked count as chance, too.

Draws of annotated images share their test classes, so a standard error over draws says what other
annotations would have changed, and nothing of other classes. Here sapwood and the rival that it
leads least in a column of the accuracy tables are fitted again, the rival with the settings that it
chose, and their right answers are counted class by class. The error over classes is the
jackknife's: each class is left out in turn, its images and not its name, and the lead of the others
tells how much hangs on it. "Both" is the root of the two squares. Rows that were found before are
not found again.

    SAPWOOD_DATA=... python benchmarks/class_chance.py [--docs docs/accuracy.md]
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from held_out import TITLES

from sapwood import SparseAttributePropagation
from sapwood.benchmark import Case, fill_page, markdown_table, read_rows, signed
from sapwood.benchmark.draws import draw_standard
from sapwood.benchmark.leads import least_leads
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.rivals import new_rival
from sapwood.benchmark.rows import Row
from sapwood.benchmark.run import compute

FOUND, ROWS = Path("benchmarks/results/zsl.jsonl"), Path("benchmarks/results/class_chance.jsonl")
OURS, CASE = "sapwood", ("data", "split", "annotated", "seed")
#: Data sets, splits and K's.
ASKED = {
    ("awa1_lowlevel", "proposed"): (15, 25),
    ("awa1_lowlevel", "paper"): (15, 25),
    ("cub", "paper"): (1, 5, 25),
    ("cub", "proposed"): (5, 25),
}


class Task(NamedTuple):
    """Two fits to one draw: sapwood's, and a rival's with the settings that it chose."""

    data: str
    split: str
    annotated: int
    seed: int
    rival: str


@cache
def found() -> dict[Task, Row]:
    """Return the rows of the accuracy tables, sapwood's among them."""
    return {Task(*(row[name] for name in (*CASE, "method"))): row for row in read_rows(FOUND)}


def wanted() -> list[Task]:
    """Return every draw that sapwood and the rival of its column have been run on."""
    tasks = []
    for (data, split), counts in ASKED.items():
        own = [row for task, row in found().items() if task[:2] == (data, split)]
        for K, lead in least_leads([row for row in own if row["annotated"] in counts]).items():
            tasks += [
                task
                for task in found()
                if task[:3] == (data, split, K)
                and task.rival == lead.rival
                and task._replace(rival=OURS) in found()
            ]
    return tasks


def scored(task: Task) -> list[Row]:
    problem = draw_standard(Case("zsl", *task[:4]))
    models: dict[str, Any] = {
        OURS: SparseAttributePropagation(),
        "rival": new_rival(task.rival).set_params(**found()[task]["parameters"]),
    }
    right = {}
    for name, model in models.items():
        with quiet():
            model.fit(problem.X, problem.y, class_attributes=problem.Z)
        answers = model.predict(problem.X_test, classes=problem.unseen)
        right[name] = by_class(problem.truth[answers == problem.truth], problem.unseen)
    return [{**task._asdict(), "right": right, "images": by_class(problem.truth, problem.unseen)}]


def by_class(labels: np.ndarray, classes: np.ndarray) -> list[int]:
    return [int((labels == c).sum()) for c in classes]


def errors(gains: np.ndarray, images: np.ndarray) -> tuple[float, float, float]:
    """Return the mean lead in points, and its standard errors over draws and over classes.

    Parameters
    ----------
    gains : ndarray of shape (draws, classes)
        Images of each class that only we name correctly, less those that only the rival does.
    images : ndarray of shape (classes,)
    """
    draws, classes = gains.shape
    leads = 100 * gains.sum(axis=1) / images.sum()
    without = 100 * (gains.sum() - gains.sum(axis=0)) / (draws * (images.sum() - images))
    over_classes = np.sqrt((classes - 1) * without.var())
    return float(leads.mean()), float(leads.std(ddof=1) / np.sqrt(draws)), float(over_classes)


def table(rows: list[Row]) -> str:
    head = ["", "on", "draws", "classes", "lead", "± draws", "± classes", "± both"]
    lines = []
    for (data, split), counts in ASKED.items():
        for K in counts:
            own = [r for r in rows if (r["data"], r["split"], r["annotated"]) == (data, split, K)]
            if len(own) > 1:
                rights = [np.subtract(r["right"][OURS], r["right"]["rival"]) for r in own]
                lead, draws, classes = errors(np.array(rights), np.array(own[0]["images"]))
                place = [f"{TITLES[data]}, {split}, K = {K}", own[0]["rival"]]
                sizes = [str(len(own)), str(len(own[0]["images"]))]
                told = [f"{value:.1f}" for value in (draws, classes, np.hypot(draws, classes))]
                lines.append([*place, *sizes, signed(lead), *told])
    return markdown_table(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", type=Path, help="a page whose block `class-chance` is filled")
    arguments = parser.parse_args()
    have = {Task(*(row[name] for name in Task._fields)) for row in read_rows(ROWS)}
    todo = [task for task in wanted() if task not in have]
    compute(scored, todo, ROWS, graphs=Path("benchmarks/results/.work/graphs"), title="draws")
    text = table(read_rows(ROWS))
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "class-chance", text, "benchmarks/class_chance.py")


if __name__ == "__main__":
    main()
