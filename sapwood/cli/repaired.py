"""What became of each tag, for files, programs and people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sapwood.cli.output import print_table

if TYPE_CHECKING:
    from sapwood.tags import TagDecisions

COLUMNS = ("image", "tag", "decision", "score", "rank")
#: A value for each column; a tag that was not judged has neither score nor rank.
Repaired = tuple[str, str, str, float | None, int | None]


def repaired_tags(
    decisions: TagDecisions,
    images: Sequence[str],
    names: Sequence[str],
    unjudged: Iterable[tuple[int, str]],
) -> list[Repaired]:
    """Return all tags that were given or added, those that were not judged last.

    Parameters
    ----------
    decisions : TagDecisions
    images, names : sequence of str
        Names of the rows and columns.
    unjudged : iterable of (int, str)
        Row and word.
    """
    judged = [
        (images[one.row], names[one.column], one.decision, round(one.score, 4), one.rank)
        for one in decisions.changes()
    ]
    return [*judged, *((images[i], word, "unjudged", None, None) for i, word in unjudged)]


def as_json(rows: Iterable[Repaired]) -> list[dict[str, Any]]:
    """Return one dictionary a tag."""
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def print_changes(rows: Iterable[Repaired]) -> None:
    """Print the tags that were dropped and added."""
    print_table("Changes", COLUMNS, [row for row in rows if row[2] in ("dropped", "added")])
