"""Sections of the report in the order of the page; a new one is one more file and line."""

from sapwood.report.bench.section import Section
from sapwood.report.bench.sections import (
    ablation,
    confusion,
    convergence,
    cost,
    external,
    gzsl,
    paper,
    parameters,
    propagation,
    reading,
    reproduce,
    sensitivity,
    sia,
    skipped,
    trust,
    zsl,
)

SECTIONS: tuple[Section, ...] = (
    reading.SECTION,
    zsl.SECTION,
    gzsl.SECTION,
    external.SECTION,
    paper.SECTION,
    ablation.SECTION,
    propagation.SECTION,
    sensitivity.SECTION,
    convergence.SECTION,
    confusion.SECTION,
    trust.SECTION,
    sia.SECTION,
    cost.SECTION,
    parameters.SECTION,
    skipped.SECTION,
    reproduce.SECTION,
)
