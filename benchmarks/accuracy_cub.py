"""Accuracy on CUB's unseen classes with K annotated images a seen class.

The paper's split (150 seen, 50 unseen); all other seen images are given without annotation. Mean
and standard deviation over seeds, in percent of images.

    SAPWOOD_DATA=... python benchmarks/accuracy_cub.py [--annotated 1 5 25] [--seeds 5]
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.data import load_zero_shot, standard_setting
from sapwood.metrics import accuracy

METHODS = {
    "robust (default)": {},
    "robust, annotated images only": {"steps": "bpl"},
    "paper, as printed (L1 attributes)": {"preset": "paper"},
    "paper, L1 attributes, cosine": {"preset": "paper", "metric": "cosine"},
    "paper, L2 attributes": {"preset": "paper", "attribute_norm": "l2"},
    "paper, L2 attributes, cosine": {
        "preset": "paper",
        "attribute_norm": "l2",
        "metric": "cosine",
    },
}


def unseen_accuracy(data, annotated: int, seed: int, options: dict) -> float:
    setting = standard_setting(data, annotated=annotated, seed=seed)
    X, y = setting.training(data)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    return 100 * accuracy(data.labels[setting.test_unseen], answers)


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
            cells = []
            for K in arguments.annotated:
                found = [unseen_accuracy(data, K, s, options) for s in range(arguments.seeds)]
                cells.append(f"{np.mean(found):.1f} ± {np.std(found, ddof=1):.1f}")
                progress.advance(work)
            table.add_row(name, *cells)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
