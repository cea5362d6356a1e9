"""Social image annotation: the paper's Table 5."""

from __future__ import annotations

from collections.abc import Sequence

from sapwood.benchmark.cells import signed
from sapwood.benchmark.found import ours
from sapwood.benchmark.paper_figures import read_paper
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, data_title, slug
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.bench.sections.sia_tables import (
    bars,
    by_method,
    lead,
    mean,
    score_names,
    table,
)

#: Scores that are compared with the paper's.
JOINED = ("C-F1", "I-F1")
FREQUENCY = "frequency"
#: Three ways to decide: ending of the fields, and what the table says of it.
MODES = {
    "": "Concepts that score above one threshold, chosen for each method on the validation images "
    "for the highest C-F1.",
    "_top3": "The three best concepts of every image.",
    "_own": "Each method's own decision: SVMs above the log-odds with the highest C-F1 on training "
    "images held out, logistic heads above even odds, an LSTM until it stops. Softmax and WARP "
    "have none.",
}
RULE = (
    "Every method learns from the same fixed features and tags. For each, six settings are tried "
    "on a fifth of the training images, the same for all, and the one with the highest mean "
    "average precision (mAP) is taken, for networks with the number of epochs that was best there; "
    "then it is fitted to all training images. Networks are taught from several seeds, all else is "
    "found once. sapwood is the paper's “refined tags + CNN + SVM”, sapwood-refined its “refined "
    "tags + SVM” and sapwood-noisy “noisy tags + SVM”, with the default refiner; the other eight "
    "are re-implementations as heads over the features, without a network that learns to see."
)


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for (data, split), rows in by_case(results.of("sia")).items():
        for count in sorted({row["annotated"] for row in rows}):
            of_count = [row for row in rows if row["annotated"] == count]
            blocks += _case(data, split, count, of_count)
    return ([RULE], blocks) if blocks else ([], [_printed()])


def _printed() -> Item:
    printed = read_paper("sia")
    scores = [name for name in printed[0] if name[:2] in ("C-", "I-")]
    return {
        "kind": "table",
        "folded": True,
        "title": f"Table {printed[0]['table']}: NUS-WIDE, not run here",
        "columns": ["method, as printed", *scores],
        "rows": [[f["printed"], *(f"{100 * f[name]:.1f}" for name in scores)] for f in printed],
    }


def _case(data: str, split: str, count: int, rows: list[Row]) -> list[Item]:
    found = by_method(rows)
    table_rows = [figure["method"] for figure in read_paper("sia")]
    eleven = [name for name in table_rows if name in found]
    others = [name for name in found if name not in eleven]
    title = f"{data_title(data)}, {count} training images ({split})"
    blocks: list[Item] = []
    for mode, said in MODES.items():
        names = [name for name in eleven if f"C-F1{mode}" in found[name][0]]
        if names:
            heading = {"title": title} if not mode else {}
            blocks.append({**heading, **table(found, names, score_names(mode), said)})
            blocks += _lead(found, names) if not mode else []
    if eleven:
        label = f"C-F1 and mAP on {title}"
        blocks.append({"kind": "figure", "svg": bars(found, eleven, label), "caption": f"{title}: "
                       "C-F1 at the chosen threshold, and mAP.",
                       "file": slug("sia", data, split, count)})  # fmt: skip
    blocks += _beyond(found, others)
    return [*blocks, _beside_the_paper(found, rows)]


def _lead(found: dict[str, list[Row]], names: Sequence[str]) -> list[Item]:
    rivals = [name for name in names if not ours(name)]
    if "sapwood" not in names or not rivals:
        return []
    return [{"kind": "text", "paragraphs": [lead(found, "sapwood", rivals)]}]


def _beyond(found: dict[str, list[Row]], names: Sequence[str]) -> list[Item]:
    if not names:
        return []
    order = sorted(names, key=lambda name: -mean(found[name], "mAP"))
    said = (
        "Not in the paper's table. NAME+tags: the same head, which looks at the tags beside the "
        "features; svm: the SVMs of sapwood on features, and on features and tags that nobody "
        "refined; sapwood-named: sapwood, told what tags and concepts are called, so that a "
        f"concept's own word speaks for it; {FREQUENCY}: concepts by their share of the training "
        "images. Decided by the chosen threshold."
    )
    return [table(found, order, score_names(""), said)]


def _beside_the_paper(found: dict[str, list[Row]], rows: list[Row]) -> Item:
    body = []
    for figure in read_paper("sia"):
        mine = found.get(figure["method"])
        cells = [f"{100 * figure[score]:.1f}" for score in JOINED]
        for score in JOINED:
            here = mean(mine, score) if mine else None
            cells.append("–" if here is None else f"{here:.1f}")
            cells.append("–" if here is None else signed(here - 100 * figure[score]))
        body.append([figure["printed"], figure["method"], *cells])
    columns = ["paper's row", "here", *(f"{score}, printed" for score in JOINED)]
    for score in JOINED:
        columns += [f"{score} here", "difference"]
    one = rows[0]
    said = (
        "Beside the paper's figures, which are of NUS-WIDE (162,806 training images, 1,000 tags, "
        "81 concepts, networks that learn to see). Here: "
        f"{one.get('n_train', '–')} training images, {one.get('n_features', '–')} fixed features, "
        f"{one.get('n_tags', '–')} tags, {one.get('n_concepts', '–')} concepts, and the chosen "
        "threshold: compare orders, not figures."
    )
    return {"kind": "table", "columns": columns, "rows": body, "caption": said}


SECTION = Section("sia", "Social image annotation", "", _make)
