"""Unseen classes named among themselves: the paper's Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.draws import FRESH, draw_standard, usual_cases
from sapwood.benchmark.methods import learned, own_methods, row_of
from sapwood.benchmark.rows import Row
from sapwood.benchmark.scores import standard_scores

RIVALS = (
    "rpl0", "rpl", "rpl+sap", "eszsl0", "eszsl", "sae0", "sae", "sse0", "sse", "zskl0", "zskl",
    "kernel-ridge0", "kernel-ridge", "kernel-ridge+sap", "kernel-eszsl0", "kernel-eszsl",
    "conse0", "conse", "label-spreading",
)  # fmt: skip
OURS = ("sapwood", "sapwood-annotated", "sapwood-paper", "sapwood-tuned")
#: Their search is too long to be made for every draw, as fresh unseen classes would ask.
SLOW = ("rn0", "rn")
QUICK = ("sapwood", "sapwood-annotated", "sapwood-paper", "rpl0", "rpl", "eszsl", "sse", "zskl")


def cases(asked: Asked) -> list[Case]:
    """Return data × split × K × seed."""
    return usual_cases("zsl", asked)


def methods(case: Case) -> list[str]:
    """Return the methods of a case where nobody asks for any."""
    if case.quick:
        return [*QUICK, *own_methods()]
    return [*own_methods(), *OURS, *RIVALS, *(() if case.split == FRESH else SLOW)]


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each method."""
    problem = draw_standard(case)
    for one in learned(problem, methods, case, draw_standard):
        yield row_of(one, partial(standard_scores, problem=problem, method=one.method, case=case))
