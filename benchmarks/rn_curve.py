"""How RN's budget of episodes was found to suffice: its validation curve on CUB.

The paper's split, the first draw, settings as the benchmark chose them. A fifth of the seen classes
is held out; the mean reciprocal rank of the true class among them is looked at after each twentieth
of the episodes, and the number of episodes at which it is highest is kept. No test image is seen.

    SAPWOOD_DATA=... python benchmarks/rn_curve.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sapwood.baselines import RN
from sapwood.benchmark import fill_page, markdown_table, problem_of
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.rows import read_rows
from sapwood.data import load_zero_shot, standard_setting

PAGE, MAKER = Path("docs/accuracy.md"), "benchmarks/rn_curve.py"
TUNED, COUNTS = Path("benchmarks/results/tuned.jsonl"), (5, 25)
#: Of twenty checks, every so many-th is shown.
SHOWN = 2


def curve(K: int) -> list[str]:
    """Return the cells of one K: the curve, and the episodes that were kept."""
    wanted = {"bench": "zsl", "data": "cub", "split": "paper", "annotated": K, "method": "rn0"}
    (chosen,) = [row for row in read_rows(TUNED) if wanted.items() <= row.items()]
    data = load_zero_shot("cub")
    problem = problem_of(data, standard_setting(data, "paper", annotated=K, seed=0))
    with quiet():
        model = RN(**chosen["parameters"]).fit(problem.X, problem.y, class_attributes=problem.Z)
    shown = model.validation_[SHOWN - 1 :: SHOWN]
    return [f"K = {K}", *(f"{value:.3f}" for value in shown), str(model.episodes_)]


def main() -> None:
    budget = RN().episodes
    at = np.arange(1, 21)[SHOWN - 1 :: SHOWN] * budget // 20
    text = markdown_table(["episodes", *map(str, at), "kept"], [curve(K) for K in COUNTS])
    print(text)
    fill_page(PAGE, "rn-curve", text, MAKER)


if __name__ == "__main__":
    main()
