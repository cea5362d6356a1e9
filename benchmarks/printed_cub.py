"""The printed algorithm on CUB's unseen classes with K annotated images a seen class.

The paper's split (150 seen, 50 unseen); all other seen images are given without annotation. Mean
and standard deviation over seeds, in percent of images.

    SAPWOOD_DATA=... python benchmarks/printed_cub.py [--annotated 1 5 25] [--seeds 5]
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.data import load_zero_shot, standard_setting
from sapwood.metrics import accuracy
from sapwood.projection import METRICS

METHODS = {
    "paper, as printed (L1 attributes)": {"preset": "paper"},
    "paper, L2 attributes": {"preset": "paper", "attribute_map": "l2"},
}


def unseen_accuracies(data, annotated: int, seed: int, options: dict) -> dict[str, float]:
    """Percent of images by prediction rule; the rule is no part of the fit."""
    setting = standard_setting(data, annotated=annotated, seed=seed)
    X, y = setting.training(data)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=data.attributes)
    found = {}
    for metric in METRICS:
        model.metric_ = metric
        answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
        found[metric] = 100 * accuracy(data.labels[setting.test_unseen], answers)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotated", type=int, nargs="+", default=[1, 2, 5, 10, 25])
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    data = load_zero_shot("cub")
    # That the printed loop has not converged after five iterations is part of what is measured.
    warnings.simplefilter("ignore", ConvergenceWarning)
    table = Table(title=f"CUB, 150/50, unseen accuracy (%), {arguments.seeds} seeds")
    table.add_column("method")
    for K in arguments.annotated:
        table.add_column(f"K = {K}", justify="right")
    with Progress(console=Console(stderr=True)) as progress:
        work = progress.add_task("fits", total=len(METHODS) * len(arguments.annotated))
        for name, options in METHODS.items():
            cells = defaultdict(list)
            for K in arguments.annotated:
                runs = [unseen_accuracies(data, K, s, options) for s in range(arguments.seeds)]
                for metric in METRICS:
                    values = [run[metric] for run in runs]
                    cells[metric].append(f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}")
                progress.advance(work)
            for metric in METRICS:
                table.add_row(f"{name}, {metric}", *cells[metric])
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
