"""Leads on AwA1 in the draws that were found first, and in those that were added to them."""

from __future__ import annotations

from collections.abc import Iterator

from cases import ZSL

from sapwood.benchmark import Row, markdown_table, mean_and_error
from sapwood.benchmark.found import Found, collected, counts_of

#: Draws before more were added, and the rivals that were run on all.
FIRST, RIVALS = 10, ("kernel-ridge0", "rpl0")
SPLITS = {"awa1": "paper's split", "awa1-proposed": "proposed split", "awa1-fresh": "fresh splits"}


def table_text(rows: list[Row]) -> str:
    """Return the leads of the default by split, rival and K, those of added draws apart."""
    splits = {title: collected(ZSL[name].of(rows)) for name, title in SPLITS.items()}
    counts = sorted({K for found in splits.values() for K in counts_of(found)})
    lines = [line for title, found in splits.items() for line in _lines(title, found, counts)]
    return markdown_table(["", "on", "draws", *(f"K = {K}" for K in counts)], lines)


def _lines(title: str, found: Found, counts: list[int]) -> Iterator[list[str]]:
    for rival in RIVALS:
        for added, draws in ((False, f"first {FIRST}"), (True, "added")):
            leads = [mean_and_error(_leads(found, rival, K, added)) for K in counts]
            yield [title, rival, draws, *leads]


def _leads(found: Found, rival: str, K: int, added: bool) -> list[float]:
    ours, theirs = (found.get(name, {}).get(K, {}) for name in ("sapwood", rival))
    shared = sorted(seed for seed in set(ours) & set(theirs) if (seed >= FIRST) == added)
    return [ours[seed] - theirs[seed] for seed in shared]
