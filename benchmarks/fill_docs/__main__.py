"""Write the documentation's tables and pictures between their markers, from rows that were found.

The rows are those that `sapwood bench NAME --out benchmarks/results` left there; a table without
rows stays as it is. Methods whose rows in one table are of several commits are told on stderr.

    python benchmarks/fill_docs [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from cases import pooled
from commits import mixed
from pages import fill_all

from sapwood.benchmark import read_rows


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "benchmarks/results")
    benches = ("zsl", "gzsl", "external", "stress", "suggest", "sia")
    rows = {name: read_rows(folder / f"{name}.jsonl") for name in benches}
    rows["zsl"] += pooled(read_rows(folder / "worlds" / "zsl.jsonl"))
    for filled in fill_all(rows):
        print(filled)
    for line in mixed(rows):
        print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
