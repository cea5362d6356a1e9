"""From decisions about tags to a page."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sapwood.report.page import write_page
from sapwood.tags import TagDecisions

Item = dict[str, Any]

#: Images and words shown.
IMAGES, WORDS = 24, 15
#: Kinds of pictures a browser shows, by the end of their name.
KINDS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp"}
#: Larger files would make the page heavy.
LARGEST = 4 * 2**20


def refine_page(
    decisions: TagDecisions,
    images: Sequence[str],
    tags: Sequence[str],
    pictures: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Describe what became of the tags, for :func:`sapwood.report.render_page`.

    Parameters
    ----------
    decisions : TagDecisions
    images, tags : sequence of str
        Names of the rows and columns.
    pictures : path, optional
        Folder in which the files named in `images` lie; those found are put into the page.
    """
    counts = decisions.counts()
    rows = largest_changes(decisions)[:IMAGES]
    cards = [_card(decisions, i, str(images[i]), tags, pictures) for i in rows]
    note = (
        "Tags that were dropped are struck out, tags that were added have a plus. The score of a "
        "given tag includes its writer's own vote, by default a third, and that of an added tag "
        "does not: a dropped tag at 0.38 has far less support than an added one at 0.38."
    )
    largest = {"kind": "cards", "size": "small", "items": cards, "note": note}
    words = {
        "kind": "table",
        "columns": ["tag", "given", "kept", "dropped", "added"],
        "rows": _word_rows(decisions, tags),
        "caption": f"The {WORDS} tags with the most changes; number of images.",
    }
    sections = [_section("words", "Which tags changed", [words])]
    if cards:
        sections.insert(0, _section("largest", "The largest changes", [largest]))
    lead = [
        f"{int(decisions.given.sum())} tags of {len(images)} images were looked at: are they what "
        "similar images suggest, and what has been forgotten?"
    ]
    facts = [
        {"value": str(number), "label": name, "note": "tags", "main": name == "added"}
        for name, number in counts.items()
    ]
    return {"title": "Refined tags", "lead": lead, "facts": facts, "sections": sections}


def write_refine_page(
    path: str | os.PathLike[str],
    decisions: TagDecisions,
    images: Sequence[str],
    tags: Sequence[str],
    pictures: str | os.PathLike[str] | None = None,
) -> Path:
    """Write the page of :func:`refine_page` to one file."""
    return write_page(refine_page(decisions, images, tags, pictures), path)


def largest_changes(decisions: TagDecisions) -> np.ndarray:
    """Return the rows of images with changes, those with the most and surest ones first.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.1], [0.5, 0.4], [0.8, 0.0]])
    >>> given = np.array([[True, False], [True, False], [False, True]])
    >>> largest_changes(TagDecisions(scores, given, scores > 0.45))
    array([2])
    """
    sure = np.where(decisions.added, decisions.scores, 0.0)
    sure += np.where(decisions.dropped, 1.0 - decisions.scores, 0.0)
    size = sure.sum(axis=1)
    order = np.argsort(-size, kind="stable")
    return order[size[order] > 0]


def _card(decisions: TagDecisions, i: int, name: str, tags: Sequence[str], pictures: Any) -> Item:
    marks = {"kept": "", "dropped": "wrong", "added": "missed"}
    masks = {
        "kept": decisions.kept[i],
        "dropped": decisions.dropped[i],
        "added": decisions.added[i],
    }
    row = decisions.scores[i]
    chips = [
        {"text": f"{tags[j]} {row[j]:.2f}", "mark": marks[what], "said": what}
        for what, mask in masks.items()
        for j in np.flatnonzero(mask)[np.argsort(-row[mask], kind="stable")]
    ]
    uri = None if pictures is None else file_uri(name, Path(pictures))
    shots = [] if uri is None else [{"src": uri, "alt": name}]
    return {"title": name, "pictures": shots, "chips": chips}


def _word_rows(decisions: TagDecisions, tags: Sequence[str]) -> list[list[str]]:
    masks = (decisions.given, decisions.kept, decisions.dropped, decisions.added)
    given, kept, dropped, added = (mask.sum(axis=0) for mask in masks)
    order = np.argsort(-(dropped + added), kind="stable")[:WORDS]
    return [
        [str(tags[j]), *(str(int(count[j])) for count in (given, kept, dropped, added))]
        for j in order
    ]


def _section(name: str, title: str, blocks: list[Item]) -> Item:
    return {"id": name, "title": title, "text": [], "blocks": blocks}


def find_picture(name: str, folder: Path) -> Path | None:
    """Return the file of a picture that a page can show; None where the folder has none."""
    try:
        path, within = (folder / name).resolve(), folder.resolve()
        # Names come with the data: they must not fetch other files into a page that is shown.
        fits = path.is_relative_to(within) and path.stat().st_size <= LARGEST
        return path if fits and Path(name).suffix.lower() in KINDS else None
    except (OSError, ValueError):
        return None


def file_uri(name: str, folder: Path) -> str | None:
    """Return a picture as a ``data:`` address; None where the folder has none of that name."""
    path = find_picture(name, folder)
    if path is None:
        return None
    try:
        content = base64.b64encode(path.read_bytes()).decode()
    except OSError:
        return None
    return f"data:image/{KINDS[Path(name).suffix.lower()]};base64,{content}"
