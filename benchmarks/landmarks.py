"""The landmark graph on CUB against the exact one: accuracy, eigenvalues and span.

Unseen-class accuracy (the paper's split, K annotated images a seen class) of both presets with
exact neighbours and with landmarks; then the eigenpairs of ``L = I - Ẑ Ẑᵀ`` by the p × p problem
against a Lanczos method on the n × n one, and the angle between its span and that of the exact
graph, which is another Laplacian: only the first of the two should agree to rounding.

    SAPWOOD_DATA=... python benchmarks/landmarks.py [--annotated 5] [--seeds 3]
"""

from __future__ import annotations

import argparse
import warnings
from time import process_time

import numpy as np
import scipy.linalg
import scipy.sparse.linalg
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.data import ZeroShotData, load_zero_shot, standard_setting
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import affinity_matrix, landmark_graph, nearest_neighbors, spectral_basis
from sapwood.metrics import accuracy
from sapwood.models.parameters import PRESETS

PRESET_OPTIONS = {
    "robust": {"preset": "robust"},
    "paper, L2 attributes, cosine": {"preset": "paper", "attribute_map": "l2", "metric": "cosine"},
}


def unseen_accuracy(data: ZeroShotData, annotated: int, seed: int, options: dict) -> float:
    setting = standard_setting(data, annotated=annotated, seed=seed)
    X, y = setting.training(data)
    model = SparseAttributePropagation(**options).fit(X, y, class_attributes=data.attributes)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    return 100 * accuracy(data.labels[setting.test_unseen], answers)


def print_accuracies(data: ZeroShotData, annotated: int, seeds: int) -> None:
    print(f"CUB, {annotated} annotated images a class, {seeds} seeds: unseen accuracy (%)\n")
    print("| preset | exact neighbours | landmarks | difference |\n|---|---|---|---|")
    for name, options in PRESET_OPTIONS.items():
        found = {
            graph: np.array(
                [
                    unseen_accuracy(data, annotated, seed, {**options, "graph": graph})
                    for seed in range(seeds)
                ]
            )
            for graph in ("knn", "landmark")
        }
        change = found["landmark"] - found["knn"]
        cells = [f"{v.mean():.1f} ± {v.std():.1f}" for v in (*found.values(), change)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def print_spectra(X: np.ndarray, m: int) -> None:
    start = process_time()
    graph, Z_hat = landmark_graph(X, sigma=1.0)
    basis = graph.basis(m)
    V = Z_hat @ basis.mixing
    landmark_time = process_time() - start
    n = len(X)
    S = scipy.sparse.linalg.LinearOperator((n, n), matvec=lambda v: Z_hat @ (Z_hat.T @ v))
    values, U = scipy.sparse.linalg.eigsh(S, k=m, which="LA", v0=np.random.default_rng(1).random(n))
    order = np.argsort(-values)
    start = process_time()
    neighbors, squared = nearest_neighbors(X, PRESETS["paper"]["k_g"])
    exact = spectral_basis(affinity_matrix(neighbors, squared), m)
    exact_time = process_time() - start
    angles = np.degrees(scipy.linalg.subspace_angles(V, exact.vectors))
    shared = np.linalg.norm(V.T @ exact.vectors) ** 2 / m
    print(f"\nEigenpairs of the landmark Laplacian, n = {n}, m = {m}")
    apart = np.abs(basis.values - 1 + values[order]).max()
    print(f"- largest difference of an eigenvalue: {apart:.1e}")
    print(f"- largest angle between the spans: {scipy.linalg.subspace_angles(V, U).max():.1e} rad")
    print(f"- V_mᵀ V_m = I up to {np.abs(V.T @ V - np.eye(m)).max():.1e}")
    print("Against the exact 300-neighbour graph's Laplacian")
    print(f"- median angle between the spans {np.median(angles):.0f}°, largest {angles.max():.0f}°")
    print(f"- share of the exact basis within the landmark one {shared:.2f}")
    print(f"- processor time, landmark / exact: {landmark_time / exact_time:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotated", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = load_zero_shot("cub")
    print_accuracies(data, arguments.annotated, arguments.seeds)
    rows = standard_setting(data, annotated=arguments.annotated, seed=0).training(data)[0]
    mapped = FeatureMap(**FEATURE_MAPS[PRESETS["paper"]["features"]]).fit_transform(rows)
    print_spectra(mapped, PRESETS["paper"]["m"])


if __name__ == "__main__":
    main()
