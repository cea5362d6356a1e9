"""Seen and unseen classes together: generalized zero-shot learning with few annotations.

A fifth of each seen class is held out before any image is annotated, and tested on together with
all images of unseen classes; every class is a candidate for every image. All methods find the bias
against seen classes in the same way. Rows are appended to a file as they are found and found rows
are not computed again, so the run can be stopped and resumed.

    SAPWOOD_DATA=... python benchmarks/generalized [--rows FILE] [--jobs 2] [--docs]
"""

from __future__ import annotations

from cases import CASES
from methods import GROUPS, all_tasks, expected, work
from pages import rewrite
from pictures import draw_all
from tables import case_text, probabilities

from sapwood.benchmark import command_line, run_missing


def main() -> None:
    parser = command_line(__doc__, "generalized")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    asked = parser.parse_args()
    rows = run_missing(asked, work, all_tasks(asked.groups, asked.cases), expected)
    known = [case for case in asked.cases if any(row["case"] == case for row in rows)]
    text = "\n\n".join([*(case_text(rows, case) for case in known), probabilities(rows)])
    (asked.out / "tables.md").write_text(text + "\n")
    draw_all(rows, asked.out)
    if asked.docs:
        rewrite(rows)
    print(text)


if __name__ == "__main__":
    main()
