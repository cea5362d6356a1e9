"""How to read the tables."""

from __future__ import annotations

from sapwood.report.bench.results import Results
from sapwood.report.bench.section import Content, Section

#: What marks in a table mean.
LEGEND = (
    "Tables show mean ± standard deviation over seeds, in per cent; a seed is one draw of the "
    "annotated images, and (n) marks a cell that has n of them, not as many as most. Bold: "
    "significantly ahead of "
    "every other method in its column, by a paired t-test over seeds at 5 % with Holm's "
    "correction; where nothing is bold, no winner could be shown (by one draw none can). †: by the "
    "same test, ours ahead of every rival, or a rival ahead of all of ours. Seeds share their test "
    "images unless classes are drawn anew, so the test speaks of other draws, not of other data."
)
METHODS = (
    "sapwood is the default and sapwood-annotated the same without the unannotated images; "
    "sapwood-tuned chooses its settings by holding out seen classes, as all rivals do; "
    "sapwood-paper is the algorithm with its settings as printed. NAME0 is a rival that learns "
    "from the annotated images only, NAME one for which unannotated images are filled as in the "
    "paper (with the label of the nearest annotated image; with external images by the paper's "
    "own propagation), and NAME+sap one that takes the attributes our propagation finds."
)


def _make(results: Results) -> Content:
    return [LEGEND, METHODS], []


SECTION = Section("reading", "How to read the tables", "", _make)
