"""Concepts of Flickr photographs from noisy tags, refined tags and features: the paper's variants.

One-vs-all SVMs are trained on the training photographs of `flickr8k_tags` and scored on its test
photographs. Every variant has the same SVM, and its C and the weight of tags against features are
chosen by the same search on training photographs held out. A threshold of 0 lets an image have
any number of concepts, as in the paper; "top 3" gives each image three.

    SAPWOOD_DATA=... python benchmarks/annotation.py [--docs docs/tags.md]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sapwood.benchmark import fill_page
from sapwood.data import TagData, load_tags
from sapwood.metrics import (
    decide_threshold,
    decide_top_k,
    mean_average_precision,
    tag_precision_recall,
)
from sapwood.tags.annotator import SocialImageAnnotator

#: Name: refiner and inputs of the annotator.
VARIANTS = {
    "noisy tags": (None, "tags"),
    "refined tags": ("default", "tags"),
    "features": (None, "features"),
    "noisy tags + features": (None, "tags+features"),
    "refined tags + features": ("default", "tags+features"),
}
#: What is compared, and the lead asked for.
LEADS = (
    ("refined tags", "noisy tags", 5.0),
    ("refined tags + features", "noisy tags + features", 1.5),
)
AVERAGES = {"C": "concepts", "I": "images", "O": "overall"}
SEED, RESAMPLES, TOP = 0, 300, 3


@dataclass(frozen=True)
class Found:
    """Scores of test photographs, and the settings they were found with."""

    scores: np.ndarray
    C: float
    tag_weight: float
    held_out: float


def annotate(data: TagData, refiner: object, inputs: str) -> Found:
    annotator = SocialImageAnnotator(refiner, inputs=inputs, random_state=SEED)
    X, train, test = data.features, data.train, data.test
    annotator.fit(X[train], data.tags[train], data.concepts[train])
    best = max(row["mean_average_precision"] for row in annotator.svm_.tried_)
    scores = annotator.decision_function(X[test], data.tags[test])
    return Found(scores, annotator.C_, annotator.tag_weight_, best)


def ranking_table(found: dict[str, Found], truth: np.ndarray) -> str:
    lines = [
        "| learned from | mAP over concepts | mAP over images | held out | C | tag weight |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in found.items():
        concepts = 100 * mean_average_precision(truth, one.scores)
        images = 100 * mean_average_precision(truth, one.scores, average="images")
        weight = f"{one.tag_weight:g}" if " + " in name else "–"
        cells = f"{concepts:.1f} | {images:.1f} | {100 * one.held_out:.1f} | {one.C:g} | {weight}"
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines)


def decision_table(found: dict[str, Found], truth: np.ndarray, top: int | None) -> str:
    columns = [f"{a}-{m}" for a in AVERAGES for m in ("P", "R", "F1")]
    title = "score above 0" if top is None else f"top {top}"
    lines = [f"| {title} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, one in found.items():
        given = decide_threshold(one.scores) if top is None else decide_top_k(one.scores, top)
        cells = []
        for average in AVERAGES.values():
            scored = tag_precision_recall(truth, given, average=average)
            cells += [scored.precision, scored.recall, scored.f1]
        lines.append(f"| {name} | {' | '.join(f'{100 * cell:.1f}' for cell in cells)} |")
    return "\n".join(lines)


def lead_lines(found: dict[str, Found], truth: np.ndarray) -> str:
    """How far refined tags are ahead, with the standard error over resampled test photographs."""
    rng = np.random.default_rng(SEED)
    lines = []
    for ours, theirs, wanted in LEADS:
        pair = found[ours].scores, found[theirs].scores
        lead = _lead(truth, *pair)
        drawn = [rng.integers(0, len(truth), len(truth)) for _ in range(RESAMPLES)]
        error = np.std([_lead(truth[rows], *(scores[rows] for scores in pair)) for rows in drawn])
        verdict = "reached" if lead >= wanted else "not reached"
        lines.append(
            f"- {ours} against {theirs}: {lead:+.1f} ± {error:.1f} mAP (at least {wanted:g} was "
            f"asked for: {verdict})"
        )
    return "\n".join(lines)


def _lead(truth: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> float:
    return 100 * (mean_average_precision(truth, ours) - mean_average_precision(truth, theirs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", type=Path, help="a page whose block `annotation` is to be filled")
    arguments = parser.parse_args()
    data = load_tags("flickr8k_tags")
    truth = data.concepts[data.test]
    found = {name: annotate(data, *variant) for name, variant in VARIANTS.items()}
    parts = [ranking_table(found, truth), lead_lines(found, truth)]
    parts += [decision_table(found, truth, top) for top in (None, TOP)]
    text = "\n\n".join(parts)
    print(text)
    if arguments.docs is not None:
        filled = fill_page(arguments.docs, "annotation", text, "benchmarks/annotation.py")
        print(f"\n{arguments.docs}: {'filled' if filled else 'has no block named annotation'}")


if __name__ == "__main__":
    main()
