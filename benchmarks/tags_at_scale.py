"""A simulated NUS-WIDE refined and annotated end to end: time, growth and memory.

As many images as the paper's training set, 2,048 float32 features in a memory-mapped file, 1,000
tags and 81 concepts. Tags are refined and concepts learned from all images, then 5,000 new images
are annotated; each size runs in a process of its own, whose largest resident memory is reported
(pages of the memory-mapped file that it touched count, too). Then the same for a half and a
quarter of the images, and the exponent of the growth of time.

Time is given by the clock and, since other programs may run beside it, by the processor.

    python benchmarks/tags_at_scale.py [--n 162806] [--folder FOLDER] [--threads 2] [--docs]

The features take 1.4 GB in FOLDER, a temporary one by default; data of the right size that are
there already are used again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

PAGE, MAKER = Path("docs/tags.md"), "benchmarks/tags_at_scale.py"
TRAINING, NEW = 162_806, 5_000
FEATURES, TAGS, CONCEPTS, TOPICS = 2_048, 1_000, 81, 40
#: Numbers that features are made of, and their noise: from features alone concepts are found
#: about as well as from tags alone.
CODE, BLUR = 64, 3.3
BLOCK = 4_096
#: Concepts an image shows, tags it has and share of tags that say nothing of it, as in NUS-WIDE.
SHOWN, TAGGED, NOISE = 2.4, 8.0, 0.5


def write_data(folder: Path, n: int) -> None:
    """Write features.npy, tags.npy and concepts.npy of n images, unless they are there."""
    names = ("features", "tags", "concepts")
    complete = folder / "images.txt"
    if complete.exists() and complete.read_text() == str(n):
        return
    complete.unlink(missing_ok=True)
    shapes = zip(names, (FEATURES, TAGS, CONCEPTS), (np.float32, np.uint8, np.uint8), strict=True)
    files = [
        np.lib.format.open_memmap(folder / f"{name}.npy", "w+", dtype, (n, columns))
        for name, columns, dtype in shapes
    ]
    rng = np.random.default_rng(0)
    world = _world(rng)
    for start in range(0, n, BLOCK):
        rows = slice(start, min(start + BLOCK, n))
        for file, block in zip(files, _images(rng, rows.stop - start, *world), strict=True):
            file[rows] = block
    complete.write_text(str(n))


def _world(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """How often topics have concepts, concepts have tags, and what both look like."""
    concepts = rng.dirichlet(np.full(CONCEPTS, 0.05), TOPICS) * SHOWN
    words = rng.dirichlet(np.full(TAGS, 0.01), CONCEPTS)
    common = rng.dirichlet(np.full(TAGS, 0.5))
    look = rng.standard_normal((CONCEPTS, CODE), dtype=np.float32)
    style = rng.standard_normal((TOPICS, CODE), dtype=np.float32)
    camera = rng.standard_normal((CODE, FEATURES), dtype=np.float32) / np.sqrt(CODE)
    return np.minimum(concepts, 0.9), words, common, look, style, camera.astype(np.float32)


def _images(
    rng: np.random.Generator,
    n: int,
    concepts: np.ndarray,
    words: np.ndarray,
    common: np.ndarray,
    look: np.ndarray,
    style: np.ndarray,
    camera: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, tags and concepts of n images."""
    topic = rng.integers(0, TOPICS, n)
    shown = (rng.random((n, CONCEPTS)) < concepts[topic]).astype(np.float32)
    code = shown @ look + style[topic] + BLUR * rng.standard_normal((n, CODE), dtype=np.float32)
    X = code @ camera + 0.5 * rng.standard_normal((n, FEATURES), dtype=np.float32)
    meant = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1) @ words
    rate = TAGGED * ((1 - NOISE) * meant + NOISE * common)
    tags = rng.random((n, TAGS)) < -np.expm1(-rate)
    return np.maximum(X, 0), tags, shown


def run_once(folder: Path, n: int) -> dict[str, object]:
    """Refine, learn and annotate n images; return what it took and how well it went."""
    from sapwood.metrics import mean_average_precision
    from sapwood.progress import listening
    from sapwood.tags.annotator import SocialImageAnnotator

    X, tags, concepts = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("features", "tags", "concepts")
    )
    seconds: dict[str, float] = defaultdict(float)
    last = ["start", perf_counter()]

    def listen(stage: str, _: float) -> None:
        now = perf_counter()
        seconds[last[0]] += now - last[1]
        last[:] = [stage, now]

    begin, worked = perf_counter(), process_time()
    with listening(listen):
        annotator = SocialImageAnnotator().fit(X[:n], tags[:n], concepts[:n])
        scores = annotator.decision_function(X[-NEW:], tags[-NEW:])
        listen("end", 1.0)
    total, worked = perf_counter() - begin, process_time() - worked
    return {
        "n": n,
        "seconds": total,
        "processor": worked,
        "stages": {stage: round(spent, 1) for stage, spent in seconds.items() if spent >= 0.05},
        "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
        "mean_average_precision": mean_average_precision(concepts[-NEW:], scores),
        "C": annotator.C_,
        "tag_weight": annotator.tag_weight_,
    }


def run_apart(folder: Path, n: int, threads: int) -> dict[str, object]:
    """The same in a process of its own, so that its peak of memory is its own."""
    variables = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {**os.environ, **{name: str(threads) for name in variables}}
    command = [sys.executable, __file__, "--folder", str(folder), "--once", str(n)]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def table_of(rows: list[dict]) -> str:
    lines = [
        "| images | by the clock | processor | peak memory | mAP of new images (%) | stages (s) |",
        "|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        stages = ", ".join(f"{name} {spent:g}" for name, spent in row["stages"].items())
        lines.append(
            f"| {row['n']:,} | {row['seconds']:.0f} s | {row['processor']:.0f} s | "
            f"{row['gigabytes']:.2f} GB | {100 * row['mean_average_precision']:.1f} | {stages} |"
        )
    by_clock, by_processor = (growth(rows, name) for name in ("seconds", "processor"))
    return "\n".join([*lines, "", f"Growth by the clock: {by_clock}; processor: {by_processor}."])


def growth(rows: list[dict], name: str) -> str:
    """The exponent of time in the number of images."""
    sizes, times = np.log([row["n"] for row in rows]), np.log([row[name] for row in rows])
    last = np.diff(times)[-1] / np.diff(sizes)[-1]
    return f"n^{np.polyfit(sizes, times, 1)[0]:.2f} (from the half to the whole n^{last:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=TRAINING)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--docs", action="store_true", help=f"write the table into {PAGE}")
    parser.add_argument("--once", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.once:
        print(json.dumps(run_once(arguments.folder, arguments.once)))
        return
    with TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        write_data(folder, arguments.n + NEW)
        rows = []
        for part in (4, 2, 1):
            rows.append(run_apart(folder, arguments.n // part, arguments.threads))
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    text = table_of(rows)
    print(text)
    if arguments.docs:
        from sapwood.benchmark import fill_page

        fill_page(PAGE, "tags at scale", text, MAKER)


if __name__ == "__main__":
    main()
