"""Concepts of Flickr photographs from noisy tags, refined tags and features: the paper's variants.

One-vs-all SVMs are trained on the training photographs of `flickr8k_tags` and scored on its test
photographs. Every variant has the same SVM; its C and the weight of tags against features are
chosen by the same search on training photographs held out, on which it is also learned what its
scores and the tags of the concepts' own names mean, and from which score on a concept is given. The
last row has tags that were refined together with those of the test photographs, their concepts
unseen; all others know nothing of them. A threshold lets an image have any number of concepts, as
in the paper; "top 3" gives each image three. One test split is one draw: the leads with features
are also measured on other divisions of all photographs into as many to train and to test on.

    SAPWOOD_DATA=... python benchmarks/annotation.py [--divisions 8] [--docs docs/tags.md]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sapwood.benchmark import fill_page, mean_and_error
from sapwood.data import TagData, load_tags
from sapwood.metrics import (
    decide_threshold,
    decide_top_k,
    mean_average_precision,
    tag_precision_recall,
)
from sapwood.tags import SocialImageAnnotator

#: Name: refiner and inputs of the annotator.
VARIANTS = {
    "noisy tags": (None, "tags"),
    "refined tags": ("default", "tags"),
    "features": (None, "features"),
    "noisy tags + features": (None, "tags+features"),
    "refined tags + features": ("default", "tags+features"),
}
TOGETHER = "refined together + features"
#: What is compared.
LEADS = (
    ("refined tags", "noisy tags"),
    ("refined tags + features", "noisy tags + features"),
    (TOGETHER, "noisy tags + features"),
)
AVERAGES = {"C": "concepts", "I": "images", "O": "overall"}
SEED, RESAMPLES, TOP = 0, 300, 3
#: The first seed of other divisions.
OTHERS = 100


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
    annotator.fit(X[train], data.tags[train], data.concepts[train], **_names(data))
    return _found(annotator, annotator.decision_function(X[test], data.tags[test]))


def annotate_together(data: TagData) -> Found:
    """Give all photographs to fit, none but the training ones with their concepts."""
    concepts = np.full((len(data.tags), len(data.concept_names)), -1, dtype=np.int8)
    concepts[data.train] = data.concepts[data.train]
    annotator = SocialImageAnnotator(random_state=SEED)
    annotator.fit(data.features, data.tags, concepts, **_names(data))
    others = np.setdiff1d(np.arange(len(concepts)), data.train)
    return _found(annotator, annotator.unannotated_scores_[np.searchsorted(others, data.test)])


def _names(data: TagData) -> dict[str, object]:
    return {"concept_names": data.concept_names, "tag_names": data.tag_names}


def _found(annotator: SocialImageAnnotator, scores: np.ndarray) -> Found:
    best = max(row["mean_average_precision"] for row in annotator.svm_.tried_)
    return Found(scores, annotator.C_, annotator.tag_weight_, best)


def ranking_table(found: dict[str, Found], truth: np.ndarray) -> str:
    lines = [
        "| learned from | mAP over concepts | mAP over images | SVM, held out | C | tag weight |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, one in found.items():
        concepts = 100 * mean_average_precision(truth, one.scores)
        images = 100 * mean_average_precision(truth, one.scores, average="images")
        weight = f"{one.tag_weight:g}" if " + " in name else "–"
        cells = [f"{value:.1f}" for value in (concepts, images, 100 * one.held_out)]
        cells += [f"{one.C:g}", weight]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def decision_table(found: dict[str, Found], truth: np.ndarray, top: int | None) -> str:
    columns = [f"{a}-{m}" for a in AVERAGES for m in ("P", "R", "F1")]
    title = "score above the threshold" if top is None else f"top {top}"
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
    for ours, theirs in LEADS:
        pair = found[ours].scores, found[theirs].scores
        lead = _lead(truth, *pair)
        drawn = [rng.integers(0, len(truth), len(truth)) for _ in range(RESAMPLES)]
        error = np.std([_lead(truth[rows], *(scores[rows] for scores in pair)) for rows in drawn])
        lines.append(f"- {ours} against {theirs}: {lead:+.1f} ± {error:.1f} mAP")
    return "\n".join(lines)


def divided(data: TagData, seed: int) -> TagData:
    """Draw other training and test photographs, as many as there are."""
    order = np.random.default_rng(seed).permutation(len(data.features))
    test, train = np.split(order, [len(data.test)])
    return replace(data, train=np.sort(train), test=np.sort(test))


def division_lines(data: TagData, divisions: int) -> str:
    """The leads with features, on other divisions of the photographs."""
    wanted = [pair for pair in LEADS if all(" + " in name for name in pair)]
    leads: dict[tuple[str, str], list[float]] = {pair: [] for pair in wanted}
    for seed in range(OTHERS, OTHERS + divisions):
        other = divided(data, seed)
        found = {
            name: annotate(other, *variant) for name, variant in VARIANTS.items() if " + " in name
        }
        found[TOGETHER] = annotate_together(other)
        for pair, past in leads.items():
            past.append(_lead(other.concepts[other.test], *(found[name].scores for name in pair)))
            print(f"division {seed}, {pair[0]}: {past[-1]:+.1f}", flush=True)
    sizes = f"{len(data.train)} to train and {len(data.test)} to test on"
    lines = [f"On {divisions} other divisions of all photographs into {sizes}:\n"]
    for (ours, theirs), found_leads in leads.items():
        each = ", ".join(f"{lead:+.1f}" for lead in found_leads)
        lines.append(f"- {ours} against {theirs}: {mean_and_error(found_leads)} mAP ({each})")
    return "\n".join(lines)


def _lead(truth: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> float:
    return 100 * (mean_average_precision(truth, ours) - mean_average_precision(truth, theirs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--divisions", type=int, default=8, help="other divisions; 8")
    parser.add_argument("--docs", type=Path, help="a page whose block `annotation` is to be filled")
    arguments = parser.parse_args()
    data = load_tags("flickr8k_tags")
    truth = data.concepts[data.test]
    found = {name: annotate(data, *variant) for name, variant in VARIANTS.items()}
    found[TOGETHER] = annotate_together(data)
    parts = [ranking_table(found, truth), lead_lines(found, truth)]
    if arguments.divisions > 1:
        parts.append(division_lines(data, arguments.divisions))
    parts += [decision_table(found, truth, top) for top in (None, TOP)]
    text = "\n\n".join(parts)
    print(text)
    if arguments.docs is not None:
        filled = fill_page(arguments.docs, "annotation", text, "benchmarks/annotation.py")
        print(f"\n{arguments.docs}: {'filled' if filled else 'has no block named annotation'}")


if __name__ == "__main__":
    main()
