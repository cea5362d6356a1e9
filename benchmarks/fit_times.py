"""The fit time of every method relative to RPL's, on CUB.

One run on one thread: the paper's split, five annotated images a class, the first draw. Every
method has the settings it has before any are chosen; rivals are given whitened features, as the
default has them, and the label of the nearest annotated image for every other one (label spreading
spreads its own). Time is the processor's; of a fit under two seconds the best of three counts.

    SAPWOOD_DATA=... python benchmarks/fit_times.py [--methods NAME ...] [--docs]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from threadpoolctl import threadpool_limits

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.baselines import BASELINES
from sapwood.benchmark import Problem, fill_page, markdown_table, problem_of
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.methods import quiet
from sapwood.benchmark.rivals import new_rival
from sapwood.data import load_zero_shot, standard_setting

PAGE, MAKER = Path("docs/speed.md"), "benchmarks/fit_times.py"
#: Its time is the unit.
UNIT = "rpl"
OURS: dict[str, Callable[[], Any]] = {
    "sapwood": SparseAttributePropagation,
    "sapwood-annotated": partial(SparseAttributePropagation, steps="bpl"),
    "sapwood-paper": partial(SparseAttributePropagation, "paper"),
    "sapwood-tuned": SparseAttributePropagationCV,
}
SHORT, REPEATS = 2.0, 3


def new_method(name: str) -> Any:
    return OURS[name]() if name in OURS else new_rival(name).set_params(features="whitened")


def fit_seconds(name: str, problem: Problem) -> float:
    """Return the processor time of a fit; of a short one, the least of several."""
    found: list[float] = []
    while not found or (found[0] < SHORT and len(found) < REPEATS):
        with quiet(), clocked() as taken:
            new_method(name).fit(problem.X, problem.y, class_attributes=problem.Z)
        found.append(taken.seconds)
    return min(found)


def ratio_table(seconds: dict[str, float]) -> str:
    """Return times in units of RPL's, the shortest first."""
    unit = seconds[UNIT]
    body = [[name, _shown(seconds[name] / unit)] for name in sorted(seconds, key=seconds.get)]
    return markdown_table(["method", "fit time, RPL = 1"], body)


def _shown(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def main() -> None:
    names = [*BASELINES, *OURS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--docs", action="store_true", help=f"fill the table in {PAGE}")
    asked = parser.parse_args()
    data = load_zero_shot("cub")
    problem = problem_of(data, standard_setting(data, "paper", annotated=5, seed=0))
    seconds = {}
    with threadpool_limits(1), Progress(console=Console(stderr=True)) as bar:
        for name in bar.track(dict.fromkeys([UNIT, *asked.methods]), description="methods"):
            seconds[name] = fit_seconds(name, problem)
    table = ratio_table(seconds)
    print(table)
    if asked.docs and not fill_page(PAGE, "fit-times", table, MAKER):
        sys.exit(f"{PAGE} has no markers of fit-times; put them where the table is to stand")


if __name__ == "__main__":
    main()
