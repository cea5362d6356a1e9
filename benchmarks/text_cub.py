"""Words in place of attributes, and beside them, on CUB's unseen classes.

Each class is told by one line, made from its name and the attributes that stand out most against
the mean of all classes. A second set of words is CUB's own: vectors of sentences that people wrote
about the photographs. Weights of attributes and words are chosen on seen classes held out. The
paper's split; mean and standard deviation over draws, in percent of images. Rows that were found
before are not found again.

    SAPWOOD_DATA=... python benchmarks/text_cub.py [--annotated 1 5] [--seeds 3] [--encoder minilm]
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from sapwood import SparseAttributePropagation
from sapwood.benchmark import (
    append_rows,
    fill_page,
    markdown_table,
    mean_and_deviation,
    mean_and_error,
    read_rows,
)
from sapwood.data import load_zero_shot, standard_setting
from sapwood.metrics import accuracy
from sapwood.models.space_weights import weigh_spaces
from sapwood.text import ClassSpaces, class_vectors, encoder_named

ROWS = Path("benchmarks/results/text.jsonl")
PAGE = Path("docs/your-own-data.md")
#: Attributes that a line names: about as many as fit into one.
NAMED = 10
KINDS = ("color", "shape", "pattern")


def phrase(attribute: str) -> str:
    """Return ``a red crown`` for ``has_crown_color::red``."""
    group, value = attribute.removeprefix("has_").split("::")
    value = re.sub(r"\(.*?\)", "", value).replace("_", " ").strip()
    if group == "bill_length":
        return f"a bill {value}"
    part = " ".join(word for word in group.split("_") if word not in KINDS) or "shape"
    part = "body" if part == "primary" else part
    words = value if value.endswith((part, f"{part}s")) else f"{value} {part}"
    article = "" if words.endswith("s") else "an " if words[0] in "aeiou" else "a "
    return article + words


def lines(A: np.ndarray, attributes: list[str], classes: list[str]) -> dict[str, list[str]]:
    """Describe each class by its name and what stands out, in one line."""
    order = np.argsort(-(A - A.mean(axis=0)), axis=1, kind="stable")[:, :NAMED]
    told = {}
    for name, best in zip(classes, order, strict=True):
        common = re.sub(r"^\d+\.", "", name).replace("_", " ")
        told[name] = [f"{common}, a bird with {', '.join(phrase(attributes[j]) for j in best)}"]
    return told


def unseen_accuracy(data, setting, Z: np.ndarray) -> float:
    X, y = setting.training(data)
    model = SparseAttributePropagation().fit(X, y, class_attributes=Z)
    answers = model.predict(data.features[setting.test_unseen], classes=setting.unseen)
    return accuracy(data.labels[setting.test_unseen], answers)


def together(data, setting, spaces: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """Return attributes and words as one space, and the weight of words."""
    X, y = setting.training(data)
    weights = weigh_spaces(X, y, spaces).weights
    fitted = ClassSpaces(weights).fit([Z[setting.seen] for Z in spaces])
    return fitted.transform(spaces), weights[1]


def runs(
    data, words: dict[str, np.ndarray], K: int, seed: int, known: dict[str, float]
) -> Iterator[dict]:
    """Yield a row for each method whose accuracy is not known yet."""
    setting = standard_setting(data, "paper", K, seed)
    told = {"bench": "text", "data": "cub", "split": "paper", "annotated": K, "seed": seed}

    def row(method: str, Z: np.ndarray, weight: float, same: str = "") -> dict:
        # A space that has all the weight is passed on as given, and the fit is the same.
        known[method] = known[same] if same in known else unseen_accuracy(data, setting, Z)
        return {**told, "method": method, "accuracy": known[method], "weight_of_words": weight}

    if "attributes" not in known:
        yield row("attributes", data.attributes, 0.0)
    for name, T in words.items():
        if name not in known:
            yield row(name, T, 1.0)
        if f"attributes and {name}" not in known:
            Z, weight = together(data, setting, [data.attributes, T])
            same = {0.0: "attributes", 1.0: name}.get(weight, "")
            yield row(f"attributes and {name}", Z, weight, same)


def table(rows: list[dict], counts: list[int]) -> str:
    """Return accuracies, the lead over attributes alone, and the weights that words got."""
    named = sorted(
        {row["method"] for row in rows}, key=lambda name: (name.split(" and ")[-1], name)
    )
    methods = ["attributes", *(name for name in named if name != "attributes")]
    by = {(row["method"], row["annotated"], row["seed"]): row for row in rows}
    body = []
    for method in methods:
        cells = [method]
        for K in counts:
            found = {s: row for (m, k, s), row in by.items() if (m, k) == (method, K)}
            usual = {s: row for (m, k, s), row in by.items() if (m, k) == ("attributes", K)}
            leads = [
                100 * (row["accuracy"] - usual[s]["accuracy"])
                for s, row in found.items()
                if s in usual
            ]
            weights = sorted(row["weight_of_words"] for row in found.values())
            cells += [
                mean_and_deviation([100 * row["accuracy"] for row in found.values()]),
                "" if method == "attributes" else mean_and_error(leads),
                ", ".join(f"{weight:g}" for weight in weights),
            ]
        body.append(cells)
    head = [part for K in counts for part in (f"K = {K}", "lead", "weight of words")]
    return markdown_table(["", *head], body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--annotated", type=int, nargs="+", default=[1, 5])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--encoder")
    arguments = parser.parse_args()
    data, encoder = load_zero_shot("cub"), encoder_named(arguments.encoder)
    names = [str(name) for name in data.attribute_names]
    told = lines(data.attributes, names, [str(name) for name in data.class_names])
    print(next(iter(told.values()))[0])
    words = {
        f"lines made from them ({encoder.name})": class_vectors(encoder, told).attributes,
        "people's sentences": load_zero_shot("cub", attributes="sentence_attributes").attributes,
    }
    rows = read_rows(ROWS)
    cases = [(K, seed) for K in arguments.annotated for seed in range(arguments.seeds)]
    with Progress(console=Console(stderr=True)) as progress:
        for K, seed in progress.track(cases, description="draws"):
            mine = [row for row in rows if (row["annotated"], row["seed"]) == (K, seed)]
            known = {row["method"]: row["accuracy"] for row in mine}
            for row in runs(data, words, K, seed, known):
                append_rows(ROWS, [row])
                rows.append(row)
    text = table(rows, arguments.annotated)
    print(text)
    fill_page(PAGE, "text", text, "benchmarks/text_cub.py")


if __name__ == "__main__":
    main()
