"""One paper-preset fit on CUB against a literal solver of the same algorithm, stage by stage.

The literal solver takes each step from a general-purpose library: scikit-learn's brute-force
neighbours, one ``Lasso`` for each attribute in SAP-I, proximal gradient for each image in SAP-II,
``solve_sylvester`` for each projection. Both run on the same threads in the same process; what is
reported are ratios, and how far the two W are apart. Then the default's fit, stage by stage, in
units of the bare product of all pairs of images.

    SAPWOOD_DATA=... python benchmarks/speed_paper_fit.py [--quick] [--docs docs/speed.md]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from scipy.sparse.csgraph import laplacian as scipy_laplacian
from sklearn.linear_model import Lasso
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from sapwood import SparseAttributePropagation
from sapwood.benchmark import fill_page, markdown_table
from sapwood.data import load_zero_shot, standard_setting
from sapwood.features import FeatureMap, unit_rows
from sapwood.graph import affinity_matrix, nearest_neighbors, spectral_basis
from sapwood.models.parameters import PRESETS
from sapwood.models.printed import Printed
from sapwood.progress import listening

PAPER = PRESETS["paper"]
LAMBDA1, LAMBDA2, LAMBDA3, LAMBDA4 = (PAPER[f"lambda{i}"] for i in (1, 2, 3, 4))
K_G, M, ITERATIONS = PAPER["k_g"], PAPER["m"], PAPER["max_iter"]
STAGES = ("neighbours", "graph", "eigenvectors", "SAP-I", "SAP-II", "BPL")


class Clock:
    """Adds up the time spent in named stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Add the time of the block to `stage`."""
        start = perf_counter()
        yield
        self.seconds[stage] += perf_counter() - start


class Stages:
    """Adds up the time between what a fit says of itself."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.last = "checks", perf_counter()

    def turn_to(self, stage: str, done: float = 0.0) -> None:
        """Add the time since the last turn to the stage that it was a turn to."""
        before, since = self.last
        self.last = stage, perf_counter()
        self.seconds[before] += self.last[1] - since


def literal_fit(X: np.ndarray, Y_given: np.ndarray, clock: Clock) -> np.ndarray:
    n = len(X)
    with clock("neighbours"):
        search = NearestNeighbors(n_neighbors=K_G, algorithm="brute").fit(X)
        distances, neighbours = search.kneighbors()
    with clock("graph"):
        rows = np.repeat(np.arange(n), K_G)
        weights = np.exp(-(distances.ravel() ** 2) / 2)
        A = scipy.sparse.csr_array((weights, (rows, neighbours.ravel())), shape=(n, n))
        L = scipy_laplacian(A.maximum(A.T), normed=True)
    with clock("eigenvectors"):
        start = np.random.default_rng(1).standard_normal(n)
        values, V = scipy.sparse.linalg.eigsh(L, k=M, which="SA", v0=start)
        order = np.argsort(values)
        values, V = np.maximum(values[order], 0), V[:, order]
        # A connected graph: its one zero eigenvalue is exact.
        values[0] = 0.0
    Y = Y_given
    with clock("BPL"):
        W = literal_bpl(X, Y)
    for _ in range(ITERATIONS):
        with clock("SAP-I"):
            Y_smooth = literal_sap1(Y, V, values)
        with clock("SAP-II"):
            Y = literal_sap2(X, Y, Y_smooth, Y_given, W)
        with clock("BPL"):
            W = literal_bpl(X, Y)
    return W


def literal_bpl(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    k = Y.shape[1]
    return scipy.linalg.solve_sylvester(Y.T @ Y + LAMBDA4 * np.eye(k), X.T @ X, 2 * Y.T @ X)


def literal_sap1(Y: np.ndarray, V: np.ndarray, values: np.ndarray) -> np.ndarray:
    root = np.sqrt(values[1:])
    design = np.asfortranarray(V[:, 1:] / root)
    alpha = np.empty((M, Y.shape[1]))
    alpha[0] = V[:, 0] @ Y
    model = Lasso(alpha=LAMBDA1 / (2 * len(Y)), fit_intercept=False, tol=1e-12, max_iter=10_000)
    for j in range(Y.shape[1]):
        alpha[1:, j] = model.fit(design, Y[:, j]).coef_ / root
    return V @ alpha


def literal_sap2(
    X: np.ndarray, Y: np.ndarray, Y_smooth: np.ndarray, Y_given: np.ndarray, W: np.ndarray
) -> np.ndarray:
    L = 2 * (1 + LAMBDA3 + LAMBDA3 * np.linalg.norm(W, 2) ** 2)
    result = np.empty_like(Y)
    for i in range(len(Y)):
        y, x, forward = Y[i], X[i], W @ X[i]
        for _ in range(10_000):
            gradient = 2 * (y - Y_smooth[i])
            gradient += 2 * LAMBDA3 * ((y - forward) + W @ (y @ W - x))
            step = y - gradient / L - Y_given[i]
            new = Y_given[i] + np.sign(step) * np.maximum(np.abs(step) - LAMBDA2 / L, 0)
            change = np.abs(new - y).max()
            y = new
            if change <= 1e-12:
                break
        result[i] = y
    return result


def our_fit(X: np.ndarray, Y_given: np.ndarray, clock: Clock) -> np.ndarray:
    with clock("neighbours"):
        neighbours, squared = nearest_neighbors(X, K_G)
    with clock("graph"):
        A = affinity_matrix(neighbours, squared)
    with clock("eigenvectors"):
        basis = spectral_basis(A, M)
    with clock("BPL"):
        problem = Printed(
            X,
            Y_given,
            basis,
            lambda1=LAMBDA1,
            lambda2=LAMBDA2,
            lambda3=LAMBDA3,
            lambda4=LAMBDA4,
        )
        states = problem.iterate(ITERATIONS)
        state = next(states)
    for _ in range(ITERATIONS):
        for stage in ("SAP-I", "SAP-II", "BPL"):
            with clock(stage):
                state = next(states)
    return state.W


def literal_text(ours: Clock, literal: Clock, difference: float) -> str:
    total, total_literal = sum(ours.seconds.values()), sum(literal.seconds.values())
    lines = []
    for stage in STAGES:
        a, b = literal.seconds[stage], ours.seconds[stage]
        shares = f"{100 * a / total_literal:.0f} %", f"{100 * b / total:.0f} %"
        lines.append([stage, *shares, f"{a / b:.1f}"])
    lines.append(["all", "100 %", "100 %", f"{total_literal / total:.1f}"])
    table = markdown_table(["stage", "literal, share", "ours, share", "times faster"], lines)
    most = total_literal / ours.seconds["neighbours"]
    return (
        f"{table}\n\nRelative difference of the two W: {difference:.1e}. If all stages but the "
        f"neighbours took no time at all, the whole would be {most:.0f} times faster."
    )


def robust_text(X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> str:
    stages = Stages()
    with listening(stages.turn_to):
        SparseAttributePropagation().fit(X, y, class_attributes=Z)
    stages.turn_to("nothing")
    X = FeatureMap().fit_transform(X)
    floor = perf_counter()
    X @ X.T
    floor = perf_counter() - floor
    total = sum(stages.seconds.values())
    lines = [
        [stage, f"{100 * seconds / total:.0f} %", f"{seconds / floor:.2f}"]
        for stage, seconds in stages.seconds.items()
    ]
    lines.append(["whole fit", "100 %", f"{total / floor:.2f}"])
    return markdown_table(["stage", "share of the fit", "in bare products"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the images")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--docs", type=Path, help="a page whose blocks are to be filled")
    arguments = parser.parse_args()
    cub = load_zero_shot("cub")
    step = 10 if arguments.quick else 1
    features, y = standard_setting(cub, annotated=5, seed=0).training(cub)
    features, y, Z = features[::step].astype(float), y[::step], cub.attributes.astype(float)
    X = unit_rows(features)
    Y_given = np.where(y[:, None] >= 0, unit_rows(Z, norm=1)[y], 0.0)
    ours, literal = Clock(), Clock()
    with threadpool_limits(arguments.threads):
        W = our_fit(X, Y_given, ours)
        W_literal = literal_fit(X, Y_given, literal)
        difference = np.linalg.norm(W - W_literal) / np.linalg.norm(W_literal)
        texts = {
            "literal": literal_text(ours, literal, difference),
            "stages": robust_text(features, y, Z),
        }
    for name, text in texts.items():
        print(f"{text}\n")
        if arguments.docs is not None:
            fill_page(arguments.docs, name, text, "benchmarks/speed_paper_fit.py")


if __name__ == "__main__":
    main()
