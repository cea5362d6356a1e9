"""What a section of the report is."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
        """Return the section for :func:`sapwood.report.render_page`.

        Examples
        --------
        >>> section = Section("a", "A", "zsl", lambda results: ([], []))
        >>> section.item(Results("out", [], []))["text"]
        ['Not run. To run it: sapwood bench zsl --out out']
        """
        absent = bool(self.bench) and not results.of(self.bench)
        text, blocks = ([self._absent(results)], []) if absent else self.make(results)
        return {"id": self.id, "title": self.title, "text": text, "blocks": blocks}

    def _absent(self, results: Results) -> str:
        skipped = sum(row["bench"] == self.bench for row in results.skipped)
        if skipped:
            return f"Every row of it was skipped ({skipped}); the reasons are below."
        return f"Not run. To run it: sapwood bench {self.bench} --out {shlex.quote(results.folder)}"
