"""Accuracy on unseen classes with few annotations, against tuned rivals.

Every number in the documentation's accuracy tables comes from here. Rows are appended to a file as
they are found and found rows are not computed again, so the run can be stopped and resumed. That
file is kept with the code: after a change that moves numbers, delete it (or give another one).

    SAPWOOD_DATA=... python benchmarks/accuracy [CASE ...] [--rows FILE] [--jobs 2]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from cases import CASES
from methods import GROUPS, expected
from pages import rewrite
from rich.console import Console
from rich.progress import Progress
from tables import leads, read_rows, table
from threadpoolctl import threadpool_limits

from sapwood import __version__
from sapwood.graph import remembering_neighbors

Task = tuple[str, str, int, int]


def work(task: Task, graphs: Path) -> list[dict[str, Any]]:
    group, case, K, seed = task
    told = {"group": group, "case": case, "annotated": K, "seed": seed, "version": __version__}
    # One thread a process: two that share two cores do better than one spread over both.
    with threadpool_limits(1), remembering_neighbors(graphs):
        found = GROUPS[group](CASES[case].draw(K, seed), CASES[case].methods, seed)
        return [{**told, **row} for row in found]


def tasks(groups: list[str], cases: list[str], done: set[Task]) -> list[Task]:
    every = [
        (group, name, K, seed)
        for name in cases
        for seed in range(CASES[name].seeds)
        for K in CASES[name].annotated
        for group in groups
    ]
    return [task for task in every if task not in done]


def finished(path: Path) -> set[Task]:
    """Return the tasks whose rows are all there, and drop those of any other from the file."""
    rows = read_rows(path)
    keys = [(row["group"], row["case"], row["annotated"], row["seed"]) for row in rows]
    whole = {
        key
        for key, count in Counter(keys).items()
        if count == expected(key[0], CASES[key[1]].methods)
    }
    kept = [json.dumps(row) for key, row in zip(keys, rows, strict=True) if key in whole]
    if len(kept) < len(rows):
        path.write_text("".join(f"{line}\n" for line in kept))
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help=f"among {', '.join(CASES)}; default: all")
    parser.add_argument("--rows", type=Path, default=Path("benchmarks/results/accuracy.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/out/accuracy"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation's tables")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    arguments = parser.parse_args()
    unknown = [case for case in arguments.cases if case not in CASES]
    if unknown:
        sys.exit(f"no case is called {unknown[0]!r}; expected {', '.join(CASES)}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    arguments.rows.parent.mkdir(parents=True, exist_ok=True)
    path, cases = arguments.rows, arguments.cases or list(CASES)
    done = finished(path)
    compute(tasks(arguments.groups, cases, done), path, arguments.out / "graphs", arguments.jobs)
    rows = read_rows(path)
    text = "\n\n".join(
        f"{table(rows, case)}\n\n{leads(rows, case)}.\n\n{leads(rows, case, 'sapwood, tuned')}."
        for case in cases
        if any(row["case"] == case for row in rows)
    )
    (arguments.out / "tables.md").write_text(text + "\n")
    if arguments.docs:
        rewrite(rows)
    print(text)


def compute(todo: list[Task], path: Path, graphs: Path, jobs: int) -> None:
    start = time.perf_counter()
    console = Console(stderr=True)
    with ProcessPoolExecutor(jobs) as pool, Progress(console=console) as progress:
        bar = progress.add_task("problems", total=len(todo))
        futures = {pool.submit(work, task, graphs): task for task in todo}
        for future in as_completed(futures):
            lines = "".join(json.dumps(row) + "\n" for row in future.result())
            with path.open("a") as file:
                file.write(lines)
            progress.advance(bar)
    if todo:
        console.print(f"{len(todo)} problems in {(time.perf_counter() - start) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
