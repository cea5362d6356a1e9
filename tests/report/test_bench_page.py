"""The report of benchmarks says what its rows say."""

import copy
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sapwood.benchmark.paper_figures import read_paper
from sapwood.errors import InputError
from sapwood.report import render_page
from sapwood.report.bench import bench_page, read_results, render_markdown
from sapwood.report.bench.headline import standings
from sapwood.report.bench.sections import SECTIONS
from sapwood.report.heat_map import heat_map
from tests.report.bench_pages import page_of, row_of, section, tables
from tests.report.bench_rows import confusion, contest, row, write


def test_every_section_has_something_to_show(page):
    assert [one["id"] for one in page["sections"]] == [one.id for one in SECTIONS]
    empty = [one["id"] for one in page["sections"] if not one["blocks"]]
    assert empty == ["reading"]


def test_tables_show_mean_and_deviation_of_the_seeds(page, bench_rows):
    table = tables(page, "zsl")[0]
    values = [
        100 * one["accuracy"]
        for one in bench_rows
        if (one["bench"], one["data"], one["split"], one["annotated"], one["method"])
        == ("zsl", "cub", "paper", 5, "rpl")
    ]
    cells = dict(zip(table["columns"], table["rows"][row_of(table, "rpl")], strict=True))
    assert cells["K = 5"] == f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}"
    assert table["rows"][0][0] == "sapwood"
    assert table["marked"] == [0]


def test_a_winner_is_marked_only_when_it_is_one():
    rows = contest("zsl", (5,))
    table = tables(page_of(rows), "zsl")[0]
    assert table["best"] == [[0]]
    assert table["rows"][0][1].endswith("†")
    twin = [{**one, "method": "sapwood-tuned"} for one in rows if one["method"] == "sapwood"]
    table = tables(page_of(rows + twin), "zsl")[0]
    assert table["best"] == [[]]
    assert [cells[1].endswith("†") for cells in table["rows"][:3]] == [True, True, False]
    lucky = copy.deepcopy(rows)
    for one in lucky:
        if one["method"] == "kernel-ridge" and one["seed"] == 0:
            one["accuracy"] += 0.08
    assert tables(page_of(lucky), "zsl")[0]["best"] == [[]]


def test_cells_of_fewer_seeds_say_so():
    rows = [one for one in contest("zsl") if one["method"] != "rpl" or one["seed"] < 2]
    table = tables(page_of(rows), "zsl")[0]
    assert table["rows"][row_of(table, "rpl")][1].endswith(" (2)")
    assert "5 seeds" in table["caption"]
    assert not table["rows"][0][1].endswith(")")


def test_the_headline_counts_leads_and_lags():
    rows = contest("zsl", (5,)) + contest("zsl", (5,), split="proposed")
    for one in rows:
        if one["split"] == "proposed" and one["method"] == "rpl":
            one["accuracy"] += 0.2
    found = standings(rows, "accuracy")
    assert [(one.rival, one.lead > 0, one.clear) for one in found] == [
        ("kernel-ridge", True, True),
        ("rpl", False, True),
    ]
    page = page_of(rows)
    assert page["facts"][0]["value"] == "1 of 2"
    assert (
        "A rival is ahead on 1 of 2 problems (standard setting), significantly on 1."
        in page["lead"]
    )


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((1,), "standard setting 0.0 (A, K\xa0=\xa01, rpl, one draw)."),
        ((1, 2, 5), "standard setting 0.0 on each of 3 problems."),
    ],
)
def test_the_headline_says_once_what_is_the_same_everywhere(counts, said):
    rows = [
        row("zsl", method, K, 0, accuracy=1.0, data="A")
        for K in counts
        for method in ("sapwood", "rpl")
    ]
    assert page_of(rows)["lead"][0].endswith(said)


def test_the_headline_without_a_contest():
    assert page_of([row("zsl", "rpl", 5, 0, accuracy=0.5)])["lead"] == [
        "No problem here has both sapwood and a rival yet."
    ]
    quick = [row("zsl", "rpl", 5, 0, accuracy=0.5, quick=True)]
    assert "quick run" in page_of(quick)["lead"][-1]


def test_the_paper_is_joined_row_by_row(page):
    compared, own, rivals = tables(page, "paper")[:3]
    by_name = {cells[0]: cells[1:] for cells in own["rows"]}
    printed = {
        f"{f['dataset']}, K = {f['annotated']}": f
        for f in read_paper("zsl")
        if f["printed"] == "Ours"
    }
    assert set(by_name) == set(printed)
    shown, paper_preset, difference, default, _ = by_name["CUB, K = 5"]
    assert shown == "40.9 ± 1.5"
    ours = tables(page, "zsl")[0]
    assert paper_preset == ours["rows"][row_of(ours, "sapwood-paper")][1].split(" ")[0]
    assert default == ours["rows"][row_of(ours, "sapwood")][1].split(" ")[0]
    assert float(difference.replace("−", "-")) == pytest.approx(
        float(paper_preset) - 40.9, abs=0.06
    )
    assert by_name["CUB, K = 10"][1:] == ["not run", "–", "not run", "–"]
    assert by_name["SUN, K = 1"][1:] == ["not run", "–", "not run", "–"]
    assert ["SUN", "ResNet-101", "not run", "–"] in compared["rows"]
    features = {cells[0]: cells[3] for cells in compared["rows"]}
    assert features["AwA"].startswith("awa1_lowlevel: not told, 1280 dimensions, 8842 training")
    first = dict(zip(rivals["columns"], rivals["rows"][0], strict=True))
    assert first["RPL"].startswith("29.4 → ")
    assert first["SSE"] == "15.6 → –"


def test_other_splits_are_not_taken_for_the_papers():
    page = page_of([*contest("zsl", split="proposed"), *contest("gzsl")])
    own, *others = tables(page, "paper")
    assert own["title"].endswith("not run here")
    assert {cells[2] for cells in own["rows"]} == {"not run"}
    assert [block.get("folded") for block in others[:1]] == [None]


def test_of_data_of_your_own_the_papers_tables_are_folded():
    page = page_of(contest("zsl", data="mine", split="unseen.txt"))
    assert [block["folded"] for block in tables(page, "paper")] == [True] * 3
    assert [block["folded"] for block in tables(page, "sia")] == [True]
    html, (markdown, _) = render_page(page), render_markdown(page)
    assert html.count("<details><summary>Table") == markdown.count("<details><summary>Table") == 4


def test_draws_of_external_images_stand_apart(page):
    own = tables(page, "paper")[7]
    assert [cells[0] for cells in own["rows"]][4:6] == [
        "CUB+Web, K = 5, listed",
        "CUB+Web, K = 1, drawn",
    ]


def not_run(page):
    (block,) = [b for b in section(page, "reproduce")["blocks"] if b.get("title") == "Not run here"]
    return block["lines"]


def test_sections_without_rows_are_left_out_and_say_how_to_get_them():
    page = page_of(contest("zsl"))
    assert "gzsl" not in [one["id"] for one in page["sections"]]
    assert "sapwood bench gzsl --data cub --out out" in not_run(page)
    assert "sapwood bench external --data cub --out out" in not_run(page)
    assert "sapwood bench sia --out out" in not_run(page)


def test_what_was_not_run_is_asked_for_with_your_own_data():
    own = [{**one, "path": "my/birds.npz"} for one in contest("zsl", data="birds", split="u.txt")]
    page = page_of(own)
    assert "sapwood bench gzsl --data my/birds.npz --split u.txt --out out" in not_run(page)
    assert "sapwood bench external --data my/birds.npz --web FILE --out out" in not_run(page)
    both = not_run(page_of(own + contest("zsl")))
    assert "sapwood bench gzsl --data cub --out out" in both
    assert "sapwood bench gzsl --data my/birds.npz --split u.txt --out out" in both


def test_what_was_only_skipped_is_told():
    only_skipped = page_of([*contest("zsl"), row("gzsl", "rn", 5, 0, skipped="no torch")])
    assert section(only_skipped, "gzsl")["text"] == [
        "Every row of it was skipped (1); the reasons are below."
    ]


@pytest.mark.parametrize("bench", ["external", "ablation", "sensitivity", "convergence"])
def test_one_benchmark_alone_is_enough(bench, bench_rows):
    page = page_of([one for one in bench_rows if one["bench"] == bench][:40])
    assert section(page, bench)["blocks"]
    assert len(not_run(page)) >= 6


def test_rows_that_tell_little_do_no_harm():
    bare = {"data": "mine", "split": "own", "annotated": 3, "seed": 0}
    rows = [
        {**bare, "bench": bench, "method": method, **found}
        for bench, method, found in (
            ("zsl", "sapwood", {"accuracy": float("nan")}),
            ("zsl", "rpl", {"accuracy": 0.5, "fit_seconds": 0.0, "parameters": None}),
            ("gzsl", "sapwood", {"acc_u": 0.5}),
            ("sensitivity", "paper:m=1", {}),
            ("convergence", "paper", {"change": []}),
            ("stress", "sapwood:copies", {"accuracy": 0.5}),
        )
    ]
    page = page_of(rows)
    assert tables(page, "zsl")[0]["rows"] == [["rpl", "50.0"]]
    assert render_page(page)


def test_a_run_in_progress_can_be_read(tmp_path):
    folder = write(tmp_path / "rows", contest("zsl", (5,)))
    whole = len(read_results(folder).rows)
    with (folder / "zsl.jsonl").open("a") as file:
        file.write('{"bench": "zsl", "data": "cu')
    (folder / "tuned.jsonl").write_text(json.dumps(contest("zsl", (5,))[0]) + "\n")
    (folder / "suggest.jsonl").write_text('{"case": "cub", "accuracy": 0.5}\n[1]\n')
    (folder / "gzsl.jsonl").write_text("")
    assert len(read_results(folder).rows) == whole
    assert bench_page(read_results(folder))["facts"]


@pytest.mark.parametrize("make", ["nothing", "file", "empty", "others"])
def test_folders_without_rows_are_refused(tmp_path, make):
    folder = tmp_path / "rows"
    if make == "file":
        folder.write_text("")
    elif make != "nothing":
        folder.mkdir()
    if make == "others":
        (folder / "notes.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(InputError, match="sapwood bench") as caught:
        read_results(folder)
    assert "\n" not in str(caught.value)


def test_names_in_rows_are_text_on_the_page():
    evil = "<script>alert(1)</script>"
    rows = [
        row(
            "zsl",
            evil,
            5,
            0,
            data=evil,
            split=evil,
            accuracy=0.5,
            cpu=evil,
            parameters={evil: evil},
        )
    ]
    html = render_page(page_of([*rows, row("zsl", evil, 1, 0, skipped=evil)]))
    assert "<script" not in html
    assert html.count("&lt;script&gt;") > 10


def test_the_page_is_small_and_needs_nothing_else(page):
    html = render_page(page)
    assert len(html.encode()) < 4_000_000
    sources = re.findall(r"""(?:src|href)=["']([^"']+)""", html)
    assert all(source.startswith(("data:", "#")) for source in sources)


def test_fifty_classes_have_their_names_and_counts():
    counts = np.array(confusion())
    names = [f"bird & {i}" for i in range(50)]
    svg = ET.fromstring(heat_map(counts, names, "Birds"))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in svg.iter(f"{space}text")]
    assert sorted(texts) == sorted(names * 2)
    assert len(list(svg.iter(f"{space}rect"))) == 1 + np.count_nonzero(counts)
    titles = {element.text for element in svg.iter(f"{space}title")}
    assert f"bird & 7 named correctly: {counts[7, 7]} of 60" in titles


@pytest.mark.parametrize(("classes", "cell"), [(3, 36), (10, 36), (20, 18), (50, 15)])
def test_cells_grow_where_classes_are_few_and_text_does_not(classes, cell):
    names = [f"bird {i:02d}" for i in range(classes)]
    svg = heat_map(np.full((classes, classes), 2), names, "Birds")
    side = ET.fromstring(svg).get("viewBox").split()[-1]
    assert f'style="--side: {side}pt; max-width: {side}pt"' in svg
    assert 'font-size="10"' in svg
    assert f'width="{cell - 1}"' in svg
    # The page shows it no wider than it is.
    assert "min-width: min(46rem, var(--side))" in render_page(page_of([row("zsl", "a", 1, 0)]))


def test_classes_without_names_are_numbered():
    rows = contest("zsl", (5,))
    rows[0]["confusion"] = [[3, 1], [0, 4]]
    (mistakes,) = tables(page_of(rows), "confusion")
    assert mistakes["rows"] == [["class 1", "class 2", "1", "4"]]
