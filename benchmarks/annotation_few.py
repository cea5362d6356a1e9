"""Concepts of Flickr photographs where few of them are annotated and all have tags.

Of the training photographs of `flickr8k_tags` some keep their concepts. "Refined" and "noisy" know
these alone; what is "refined together" has the tags of all photographs, too, and the concepts of no
others. Scored on the test photographs: mean average precision over concepts, in per cent, mean and
standard deviation over draws of the annotated ones.

    SAPWOOD_DATA=... python benchmarks/annotation_few.py [--draws 3] [--docs docs/tags.md]
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from annotation import TOGETHER, VARIANTS, annotate, annotate_together

from sapwood.benchmark import fill_page, markdown_table, mean_and_deviation
from sapwood.data import TagData, load_tags
from sapwood.metrics import mean_average_precision

ANNOTATED = (100, 300, 1000)
APART = [name for name in VARIANTS if " + " in name]


def scored(data: TagData) -> list[float]:
    found = [annotate(data, *VARIANTS[name]) for name in APART] + [annotate_together(data)]
    truth = data.concepts[data.test]
    return [100 * mean_average_precision(truth, one.scores) for one in found]


def table(data: TagData, draws: int) -> str:
    lines = []
    for count in ANNOTATED:
        drawn = []
        for seed in range(draws):
            some = np.random.default_rng(seed).permutation(data.train)[:count]
            drawn.append(scored(replace(data, train=np.sort(some))))
            print(f"{count} annotated, draw {seed}: {np.round(drawn[-1], 1)}", flush=True)
        lines.append([str(count), *map(mean_and_deviation, zip(*drawn, strict=True))])
    return markdown_table(["annotated", *APART, TOGETHER], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=3, help="of the annotated photographs; 3")
    parser.add_argument("--docs", type=Path, help="a page whose block is to be filled")
    arguments = parser.parse_args()
    text = table(load_tags("flickr8k_tags"), arguments.draws)
    print(text)
    if arguments.docs is not None:
        fill_page(arguments.docs, "few annotated", text, "benchmarks/annotation_few.py")


if __name__ == "__main__":
    main()
