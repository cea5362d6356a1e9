"""Unlabelled images from elsewhere: whether they help, and whether they can do harm.

CUB+Web: K annotated images of each seen class and the paper's web images, none of the other images
of seen classes; images of unseen classes are named among the unseen classes. Then a stress set:
unlabelled images of which none, or only some, can help. Rows are appended to a file as they are
found and found rows are not computed again, so the run can be stopped and resumed.

    SAPWOOD_DATA=... python benchmarks/external [--rows FILE] [--jobs 2] [--docs]
"""

from __future__ import annotations

from methods import GROUPS, all_tasks, expected, work
from pages import rewrite, texts

from sapwood.benchmark import command_line, run_missing


def main() -> None:
    groups = [*GROUPS, "stress"]
    parser = command_line(__doc__, "external")
    parser.add_argument("--groups", nargs="+", choices=groups, default=groups)
    asked = parser.parse_args()
    rows = run_missing(asked, work, all_tasks(asked.groups), expected)
    text = "\n\n".join(texts(rows).values())
    (asked.out / "tables.md").write_text(text + "\n")
    if asked.docs:
        rewrite(rows)
    print(text)


if __name__ == "__main__":
    main()
