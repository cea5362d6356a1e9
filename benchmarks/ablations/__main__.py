"""What each part of the default is worth: one change at a time, on CUB's unseen classes.

The paper's 150/50 split, K = 1, 5 and 25 annotated images a class. Rows are appended to a file as
they are found and found rows are not computed again, so the run can be stopped and resumed;
neighbour lists are shared with `sapwood bench --out benchmarks/results`. With --held-out the
changes that come close to the default are run on partitions of the seen classes instead, 100
against 50.

    SAPWOOD_DATA=... python benchmarks/ablations [--seeds 2] [--out FOLDER] [--only TEXT]
    SAPWOOD_DATA=... python benchmarks/ablations --held-out 6
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from changes import CLOSE, DEFAULT, Change, changes
from pictures import draw
from recipe import prototypes, scores
from shared import ANNOTATED, cub, problem, turn_to, turned_to
from tables import ORDERED, held_out_table, tables

from sapwood import SparseAttributePropagation
from sapwood.benchmark import Row, compute, read_rows
from sapwood.data import standard_setting

PICTURE = Path("docs/images/ablations.png")


class Task(NamedTuple):
    """A change, K, and the draw or the partition."""

    change: Change
    K: int
    seed: int

    def __str__(self) -> str:
        return f"{self.change.group}, {self.change.name}: K = {self.K}, number {self.seed}"


def measured(change: Change, K: int, seed: int) -> Row:
    start = time.perf_counter()
    P = prototypes(change.recipe, K, seed)
    answers = scores(change.recipe.mapped(K, seed)[1], P, **change.scoring).argmax(axis=1)
    right = float(np.mean(answers == problem(K, seed).truth))
    told = {"group": change.group, "change": change.name, "annotated": K, "seed": seed}
    return {**told, "accuracy": right, "seconds": round(time.perf_counter() - start, 2)}


def on_the_split(task: Task) -> list[Row]:
    row = measured(*task)
    if task.change.name == DEFAULT:
        require_same(row["accuracy"], task.K, task.seed)
    return [row]


def on_a_partition(task: Task) -> list[Row]:
    """Measure on a partition of the seen classes, whose number seeds the annotations, too."""
    if task.seed != turned_to():
        turn_to(task.seed)
    return [measured(*task)]


def require_same(accuracy: float, K: int, seed: int) -> None:
    """Stop unless the estimator itself answers as the pieces do."""
    setting = standard_setting(cub(), "paper", annotated=K, seed=seed)
    X, y = setting.training(cub())
    plain = {"attribute_freedom": 0.0, "error_whitening": 0.0, "remoteness": 0.0}
    model = SparseAttributePropagation(unlabelled="all", attribute_map="kernel", **plain)
    model.fit(X, y, class_attributes=cub().attributes)
    answers = model.predict(cub().features[setting.test_unseen], classes=setting.unseen)
    own = float(np.mean(answers == cub().labels[setting.test_unseen]))
    if abs(own - accuracy) > 1e-3:
        sys.exit(f"K = {K}, seed {seed}: the estimator reaches {own:.4f}, its parts {accuracy:.4f}")


def missing(wanted: list[Task], path: Path) -> list[Task]:
    done = {(r["group"], r["change"], r["annotated"], r["seed"]) for r in read_rows(path)}
    return [t for t in wanted if (t.change.group, t.change.name, t.K, t.seed) not in done]


def unseen_classes(seeds: int, only: str, out: Path, graphs: Path) -> str:
    """Run every change on the paper's split; return the tables."""
    path = out / "rows.jsonl"
    some = [c for c in changes() if only in f"{c.group}: {c.name}" or c.name == DEFAULT]
    wanted = [Task(change, K, seed) for change in some for K in ANNOTATED for seed in range(seeds)]
    compute(on_the_split, missing(wanted, path), path, graphs=graphs, title="changes")
    rows = [row for row in read_rows(path) if row["seed"] < seeds]
    if not only:
        draw(rows, PICTURE)
    return tables(rows)


def held_out_classes(parts: int, out: Path) -> str:
    """Run the changes that come close on partitions of the seen classes; return the table."""
    path = out / "held-out.jsonl"
    some = [c for c in changes() if c.name in (DEFAULT, *CLOSE) and c.group not in ORDERED]
    wanted = [Task(change, K, part) for part in range(parts) for K in ANNOTATED for change in some]
    compute(on_a_partition, missing(wanted, path), path, title="changes")
    return held_out_table([row for row in read_rows(path) if row["seed"] < parts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/out/ablations"))
    parser.add_argument("--graphs", type=Path, default=Path("benchmarks/results/.work/graphs"))
    parser.add_argument("--only", default="", help="changes whose group or name has this text")
    parser.add_argument("--held-out", type=int, default=0, metavar="PARTITIONS")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.held_out:
        text, name = held_out_classes(asked.held_out, asked.out), "held-out.md"
    else:
        text = unseen_classes(asked.seeds, asked.only, asked.out, asked.graphs)
        name = "tables.md"
    (asked.out / name).write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
