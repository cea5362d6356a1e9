"""The paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from sapwood.benchmark.cells import signed
from sapwood.benchmark.datasets import data_alone
from sapwood.benchmark.paper_figures import FEATURES, TABLES, data_slug, read_paper
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title
from sapwood.report.bench.section import Content, Item, Section

#: The score of each table, and the splits that are the paper's.
JOINED = {
    "zsl": ("accuracy", ("paper",)),
    "gzsl": ("harmonic_mean", ("paper",)),
    "external": ("accuracy", ("listed", "drawn")),
}
OURS = ("sapwood-paper", "sapwood")
#: Data and split, the rows of each, and a printed figure with one of them or none.
Case = tuple[str, str]
Here = dict[Case, list[Row]]
Pairs = list[tuple[Row, Case | None]]
NOT_RUN = "not run"
#: What the paper does with unannotated images for the rivals.
FILLED = {
    "zsl": "Unannotated images have the label of the nearest annotated one.",
    "gzsl": "Unannotated images have the label of the nearest annotated one.",
    "external": "Those without 0 take attributes that the paper's propagation finds.",
}


_NOWHERE: list[Case | None] = [None]


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for table in JOINED:
        blocks += join(results, table)
    text = [
        "Figures in per cent, as printed and as found here. sapwood-paper is the algorithm with "
        "the settings as printed, sapwood the default. Features and draws of annotated images may "
        "not be the paper's: look at what is compared before the differences. The paper does not "
        "say how many draws it took."
    ]
    return text, blocks


def join(results: Results, table: str) -> list[Item]:
    """Return what is compared, our algorithm's figures and the rivals'; those printed if not run.

    Parameters
    ----------
    results : Results
    table : {"zsl", "gzsl", "external"}
    """
    printed = read_paper(table)
    score, splits = JOINED[table]
    rows = [row for row in results.of(table) if row["split"] in splits and score in row]
    here = by_case(rows)
    heading = f"Table {printed[0]['table']}: {TABLES[table]}"
    pairs: Pairs = [
        (figure, case)
        for figure in printed
        if figure["method"] == OURS[0]
        for case in [*_cases_of(figure, here)] or _NOWHERE
    ]
    pairs.sort(key=lambda pair: _place(printed, here, *pair))
    if not any(case for _, case in pairs):
        return [{**_own(pairs, here, score), "title": f"{heading}: not run here", "folded": True}]
    return [
        _compared(heading, printed, here, results.features),
        _own(pairs, here, score),
        *_rivals(table, printed, pairs, here, score),
    ]


def _cases_of(figure: Row, here: Here) -> list[Case]:
    return [case for case in here if data_slug(case[0]) == figure["data"]]


def _place(printed: list[Row], here: Here, figure: Row, case: Case | None) -> tuple[int, int, int]:
    first = next(f["row"] for f in printed if f["dataset"] == figure["dataset"])
    return first, -1 if case is None else list(here).index(case), figure["row"]


def _compared(heading: str, printed: list[Row], here: Here, known: Mapping[str, str]) -> Item:
    body = []
    for name in dict.fromkeys(figure["dataset"] for figure in printed):
        figure = next(figure for figure in printed if figure["dataset"] == name)
        cases = _cases_of(figure, here)
        for case in cases:
            body.append([name, FEATURES, case_title(*case), _described(here[case], known)])
        if not cases:
            body.append([name, FEATURES, NOT_RUN, "–"])
    columns = ["paper's data", "its features", "data here", "features here"]
    return {"kind": "table", "words": True, "title": heading, "columns": columns, "rows": body,
            "caption": "What is compared."}  # fmt: skip


def _described(rows: list[Row], known: Mapping[str, str]) -> str:
    telling = [row for row in rows if row.get("n_features")]
    if not telling:
        return "not told"
    named = [telling[0][name] for name in ("bench", "data", "split")]
    data, _, attributes = data_alone(*named).partition(":")
    spans = [_span(row.get(name) for row in telling) for name in ("n_train", "n_test")]
    parts = [
        known.get(data, f"{data}: not told"),
        f"{_span(row['n_features'] for row in telling)} dimensions",
        f"{spans[0]} training and {spans[1]} test images",
    ]
    parts += [f"classes known by {attributes}, not by the paper's attributes"] * bool(attributes)
    return ", ".join(parts)


def _span(values: Iterable[int | None]) -> str:
    """Return one number, or the least and the most.

    Examples
    --------
    >>> _span([150, None, 1954]), _span([150, 150]), _span([])
    ('150–1954', '150', '–')
    """
    ends = sorted({value for value in values if value is not None})
    return "–".join(dict.fromkeys(str(end) for end in (ends[0], ends[-1]))) if ends else "–"


def _own(pairs: Pairs, here: Here, score: str) -> Item:
    body = []
    for figure, case in pairs:
        found = [_mean(here.get(case, []) if case else [], name, figure, score) for name in OURS]
        cells = [cell for value in found for cell in _against(figure[score], value)]
        body.append([_row_name(figure, case, here), _as_printed(figure, score), *cells])
    columns = ["paper's row", "printed", "sapwood-paper", "difference", "sapwood", "difference"]
    return {"kind": "table", "columns": columns, "rows": body, "caption": "The paper's algorithm: "
            "printed; here with the printed settings; here by default."}  # fmt: skip


def _row_name(figure: Row, case: Case | None, here: Here) -> str:
    name = f"{figure['dataset']}, K = {figure['annotated']}"
    same = _cases_of(figure, here)
    if case is None or len(same) == 1:
        return name
    return f"{name}, {case[1] if len({data for data, _ in same}) == 1 else ' '.join(case)}"


def _as_printed(figure: Row, score: str) -> str:
    spread = f" ± {100 * figure['std']:.1f}" if "std" in figure else ""
    return f"{100 * figure[score]:.1f}{spread}"


def _against(printed: float, value: float | None) -> list[str]:
    if value is None:
        return [NOT_RUN, "–"]
    return [f"{100 * value:.1f}", signed(100 * (value - printed))]


def _mean(rows: list[Row], method: str, figure: Row, score: str) -> float | None:
    values = [
        row[score]
        for row in rows
        if row["method"] == method and row["annotated"] == figure["annotated"]
    ]
    return float(np.mean(values)) if values else None


def _rivals(table: str, printed: list[Row], pairs: Pairs, here: Here, score: str) -> list[Item]:
    names = list(dict.fromkeys(f["printed"] for f in printed if f["method"] != OURS[0]))
    figures = {(f["dataset"], f["annotated"], f["printed"]): f for f in printed}
    body = []
    for own, case in pairs:
        if case is not None:
            row = [figures[own["dataset"], own["annotated"], name] for name in names]
            cells = [_change(figure, here[case], score) for figure in row]
            body.append([_row_name(own, case, here), *cells])
    if not body:
        return []
    caption = f"Rivals: printed → here, where each is tuned; – is not run. {FILLED[table]}"
    return [{"kind": "table", "columns": ["paper's row", *names], "rows": body, "caption": caption}]


def _change(figure: Row, rows: list[Row], score: str) -> str:
    value = _mean(rows, figure["method"], figure, score)
    found = "–" if value is None else f"{100 * value:.1f}"
    return f"{100 * figure[score]:.1f} → {found}"


SECTION = Section("paper", "Beside the paper's figures", "", _make)
