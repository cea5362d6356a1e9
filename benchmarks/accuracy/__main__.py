"""Accuracy on unseen classes with few annotations, against tuned rivals.

Every number in the documentation's accuracy tables comes from here. Rows are appended to a file as
they are found and found rows are not computed again, so the run can be stopped and resumed. That
file is kept with the code: after a change that moves numbers, delete it (or give another one).

    SAPWOOD_DATA=... python benchmarks/accuracy [CASE ...] [--rows FILE] [--jobs 2]
"""

from __future__ import annotations

import sys

from cases import CASES
from methods import GROUPS
from pages import rewrite
from tables import case_text
from tasks import all_tasks, expected, work

from sapwood.benchmark import command_line, run_missing


def main() -> None:
    parser = command_line(__doc__, "accuracy")
    parser.add_argument("cases", nargs="*", help=f"among {', '.join(CASES)}; default: all")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    asked = parser.parse_args()
    unknown = [case for case in asked.cases if case not in CASES]
    if unknown:
        sys.exit(f"no case is called {unknown[0]!r}; expected {', '.join(CASES)}")
    cases = asked.cases or list(CASES)
    rows = run_missing(asked, work, all_tasks(asked.groups, cases), expected)
    known = [case for case in cases if any(row["case"] == case for row in rows)]
    text = "\n\n".join(case_text(rows, case) for case in known)
    (asked.out / "tables.md").write_text(text + "\n")
    if asked.docs:
        rewrite(rows)
    print(text)


if __name__ == "__main__":
    main()
