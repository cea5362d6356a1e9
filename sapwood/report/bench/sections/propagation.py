"""Forms of the propagation: two, one or no L1 norms."""

from __future__ import annotations

from sapwood.report.bench.results import Results
from sapwood.report.bench.section import Content, Section
from sapwood.report.bench.sections.forms import form_blocks

#: From the plainest on.
FORMS = {"no-l1": "No L1", "single-l1": "Single L1", "double-l1": "Double L1"}


def _make(results: Results) -> Content:
    text = [
        "The objective with both of its L1 norms (Double L1), with the smoothness term squared "
        "(Single L1), and also without the L1 norm that ties attributes to the annotations "
        "(No L1). The paper reports that more L1 terms are better. Below each table, what they add "
        "here."
    ]
    return text, form_blocks(results, "propagation", FORMS)


SECTION = Section("propagation", "Forms of propagation", "propagation", _make)
