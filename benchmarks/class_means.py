"""Means of classes with their noise taken off, on seen classes that play unseen ones.

A third of a data set's seen classes are held out and asked; the others teach, K annotated images
of each and no others. The mean of few images is noisy. What is common to the means of several
classes is told best by their singular vectors, once features are whitened by how images scatter
about their class: of each one's squared length, the share that noise accounts for is known and can
be taken off (James and Stein's rule). Per cent of images named correctly with the means as they
are, and the difference that this makes, with its standard error over partitions. "Mixed" features
are means of each image's and those of other images drawn at random: weaker features of the same
classes. No image of an unseen class takes part.

    SAPWOOD_DATA=... python benchmarks/class_means.py [--partitions 8] [--docs PAGE]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from held_out import TITLES, Task

from sapwood.benchmark import fill_page, markdown_table, mean_and_error
from sapwood.data import ZeroShotData
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.metrics import accuracy
from sapwood.models.coordinates import USUAL_MAP
from sapwood.models.parameters import USUAL
from sapwood.projection import Evidence, prototype_scores, ridge_for

#: Added to every eigenvalue of the scatter within classes, in units of their mean; d / n times as
#: much for fewer images than features.
SHRINKAGES = (0.3, 1.0)


class Asked(NamedTuple):
    """A data set, how many other images each is mixed with, and K's."""

    data: str
    mixed: int
    annotated: tuple[int, ...]


ASKED = (
    Asked("awa1_lowlevel", 0, (5, 25, 100)),
    Asked("cub", 0, (5, 25)),
    Asked("cub:sentence_attributes", 0, (5,)),
    Asked("demo", 0, (5, 25)),
    Asked("cub", 1, (5, 25)),
    Asked("cub", 4, (5, 25)),
    Asked("demo", 4, (5, 25)),
)


def mixed_features(data: ZeroShotData, others: int, seed: int) -> np.ndarray:
    X, rng = np.asarray(data.features, dtype=float), np.random.default_rng(seed)
    return sum((X[rng.permutation(len(X))] for _ in range(others)), start=X) / (others + 1)


def without_noise(evidence: Evidence, shrinkage: float) -> np.ndarray:
    """Return the sums of each class's features, less what noise has in their means, (p, d)."""
    F, d = evidence.F, evidence.X.shape[1]
    images = F.sum(axis=0)[:, None]
    means = evidence.FtX / images
    apart, centre, freedom = evidence.X - F @ means, means.mean(axis=0), len(F) - len(images)
    values, vectors = np.linalg.eigh(apart.T @ apart / freedom)
    scale = values + shrinkage * max(1.0, d / freedom) * values.mean()
    U, s, Vt = np.linalg.svd((means - centre) @ vectors / np.sqrt(scale), full_matrices=False)
    noise = (values / scale).sum() * (1 / images).mean()
    kept = s * np.maximum(1 - noise / np.maximum(s, 1e-12) ** 2, 0)
    return images * (((U * kept) @ Vt * np.sqrt(scale)) @ vectors.T + centre)


def projected(evidence: Evidence, sums: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return where classes, shape (c, q), project to, learned from sums of features."""
    YtY = evidence.YtY
    ridge = ridge_for(USUAL["lambda4"], evidence) * np.trace(YtY) / len(YtY)
    return classes @ np.linalg.solve(YtY + ridge * np.eye(len(YtY)), evidence.Z.T @ sums)


def shares_right(asked: Asked, K: int, partition: int) -> list[float]:
    """Return the per cent named correctly with means as they are, and under each shrinkage."""
    data, setting = Task(asked.data, K, partition).problem()
    features = mixed_features(data, asked.mixed, partition)
    annotated, held = setting.y >= 0, setting.unseen
    feature_map = FeatureMap(**FEATURE_MAPS["whitened"])
    X = feature_map.fit_transform(features[setting.train[annotated]])
    F = (setting.y[annotated, None] == setting.seen).astype(float)
    Z = np.where(np.isnan(data.attributes), np.nanmean(data.attributes, axis=0), data.attributes)
    classes = AttributeMap(**ATTRIBUTE_MAPS[USUAL_MAP]).fit(Z[setting.seen])
    evidence = Evidence(X, F, classes.transform(Z[setting.seen]), np.ones(len(X)))
    images, truth = features[setting.test_unseen], data.labels[setting.test_unseen]
    mapped, right = feature_map.transform(images), []
    for sums in (evidence.FtX, *(without_noise(evidence, value) for value in SHRINKAGES)):
        prototypes = projected(evidence, sums, classes.transform(Z[held]))
        answers = held[prototype_scores(mapped, prototypes, "euclidean").argmax(axis=1)]
        right.append(100 * accuracy(truth, answers))
    return right


def table(partitions: int) -> str:
    lines = []
    for asked in ASKED:
        title = TITLES[asked.data] + (f", mixed with {asked.mixed}" if asked.mixed else "")
        for K in asked.annotated:
            found = np.array([shares_right(asked, K, number) for number in range(partitions)])
            leads = [mean_and_error((one - found[:, 0]).tolist()) for one in found.T[1:]]
            lines.append([f"{title}, K = {K}", f"{found[:, 0].mean():.1f}", *leads])
            print(*lines[-1], flush=True)
    return markdown_table(["", "as they are", *(f"shrinkage {s:g}" for s in SHRINKAGES)], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=8, help="of each data set; 8")
    parser.add_argument(
        "--docs", type=Path, help="a page whose block `class-means` is to be filled"
    )
    arguments = parser.parse_args()
    text = table(arguments.partitions)
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "class-means", text, "benchmarks/class_means.py")


if __name__ == "__main__":
    main()
