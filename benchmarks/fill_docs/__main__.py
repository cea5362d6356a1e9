"""Write the documentation's tables and pictures between their markers, from rows that were found.

The rows are those that `sapwood bench NAME --out benchmarks/results` left there; a table without
rows stays as it is. Methods whose rows in one table are of several commits are told on stderr.

    python benchmarks/fill_docs [FOLDER]            # the tables, written into the pages
    python benchmarks/fill_docs --accuracy [FOLDER] # those of unseen classes, printed
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from commits import mixed
from pages import ACCURACY, fill_all, rows_in, texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--accuracy", action="store_true", help="print tables, write nothing")
    asked = parser.parse_args()
    rows = rows_in(asked.folder)
    if asked.accuracy:
        print("\n\n".join(text for page, _, text in texts(rows) if page == ACCURACY))
        return
    for filled in fill_all(rows):
        print(filled)
    for line in mixed(rows):
        print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
