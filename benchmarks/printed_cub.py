"""The printed algorithm on CUB's unseen classes with K annotated images a seen class.

The paper's split (150 seen, 50 unseen); all other seen images are given without annotation. Mean
and standard deviation over seeds, in percent of images.

    SAPWOOD_DATA=... python benchmarks/printed_cub.py [--seeds 5] [--docs docs/accuracy.md]
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.benchmark import fill_page, markdown_table, mean_and_deviation
from sapwood.data import load_zero_shot, standard_setting
from sapwood.metrics import accuracy

METHODS = {
    "as printed (L1 attributes)": {"preset": "paper"},
    "L2 attributes": {"preset": "paper", "attribute_map": "l2"},
}


def unseen_accuracy(data, annotated: int, seed: int, options: dict) -> float:
    """Percent of images."""
    setting = standard_setting(data, annotated=annotated, seed=seed)
    X, y = setting.training(data)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    return 100 * accuracy(data.labels[setting.test_unseen], answers)


def table(annotated: list[int], seeds: int) -> str:
    data = load_zero_shot("cub")
    lines = []
    with Progress(console=Console(stderr=True)) as progress:
        work = progress.add_task("fits", total=len(METHODS) * len(annotated))
        for name, options in METHODS.items():
            cells = []
            for K in annotated:
                found = [unseen_accuracy(data, K, seed, options) for seed in range(seeds)]
                cells.append(mean_and_deviation(found))
                progress.advance(work)
            lines.append([name, *cells])
    return markdown_table(["", *(f"K = {K}" for K in annotated)], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotated", type=int, nargs="+", default=[1, 2, 5, 10, 25])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--docs", type=Path, help="a page whose block `printed` is to be filled")
    arguments = parser.parse_args()
    # That the printed loop has not converged after five iterations is part of what is measured.
    warnings.simplefilter("ignore", ConvergenceWarning)
    text = table(arguments.annotated, arguments.seeds)
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "printed", text, "benchmarks/printed_cub.py")


if __name__ == "__main__":
    main()
