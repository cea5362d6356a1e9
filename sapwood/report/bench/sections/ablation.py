"""The ablation study: steps added one by one."""

from __future__ import annotations

from sapwood.report.bench.results import Results
from sapwood.report.bench.section import Content, Section
from sapwood.report.bench.sections.forms import form_blocks

#: From the simplest on, as in the paper's figure.
FORMS = {"bpl": "BPL", "sap1-bpl": "SAP-I + BPL", "sap1-sap2-bpl": "SAP-I + SAP-II + BPL"}


def _make(results: Results) -> Content:
    text = [
        "The same problem with the projection alone (BPL), with the first step of propagation "
        "before it (SAP-I), and with both. The paper reports a gain from every step, larger with "
        "fewer annotations. Below each table, what the steps gain here."
    ]
    return text, form_blocks(results, "ablation", FORMS)


SECTION = Section("ablation", "Ablation: what each step adds", "ablation", _make)
