"""Generalized zero-shot learning: the setting of the paper's Table 3."""

from __future__ import annotations

from sapwood.benchmark.found import Found, best_first, collected, ours
from sapwood.benchmark.leads import leads
from sapwood.benchmark.rows import Row
from sapwood.report.bench.results import Results, by_case, case_title, slug
from sapwood.report.bench.scores import score_plot, score_table
from sapwood.report.bench.section import Content, Item, Section
from sapwood.report.plots import line_plot

#: Scores in the order of the page.
SCORES = {
    "harmonic_mean": "Harmonic mean H of the two accuracies below.",
    "acc_u": "acc_u: images of unseen classes named correctly among all classes.",
    "acc_s": "acc_s: held-out images of seen classes named correctly among all classes.",
    "ausuc": "AUSUC: area under the curve of acc_s against acc_u, for every handicap.",
    "uncalibrated": "H without any handicap for seen classes.",
}
#: Lines in the plot of curves.
_CURVES = 6


def _make(results: Results) -> Content:
    blocks: list[Item] = []
    for (data, split), rows in by_case(results.of("gzsl")).items():
        blocks += _case(data, split, rows)
    text = [
        "Test images are of seen and unseen classes, and all classes compete: a fifth of each seen "
        "class is held out for it. Seen classes are handicapped by a bias that every method "
        "chooses in the same way, from its annotated images alone."
    ]
    return text, blocks


def _case(data: str, split: str, rows: list[Row]) -> list[Item]:
    title = case_title(data, split)
    found = {score: collected(rows, score) for score in SCORES}
    main = found["harmonic_mean"]
    if not main:
        return []
    order = best_first(main)
    blocks = [
        {"title": title, **score_table(main, SCORES["harmonic_mean"], order)},
        {"kind": "text", "paragraphs": [leads(rows, "harmonic_mean").replace("*", "")]},
        {"kind": "figure", "file": slug("gzsl", data, split), "caption": f"{title}: harmonic mean "
         "against K. Bands are one standard deviation.",
         "svg": score_plot(main, y="harmonic mean, %", label=f"H against K on {title}")},
    ]  # fmt: skip
    blocks += [
        score_table(found[score], caption, [name for name in order if name in found[score]])
        for score, caption in SCORES.items()
        if score != "harmonic_mean" and found[score]
    ]
    return blocks + _curves(data, split, rows, main)


def _curves(data: str, split: str, rows: list[Row], main: Found) -> list[Item]:
    """Return the curves of acc_s against acc_u of the first draw, at the middle K that has any."""
    having = [row for row in rows if row.get("curve")]
    counts = sorted({row["annotated"] for row in having})
    if not counts:
        return []
    K = counts[len(counts) // 2]
    here = {row["method"]: row for row in having if row["annotated"] == K}
    names = [name for name in ("sapwood",) if name in here]
    names += [name for name in best_first(main) if name in here and not ours(name)]
    series = [
        {"name": name, "x": [100 * u for u, _ in here[name]["curve"]],
         "y": [100 * s for _, s in here[name]["curve"]]}
        for name in names[:_CURVES]
    ]  # fmt: skip
    title = f"{case_title(data, split)}, K = {K}"
    svg = line_plot(
        series,
        x="acc_u, %",
        y="acc_s, %",
        label=f"Seen against unseen accuracy on {title}",
        marked=False,
        names_below=True,
        size=(6.0, 4.3),
    )
    caption = (
        f"{title}, first draw: seen against unseen accuracy as the handicap of seen classes grows."
    )
    return [
        {"kind": "figure", "svg": svg, "file": slug("gzsl-curve", data, split), "caption": caption}
    ]


SECTION = Section("gzsl", "Generalized zero-shot learning", "gzsl", _make)
