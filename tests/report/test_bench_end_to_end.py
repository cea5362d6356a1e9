"""`sapwood bench all --quick` on the demo's creatures, then `sapwood report`: nothing made up."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.rows import read_rows
from sapwood.benchmark.significance import clear_winner
from sapwood.cli import main
from sapwood.report.bench.sections import SECTIONS


class Sections(HTMLParser):
    """The tables of each section, as text of cells and whether they are bold, and its plots."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.plots, self.name, self.open = {}, {}, None, False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if tag == "section":
            self.name = known["id"]
            self.tables[self.name], self.plots[self.name] = [], 0
        elif self.name is None:
            return
        elif tag == "svg":
            self.plots[self.name] += 1
        elif tag == "table":
            self.tables[self.name].append([])
        elif tag == "tr":
            self.tables[self.name][-1].append([])
        elif tag in ("td", "th"):
            self.tables[self.name][-1][-1].append(["", known.get("class") == "best"])
            self.open = True

    def handle_endtag(self, tag):
        self.open = self.open and tag not in ("td", "th")
        self.name = None if tag == "section" else self.name

    def handle_data(self, data):
        if self.open:
            self.tables[self.name][-1][-1][-1][0] += data


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert not stop.value.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("bench") / "quick"
    run("bench", "all", "--quick", "--data", "demo", "--out", out)
    run("report", out, "--latex")
    return out


def rows_in(folder):
    return [row for name in BENCHES for row in read_rows(folder / f"{name}.jsonl")]


@pytest.fixture(scope="module")
def rows(folder):
    return rows_in(folder)


@pytest.fixture(scope="module")
def sections(folder):
    return Sections((folder / "report.html").read_text(encoding="utf-8"))


def test_every_benchmark_that_is_not_hidden_has_rows(rows):
    assert {row["bench"] for row in rows} == {b.name for b in BENCHES.values() if not b.hidden}
    known = ("version", "python", "numpy", "cpu", "started", "n_features")
    scored = [row for row in rows if "skipped" not in row]
    assert all(name in row for row in scored for name in known)


def test_every_section_shows_what_its_rows_allow(sections):
    # The paper has no table of the demo's creatures.
    assert list(sections.tables) == [one.id for one in SECTIONS if one.id != "paper"]
    drawn = {name for name, count in sections.plots.items() if count}
    assert {"zsl", "gzsl", "external", "ablation", "propagation", "confusion"} <= drawn
    assert sections.plots["sensitivity"] >= 5
    assert sections.plots["convergence"] >= 3
    without = {name for name, tables in sections.tables.items() if not tables}
    assert without <= {"reading", "skipped"}


def test_tables_hold_the_rows(sections, rows):
    head, *body = sections.tables["zsl"][0]
    counts = [int(cell.removeprefix("K = ")) for cell, _ in head[1:]]
    mine = [row for row in rows if row["bench"] == "zsl"]
    assert counts == sorted({row["annotated"] for row in mine})
    assert {cells[0][0] for cells in body} == {row["method"] for row in mine}
    for (name, _), *cells in body:
        for K, (cell, _) in zip(counts, cells, strict=True):
            of = [r["accuracy"] for r in mine if (r["method"], r["annotated"]) == (name, K)]
            assert float(cell.split(" ± ")[0]) == pytest.approx(100 * np.mean(of), abs=0.051)


def test_bold_is_what_the_test_says(sections, rows):
    head, *body = sections.tables["zsl"][0]
    for column, (cell, _) in enumerate(head[1:], 1):
        found = {}
        for row in rows:
            if row["bench"] == "zsl" and f"K = {row['annotated']}" == cell:
                found.setdefault(row["method"], {})[row["seed"]] = row["accuracy"]
        bold = [cells[0][0] for cells in body if cells[column][1]]
        assert bold == [name for name in [clear_winner(found)] if name]


def test_the_confusion_is_the_accuracy(rows, folder):
    having = [row for row in rows if row.get("confusion") and row["bench"] == "zsl"]
    counts = sorted({row["annotated"] for row in having})
    (row,) = [row for row in having if row["annotated"] == counts[len(counts) // 2]]
    confusion = np.array(row["confusion"])
    assert confusion.trace() / confusion.sum() == pytest.approx(row["accuracy"])
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert f"{confusion.trace()} of {confusion.sum()} images are named correctly" in html


def test_the_other_files_are_whole(folder):
    text = (folder / "report.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(plots/([^)]+)\)", text)
    assert len(links) > 15
    assert all((folder / "plots" / link).exists() for link in links)
    assert r"\begin{tabular}" in (folder / "tables.tex").read_text(encoding="utf-8")
    assert (folder / "report.html").stat().st_size < 4_000_000


def test_nothing_is_run_twice(folder, rows, capsys):
    run("bench", "all", "--quick", "--data", "demo", "--out", folder, "--json")
    assert json.loads(capsys.readouterr().out)["added"] == 0
    assert len(rows_in(folder)) == len(rows)
