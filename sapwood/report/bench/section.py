"""What a section of the report is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sapwood.report.bench.age import told_age
from sapwood.report.bench.results import Results

Item = dict[str, Any]
#: Paragraphs and blocks.
Content = tuple[list[str], list[Item]]


@dataclass(frozen=True)
class Section:
    """A part of the page, made of the rows of one benchmark or of all.

    Parameters
    ----------
    id, title : str
    bench : str
        The benchmark without whose rows there is nothing to say; "" is none.
    make : callable
        From all results to paragraphs and blocks.
    """

    id: str
    title: str
    bench: str
    make: Callable[[Results], Content]

    def item(self, results: Results) -> Item:
        """Return the section for :func:`sapwood.report.render_page`; empty if it was not run.

        Examples
        --------
        >>> section = Section("a", "A", "zsl", lambda results: ([], []))
        >>> section.item(Results("out", [], [{"bench": "zsl"}]))["text"]
        ['Every row of it was skipped (1); the reasons are below.']
        """
        rows = results.of(self.bench)
        absent = bool(self.bench) and not rows
        text, blocks = (self._skipped(results), []) if absent else self.make(results)
        age = [told] if (told := told_age(rows)) else []
        return {"id": self.id, "title": self.title, "text": text + age, "blocks": blocks}

    def _skipped(self, results: Results) -> list[str]:
        skipped = sum(row["bench"] == self.bench for row in results.skipped)
        return [f"Every row of it was skipped ({skipped}); the reasons are below."] * bool(skipped)
