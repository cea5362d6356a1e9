"""What importing the estimator costs beside ``import sklearn.linear_model``.

Fresh interpreters, one after the other in turn, processor time; the ratio of the medians.

    python benchmarks/import_cost.py [--runs 15]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

STATEMENTS = {
    "ours": "from sapwood import SparseAttributePropagation",
    "theirs": "import sklearn.linear_model",
}
TIMED = "import time; start = time.process_time(); {}; print(time.process_time() - start)"


def seconds(statement: str) -> float:
    command = [sys.executable, "-c", TIMED.format(statement)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = range(parser.parse_args().runs)
    # The first round warms the disk's cache and is not counted.
    rounds = [{name: seconds(text) for name, text in STATEMENTS.items()} for _ in (None, *runs)]
    ours, theirs = (statistics.median(r[name] for r in rounds[1:]) for name in STATEMENTS)
    print(f"import sapwood / import sklearn.linear_model = {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
