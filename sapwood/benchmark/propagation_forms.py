"""Three models of propagation: with both L1 norms, with one, with none.

In the robust preset smoothness is quadratic, and the sparsity that the second L1 norm is for is
asked of class posteriors, by sharpening them: it has a Single L1 and a No L1, and no Double L1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.rows import Row
from sapwood.benchmark.studies import Variants, figure_cases, run_variants
from sapwood.models.parameters import WITHOUT_MEANING
from sapwood.propagation import PENALTIES

VARIANTS: Variants = {
    **{f"paper:{form}": {"preset": "paper", "penalty": form} for form in PENALTIES},
    "robust:single-l1": {"preset": "robust"},
    "robust:no-l1": {"preset": "robust", "sharpness": 1.0},
}
WITHOUT = {"robust:double-l1": WITHOUT_MEANING["penalty"]}
ANNOTATED = (1, 5, 25)


def cases(asked: Asked) -> list[Case]:
    """Return data × K × seed, and the paper's figure, which has web images."""
    return figure_cases("propagation", asked, ANNOTATED)


def methods(case: Case) -> list[str]:
    """Return the forms under both presets, also one that a preset does not have.

    Examples
    --------
    >>> [name for name in methods(Case("propagation", "cub", "paper", 5, 0)) if "robust" in name]
    ['robust:single-l1', 'robust:no-l1', 'robust:double-l1']
    """
    return [*VARIANTS, *WITHOUT]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each of `methods`."""
    for name in methods:
        if name in WITHOUT:
            yield {"method": name, "preset": "robust", "skipped": WITHOUT[name]}
    yield from run_variants(case, VARIANTS, [name for name in methods if name in VARIANTS])
