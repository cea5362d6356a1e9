"""Answers, the best first for each image: into a file, as JSON or as a table."""

from __future__ import annotations

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
    columns = ("image", "rank", what, "probability", "score")
    if out is not None:
        write_csv(out, columns, answers)
    if json_:
        print_json([dict(zip(columns, answer, strict=True)) for answer in answers])
    elif out is None:
        shown = [[i, rank, name or "–", f"{p:.3f}", f"{s:.4g}"] for i, rank, name, p, s in answers]
        print_table("Answers", columns, shown)
