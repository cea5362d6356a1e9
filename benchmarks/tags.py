"""Noisy tags refined: against what others agree on, for images held out, and as input of an SVM.

flickr8k: the words of one writer are refined and scored on the concepts that at least two of four
other writers used; the concepts have no part in fitting. Beside it stand the two ways in which
settings can be chosen without them: the rank of tags that were hidden (20 %), and how well the
refined tags of an image foretell those of its look-alike, which was taken out with its tags.
mirflickr: linear SVMs learn 24 concepts on one half of the images from the tags as given or
refined (from the tags alone), and are scored on the other half; C is chosen on the training half,
for both in the same way.

    SAPWOOD_DATA=... python benchmarks/tags.py [refinement] [held-out] [svm] [--docs]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sapwood.benchmark import fill_page, markdown_table, mean_and_error
from sapwood.data import TagData, load_tags
from sapwood.features import FEATURE_MAPS, FeatureMap
from sapwood.graph import nearest_neighbors
from sapwood.metrics import mean_average_precision
from sapwood.tags import OneVsAllSVM, TagRefiner
from sapwood.tags.design import fit_design

PAGE, MAKER = Path("docs/tags.md"), "benchmarks/tags.py"
#: What is refined in which way.
WAYS: dict[str, dict[str, object] | None] = {
    "tags as given": None,
    "the paper's preset": {"preset": "paper"},
    "**the default**": {},
    "no relations between tags": {"relations": 0.0},
    "landmark graph": {"graph": "landmark"},
    "1,024 landmarks in the kernel": {"landmarks": 1024},
    "whitened features": {"features": "whitened"},
    "features as they are, unit length": {"features": "unit"},
    "ridge 1": {"ridge": 1.0},
    "ridge 10": {"ridge": 10.0},
    "own tags weigh 1/5": {"own": 0.2},
    "own tags weigh 1/2": {"own": 0.5},
}
HIDDEN, COMMON, PAIRS = 0.2, 20, 900
HALVES, QUARTERS = 5, 4
Refine = Callable[[np.ndarray, np.ndarray], np.ndarray]


def way(options: dict[str, object] | None) -> Refine:
    """Return the function from features and tags to refined tags."""

    def refine(X: np.ndarray, tags: np.ndarray) -> np.ndarray:
        if options is None:
            return tags.astype(float)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return TagRefiner(**options).fit_transform(X, tags)

    return refine


def both(truth: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    """Return mean average precision over columns and over images, in per cent."""
    by_column = mean_average_precision(truth, scores)
    return 100 * by_column, 100 * mean_average_precision(truth, scores, average="images")


def on_concepts(data: TagData, scores: np.ndarray, rows: np.ndarray | None = None) -> tuple:
    """Score refined tags on the concepts of the same names."""
    column = {str(name): j for j, name in enumerate(data.tag_names)}
    columns = [column[str(name)] for name in data.concept_names]
    concepts = data.concepts if rows is None else data.concepts[rows]
    return both(concepts, scores[:, columns])


def on_hidden(data: TagData, refine: Refine, seed: int = 0) -> tuple[float, float]:
    """Hide tags and rank them among those an image does not have."""
    draws = np.random.default_rng(seed).random(data.tags.shape)
    hidden = (data.tags > 0) & (draws < HIDDEN)
    left = np.where(hidden, 0, data.tags)
    common = (data.tags > 0).sum(axis=0) >= COMMON
    # What is still given is not to be found: it goes to the end of every list.
    scores = np.where(left > 0, -np.inf, refine(data.features, left))
    return both(hidden[:, common], scores[:, common])


def on_look_alikes(data: TagData, refine: Refine, seed: int = 0) -> tuple[float, float]:
    """Take one of each pair of mutual neighbours out and foretell its tags from the other's."""
    X = FeatureMap(**FEATURE_MAPS["whitened"]).fit_transform(data.features)
    neighbors, squared = nearest_neighbors(X, 1)
    nearest = neighbors[:, 0]
    first = np.flatnonzero((nearest[nearest] == np.arange(len(X))) & (np.arange(len(X)) < nearest))
    first = first[np.argsort(squared[first, 0], kind="stable")][:PAIRS]
    swap = np.random.default_rng(seed).random(len(first)) < 0.5
    kept, gone = np.where(swap, nearest[first], first), np.where(swap, first, nearest[first])
    rest = np.setdiff1d(np.arange(len(X)), gone)
    scores = refine(data.features[rest], data.tags[rest])[np.searchsorted(rest, kept)]
    truth = data.tags[gone] > 0
    often = truth.sum(axis=0) >= 5
    return both(truth[:, often], scores[:, often])


def refinement() -> str:
    data = load_tags("flickr8k_tags")
    body = []
    for name, options in WAYS.items():
        refine = way(options)
        scores = refine(data.features, data.tags)
        pairs = [on_hidden(data, refine), on_look_alikes(data, refine), on_concepts(data, scores)]
        body.append([name, *(f"{a:.1f} / {b:.1f}" for a, b in pairs)])
        print(body[-1], flush=True)
    columns = ["", "hidden tags", "look-alikes", "concepts of others"]
    return markdown_table(columns, body)


def held_out() -> str:
    """Refine quarters of the images that were not fitted: the test split and drawn ones."""
    data = load_tags("flickr8k_tags")
    X, tags = data.features, data.tags
    n, together = len(tags), TagRefiner().fit_transform(X, tags)
    drawn = [np.random.default_rng(seed).permutation(n)[: n // 4] for seed in range(QUARTERS)]
    found: dict[str, list[tuple[float, float]]] = {}
    for new in (data.test, *drawn):
        old = np.setdiff1d(np.arange(n), new)
        refiner = TagRefiner().fit(X[old], tags[old])
        scores = {
            "tags as given": tags[new].astype(float),
            "refined together with all others": together[new],
            "`transform(X, tags)`, never fitted": refiner.transform(X[new], tags[new]),
            "`transform(X)`, without their tags": refiner.transform(X[new]),
        }
        for name, refined in scores.items():
            found.setdefault(name, []).append(on_concepts(data, refined, new))
    body = [
        [name, *(f"{a:.1f} / {b:.1f}" for a, b in (pairs[0], np.mean(pairs[1:], axis=0)))]
        for name, pairs in found.items()
    ]
    return markdown_table(["", "test split", f"{QUARTERS} quarters drawn"], body)


def halves(data: TagData) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield a seed and two halves of the rows, five times."""
    n = len(data.tags)
    for seed in range(HALVES):
        order = np.random.default_rng(seed).permutation(n)
        yield seed, order[: n // 2], order[n // 2 :]


def svm_score(inputs: np.ndarray, data: TagData, old: np.ndarray, new: np.ndarray) -> float:
    """Train on the rows `old`, with C chosen among them, and score on the rows `new`."""
    design = fit_design(inputs[old], None, "unit")
    model = OneVsAllSVM().fit(design.rows(inputs[old], None), data.concepts[old])
    scores = model.decision_function(design.rows(inputs[new], None))
    return 100 * mean_average_precision(data.concepts[new], scores)


def svm() -> str:
    data = load_tags("mirflickr_tags")
    whole = TagRefiner().fit_transform(None, data.tags)
    columns: dict[str, list[float]] = {"given": [], "apart": [], "together": []}
    for seed, old, new in halves(data):
        apart = np.empty_like(whole)
        refiner = TagRefiner()
        apart[old] = refiner.fit_transform(None, data.tags[old])
        apart[new] = refiner.transform(None, data.tags[new])
        for name, inputs in {"given": data.tags, "apart": apart, "together": whole}.items():
            columns[name].append(svm_score(inputs.astype(np.float32), data, old, new))
        print(seed, {name: round(values[-1], 2) for name, values in columns.items()}, flush=True)
    told = {
        "given": "tags as given",
        "apart": "refined: fitted to the training half, the other half transformed",
        "together": "refined: `fit_transform` of all images, concepts unseen",
    }
    body = []
    for name, values in columns.items():
        lead = np.subtract(values, columns["given"])
        shown = "" if name == "given" else mean_and_error(lead.tolist())
        body.append(
            [told[name], " ".join(f"{v:.1f}" for v in values), f"{np.mean(values):.1f}", shown]
        )
    return markdown_table(["input of the SVM", "five halves", "mean", "lead"], body)


PARTS = {"refinement": refinement, "held-out": held_out, "svm": svm}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--docs", action="store_true", help=f"write the tables into {PAGE}")
    asked = parser.parse_args()
    for name in asked.parts or PARTS:
        text = PARTS[name]()
        print(f"\n{text}\n", flush=True)
        if asked.docs:
            fill_page(PAGE, f"tags {name}", text, MAKER)


if __name__ == "__main__":
    main()
