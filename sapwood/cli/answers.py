"""Answers, the best first for each image: into a file, as JSON or as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sapwood.cli.output import print_json, print_table
from sapwood.cli.targets import write_csv

#: Image, rank, name, probability and score; no name where there is no answer.
Answer = tuple[str, int, str, float, float]


def give_answers(what: str, answers: list[Answer], out: Path | None, json_: bool) -> None:
    """Write answers to `out`, and print them where they are asked for or go into no file.

    Parameters
    ----------
    what : str
        What the names are names of, such as "class".
    answers : list of Answer
    out : Path, optional
    json_ : bool
    """
    shown = [[i, rank, name or "–", f"{p:.3f}", f"{s:.4g}"] for i, rank, name, p, s in answers]
    columns = ("image", "rank", what, "probability", "score")
    give_rows("Answers", columns, answers, shown, out, json_)


def give_rows(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    shown: Sequence[Sequence[object]],
    out: Path | None,
    json_: bool,
) -> None:
    """Write rows to `out`, and print them where they are asked for or go into no file.

    Parameters
    ----------
    title : str
        Of the table for people.
    columns : sequence of str
    rows, shown : sequence
        The rows of the file and of JSON, and as people see them.
    out : Path, optional
    json_ : bool
    """
    if out is not None:
        write_csv(out, columns, rows)
    if json_:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif out is None:
        print_table(title, columns, shown)
