"""The landmark graph on CUB against the exact one: accuracy, eigenvalues and span.

Unseen-class accuracy (the paper's split, K annotated images a seen class) of both presets with
exact neighbours and with landmarks; then the eigenpairs of ``L = I - Ẑ Ẑᵀ`` by the p × p problem
against a Lanczos method on the n × n one, and the angle between its span and that of the exact
graph, which is another Laplacian: only the first of the two should agree to rounding.

    SAPWOOD_DATA=... python benchmarks/landmarks.py [--annotated 5] [--seeds 3] [--docs]
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

import numpy as np
import scipy.linalg
import scipy.sparse.linalg
from sklearn.exceptions import ConvergenceWarning

from sapwood import SparseAttributePropagation
from sapwood.benchmark import fill_page, mean_and_deviation
from sapwood.data import ZeroShotData, load_zero_shot, standard_setting
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import affinity_matrix, landmark_graph, nearest_neighbors, spectral_basis
from sapwood.metrics import accuracy
from sapwood.models.parameters import PRESETS

PAGE, MAKER = Path("docs/tags.md"), "benchmarks/landmarks.py"
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


def accuracies(data: ZeroShotData, annotated: int, seeds: int) -> str:
    lines = [
        f"CUB, {annotated} annotated images a class, {seeds} seeds: unseen accuracy (%)\n",
        "| preset | exact neighbours | landmarks | difference |",
        "|---|--:|--:|--:|",
    ]
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
        cells = [mean_and_deviation(list(v)) for v in (*found.values(), change)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def spectra(X: np.ndarray, m: int) -> str:
    start = process_time()
    graph, Z_hat = landmark_graph(X, sigma=1.0)
    basis = graph.basis(m)
    V = Z_hat @ basis.mixing
    landmark_time = process_time() - start
    start = process_time()
    neighbors, squared = nearest_neighbors(X, PRESETS["paper"]["k_g"])
    exact = spectral_basis(affinity_matrix(neighbors, squared), m)
    exact_time = process_time() - start
    values, U = _largest(Z_hat, m)
    angles = np.degrees(scipy.linalg.subspace_angles(V, exact.vectors))
    shared = np.linalg.norm(V.T @ exact.vectors) ** 2 / m
    apart = np.abs(basis.values - 1 + values).max()
    lines = [
        f"Eigenpairs of the landmark Laplacian, n = {len(X)}, m = {m}, by the p × p problem and by "
        "a Lanczos method on the n × n one:\n",
        f"- largest difference of an eigenvalue: {apart:.1e}",
        f"- largest angle between the spans: {scipy.linalg.subspace_angles(V, U).max():.1e} rad",
        f"- V_mᵀ V_m = I up to {np.abs(V.T @ V - np.eye(m)).max():.1e}\n",
        "Against the exact 300-neighbour graph, which is another Laplacian:\n",
        f"- median angle between the spans {np.median(angles):.0f}°, largest {angles.max():.0f}°",
        f"- share of the exact basis within the landmark one {shared:.2f}",
        f"- processor time, landmark / exact: {landmark_time / exact_time:.2f}",
    ]
    return "\n".join(lines)


def _largest(Z_hat: scipy.sparse.csr_array, m: int) -> tuple[np.ndarray, np.ndarray]:
    """The m largest eigenpairs of ``Ẑ Ẑᵀ``, without the p × p problem."""
    n = Z_hat.shape[0]
    S = scipy.sparse.linalg.LinearOperator((n, n), matvec=lambda v: Z_hat @ (Z_hat.T @ v))
    values, U = scipy.sparse.linalg.eigsh(S, k=m, which="LA", v0=np.random.default_rng(1).random(n))
    order = np.argsort(-values)
    return values[order], U[:, order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotated", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--docs", action="store_true", help=f"write both into {PAGE}")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = load_zero_shot("cub")
    rows = standard_setting(data, annotated=arguments.annotated, seed=0).training(data)[0]
    mapped = FeatureMap(**FEATURE_MAPS[PRESETS["paper"]["features"]]).fit_transform(rows)
    parts = [
        spectra(mapped, PRESETS["paper"]["m"]),
        accuracies(data, arguments.annotated, arguments.seeds),
    ]
    text = "\n\n".join(parts)
    print(text)
    if arguments.docs:
        fill_page(PAGE, "landmarks", text, MAKER)


if __name__ == "__main__":
    main()
