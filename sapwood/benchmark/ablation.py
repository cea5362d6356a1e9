"""The algorithm's steps, one more at a time: BPL, SAP-I + BPL, SAP-I + SAP-II + BPL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.rows import Row
from sapwood.benchmark.studies import Variants, figure_cases, run_variants
from sapwood.models.parameters import PRESETS, STEPS

VARIANTS: Variants = {
    f"{preset}:{steps.replace('+', '-')}": {"preset": preset, "steps": steps}
    for preset in PRESETS
    for steps in STEPS
}
ANNOTATED = (1, 5, 25)


def cases(asked: Asked) -> list[Case]:
    """Return data × K × seed, and the paper's figure, which has web images."""
    return figure_cases("ablation", asked, ANNOTATED)


def methods(case: Case) -> list[str]:
    """Return the steps under both presets.

    Examples
    --------
    >>> methods(Case("ablation", "cub", "paper", 5, 0))[:3]
    ['paper:bpl', 'paper:sap1-bpl', 'paper:sap1-sap2-bpl']
    """
    return list(VARIANTS)


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each of `methods`."""
    yield from run_variants(case, VARIANTS, methods)
