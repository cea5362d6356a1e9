"""From rows to tables: mean and standard deviation over draws.

A row tells its ``method``, ``annotated`` (K), ``seed`` and scores in 0–1; one without the score
that is asked for is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sapwood.benchmark.cells import mean_and_deviation
from sapwood.benchmark.found import best_first, collected, counts_of, usual_draws
from sapwood.benchmark.rows import Row


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns after the first are aligned to the right.

    Examples
    --------
    >>> print(markdown_table(["", "K = 1"], [["rpl", "40.0"]]))
    | | K = 1 |
    |---|--:|
    | rpl | 40.0 |
    """
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    lines[0] = lines[0].replace("|  |", "| |", 1)
    return "\n".join([lines[0], "|---|" + "--:|" * (len(head) - 1), *lines[1:]])


def method_table(rows: Iterable[Row], score: str = "accuracy") -> str:
    """Return a table of methods and K, the best method first; (n) marks other numbers of draws.

    Parameters
    ----------
    rows : iterable of dict
    score : str
        The score to show, in percent.

    Examples
    --------
    >>> told = {"annotated": 1, "accuracy": 0.4}
    >>> print(method_table([{**told, "method": "rpl", "seed": seed} for seed in (0, 1)]))
    | | K = 1 |
    |---|--:|
    | rpl | 40.0 ± 0.0 |
    """
    found = collected(rows, score)
    counts = counts_of(found)
    order = best_first(found)
    usual = usual_draws(found)
    cells = [
        [mean_and_deviation(list(found[name].get(K, {}).values()), usual=usual) for K in counts]
        for name in order
    ]
    body = [[name, *of] for name, of in zip(order, cells, strict=True)]
    return markdown_table(["", *(f"K = {K}" for K in counts)], body)
