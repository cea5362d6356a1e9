"""How many iterations are needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sapwood.benchmark.convergence import CONVERGED
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.plots import line_plot

#: What is followed, by method.
LOOPS = {"paper": "as printed in the paper", "robust": "the default's rounds, run on"}
#: Iterations the paper says are enough.
PRINTED = 5
#: Lists by iteration that a row may have: title, scale and factor.
TRACES = {
    "objective": ("Objective (Eq. 3)", "", 1.0),
    "change": ("Relative change of W", "y", 1.0),
    "accuracy_by_iteration": ("Accuracy on unseen classes, %", "", 100.0),
}


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    told: list[list[str]] = []
    for (data, split), rows in by_case(results.of("convergence")).items():
        for method in sorted({row["method"] for row in rows}):
            mine = [row for row in rows if row["method"] == method and row.get("change")]
            title = f"{case_title(data, split)}, {LOOPS.get(method, method)}"
            told += _told(title, mine)
            blocks += _panels(title, slug("convergence", data, split, method), mine)
    columns = ["data and preset", "K", "fits", "iterations run", "until W settles",
               "until the objective settles", f"at most {PRINTED} iterations",
               "accuracy, first → last"]  # fmt: skip
    caption = (
        "Iterations until W, or the objective, changes by less than a thousandth of itself; the "
        "least and the most over draws. At most so many iterations: of W, in how many fits. "
        "Accuracy on unseen classes is the mean over draws."
    )
    text = [
        "Long fits, with the objective and the change of the projection W followed from iteration "
        f"to iteration. The paper says that at most {PRINTED} iterations are needed. The default "
        "has rounds of propagation and projection instead, and no single objective; it stops after "
        "four, or after one where the projection is not informed, and asks which images take part. "
        "Here its rounds go on, with all images and with the projection's votes.",
        *_verdicts(told),
    ]
    table = {"kind": "table", "words": True, "columns": columns, "rows": told, "caption": caption}
    return text, [table, *blocks] if told else blocks


def _told(title: str, rows: Sequence[Row]) -> list[list[str]]:
    lines = []
    for K in sorted({row["annotated"] for row in rows}):
        fits = [row for row in rows if row["annotated"] == K]
        needed = [iterations_needed(row) for row in fits]
        settled = [
            row.get("objective_iterations_to_converge") for row in fits if "objective" in row
        ]
        most = max(len(row["change"]) for row in fits)
        holds = sum(n is not None and n <= PRINTED for n in needed)
        cells = [str(K), str(len(fits)), str(most), _span(needed, most), _span(settled, most)]
        lines.append([title, *cells, f"{holds} of {len(fits)}", _gain(fits)])
    return lines


def _gain(fits: Sequence[Row]) -> str:
    """Return the mean accuracy after the first and the last iteration, in per cent."""
    traces = [row["accuracy_by_iteration"] for row in fits if row.get("accuracy_by_iteration")]
    ends = [100 * float(np.mean([trace[at] for trace in traces])) for at in (0, -1) if traces]
    return " → ".join(f"{end:.1f}" for end in ends) or "–"


def _verdicts(told: Sequence[Sequence[str]]) -> list[str]:
    """Say where the paper's number of iterations is confirmed, and where it is not."""
    kinds: dict[str, list[str]] = {"It holds in every fit": [], "It does not hold": []}
    for title, K, *_, holds, _accuracy in told:
        count, fits = holds.split(" of ")
        where = f"{title}, K = {K}" + f" ({holds} fits)" * (0 < int(count) < int(fits))
        kinds["It holds in every fit" if count == fits else "It does not hold"].append(where)
    return [f"{said}: {'; '.join(places)}." for said, places in kinds.items() if places]


def iterations_needed(row: Row) -> int | None:
    """Return the first iteration whose change is small, or None.

    Examples
    --------
    >>> iterations_needed({"change": [0.5, 0.01, 0.0005]}), iterations_needed({"change": [0.5]})
    (3, None)
    """
    if "iterations_to_converge" in row:
        needed = row["iterations_to_converge"]
        return None if needed is None else int(needed)
    small = [i for i, step in enumerate(row.get("change") or [], 1) if step < CONVERGED]
    return small[0] if small else None


def _span(needed: Iterable[int | None], most: int) -> str:
    """Return the least and the most in words.

    Examples
    --------
    >>> _span([4, 6], 10), _span([4, None], 10), _span([None], 10), _span([], 10)
    ('4–6', '4–more than 10', 'more than 10', '–')
    """
    ends = sorted({most + 1 if n is None else n for n in needed})
    if not ends:
        return "–"
    words = [f"more than {most}" if end > most else str(end) for end in (ends[0], ends[-1])]
    return "–".join(dict.fromkeys(words))


def _panels(title: str, file: str, rows: Sequence[Row]) -> list[Item]:
    counts = sorted({row["annotated"] for row in rows})
    # One line for each K: the first draw stands for the others.
    firsts = [
        min((row for row in rows if row["annotated"] == K), key=lambda row: row["seed"])
        for K in counts
    ]
    items = []
    for trace, (name, log, factor) in TRACES.items():
        having = [row for row in firsts if row.get(trace)]
        if having:
            svg = line_plot(
                [_line(row, trace, factor) for row in having],
                x="iteration",
                y="",
                label=f"{name} against iterations on {title}",
                log=log if all(min(row[trace]) > 0 for row in having) else "",
                ticks=_ticks(max(len(row[trace]) for row in having)),
                level=(CONVERGED, "settled") if trace == "change" else None,
                marked=max(len(row[trace]) for row in having) < 30,
                size=(3.9, 2.8),
            )
            items.append({"title": name, "svg": svg, "file": slug(file, trace)})
    if not items:
        return []
    return [{"kind": "figures", "title": title, "items": items, "caption": "The first draw."}]


def _ticks(most: int) -> dict[float, str]:
    step = max(1, round(most / 5))
    return {i: str(i) for i in range(0 if step > 1 else 1, most + 1, step)}


def _line(row: Row, trace: str, factor: float) -> Item:
    values, first = list(row[trace]), 1
    if trace == "accuracy_by_iteration" and row.get("accuracy_at_start") is not None:
        values, first = [row["accuracy_at_start"], *values], 0
    at = list(range(first, first + len(values)))
    return {"name": f"K = {row['annotated']}", "x": at, "y": [factor * value for value in values]}


SECTION = Section("convergence", "Convergence", "convergence", _make)
