"""The pieces any report is made of: tables, plots, pages."""

import errno
import os
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sapwood.errors import InputError
from sapwood.report import (
    line_plot,
    picture_uri,
    plots,
    render_page,
    result_table,
    write_page,
)

EVIL = "<script>alert('x')</script> & \"quotes\""
CHIP = {"text": EVIL, "mark": "wrong"}
SHOT = {"src": picture_uri(np.zeros((2, 2, 3), dtype=np.uint8)), "alt": EVIL, "name": EVIL}
BAR = {"name": EVIL, "side": "for", "share": "0.5", "text": EVIL}
BLOCKS = [
    {"kind": "text", "title": EVIL, "paragraphs": [EVIL]},
    {"kind": "table", "columns": [EVIL, EVIL], "rows": [[EVIL, EVIL]], "caption": EVIL},
    {"kind": "figure", "svg": line_plot([{"name": EVIL, "x": [1], "y": [1]}], x=EVIL, y="$x$",
                                        label=EVIL), "caption": EVIL},
    {"kind": "cards", "title": EVIL, "note": EVIL, "items": [
        {"title": EVIL, "lines": [EVIL], "pictures": [SHOT], "chips": [CHIP], "bars": [BAR]}]},
    {"kind": "panels", "panels": [{"title": EVIL, "text": EVIL, "items": [
        SHOT, {"words": EVIL, "name": EVIL}]}]},
    {"kind": "strips", "title": EVIL, "caption": EVIL, "strips": [
        {"first": SHOT, "items": [SHOT]}, {"title": EVIL, "items": [SHOT]}, {"items": [SHOT]}]},
    {"kind": "heat", "title": EVIL, "columns": [EVIL], "caption": EVIL,
     "rows": [{"name": EVIL, "values": [3], "total": 3}]},
    {"kind": "code", "title": EVIL, "lines": [EVIL]},
]  # fmt: skip


def page(blocks):
    section = {"id": EVIL, "title": EVIL, "text": [EVIL], "blocks": blocks}
    fact = {"value": EVIL, "label": EVIL, "note": EVIL, "main": True}
    return {
        "title": EVIL,
        "lead": [EVIL],
        "facts": [fact],
        "sections": [section] * 3,
        "footer": EVIL,
        "hero": blocks,
    }


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block["kind"])
def test_names_from_data_are_text_wherever_they_stand(block):
    html = render_page(page([block]))
    assert "<script" not in html
    assert "alert('x')</script> & \"quotes\"" not in html
    assert html.count("&lt;script&gt;") >= 10


def test_a_page_needs_no_other_file_and_no_script():
    html = render_page(page(BLOCKS))
    sources = re.findall(r"""(?:src|href)=["']([^"']+)""", html)
    assert sources
    assert all(source.startswith(("data:", "#")) for source in sources)
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_a_kind_nobody_knows_is_refused():
    with pytest.raises(InputError, match="a block is of kind 'pie'"):
        render_page(page([{"kind": "pie"}]))


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    write_page({"title": "old", "lead": [], "facts": [], "sections": []}, path)

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"report\.html: No space left on device"):
        write_page({"title": "new", "lead": [], "facts": [], "sections": []}, path)
    assert "<title>old</title>" in path.read_text()
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(InputError, match="is a folder"):
        write_page({}, tmp_path)


def test_plots_are_whole_xml_in_the_colours_of_the_page():
    series = [
        {"name": "$a_1$ & <b>", "x": [1, 10], "y": [0.01, 5], "spread": [0.001, 0.5]},
        {"name": "c", "x": [1, 10], "y": [2, 3], "colour": 3},
    ]
    options = {"x": "K", "y": "%", "label": 'a "plot"', "log": "xy", "ticks": {1: "one", 10: "ten"}}
    svg = line_plot(series, **options, level=(4, "ceiling"))
    texts = [element.text for element in ET.fromstring(svg).iter() if element.text]
    assert {"$a_1$ & <b>", "one", "ten", "ceiling"} <= set(texts)
    assert "var(--series-4)" in svg
    assert "var(--series-7)" in svg
    assert not re.search(r"#0([1-8])0\1", svg)
    assert svg == line_plot(series, **options, level=(4, "ceiling"))


@pytest.mark.parametrize(("title", "ends_at_100"), [("right answers, %", True), ("points", False)])
def test_an_axis_in_per_cent_ends_at_100(title, ends_at_100):
    ends = []
    one = {"name": "a", "x": [1, 2], "y": [40, 100], "spread": [60, 8]}
    level = (100, "all")
    kept = plots.drawn

    def looked_at(draw, label, size):
        return kept(lambda axes: (draw(axes), ends.append((axes.get_xlim(), axes.get_ylim()))),
                    label, size)  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "drawn", looked_at)
        line_plot([one], x="K", y=title, label="Test", level=level)
        line_plot([{**one, "x": one["y"], "y": [1, 2]}], x=title, y="K", label="Test")
    assert (ends[0][1] == (0, 100)) == ends_at_100
    assert (ends[1][0][1] == 100) == ends_at_100


def test_tables_average_the_runs_and_mark_the_best():
    rows = [
        {"method": "a", "annotated": 1, "accuracy": 0.5},
        {"method": "a", "annotated": 1, "accuracy": 0.7},
        {"method": "b", "annotated": 1, "accuracy": 0.65},
        {"method": "b", "annotated": "all", "accuracy": 0.9},
    ]
    table = result_table(rows, {1: "K = 1", "all": "all", 5: "K = 5"})
    assert table.columns == ["method", "K = 1", "all", "K = 5"]
    assert table.rows == [["a", "60.0 ± 14.1", "–", "–"], ["b", "65.0", "90.0", "–"]]
    assert table.best == [[1], [1], []]
    rows.append({"method": "a", "annotated": "all", "accuracy": 0.9001})
    assert result_table(rows, {"all": "all"}).best == [[0, 1]]
    lines = table.text().splitlines()
    assert lines[1] == "a       60.0 ± 14.1     –      –"
    assert len({len(line) for line in lines}) == 1
