"""The report's files: Markdown with plots, LaTeX, and the command that writes them."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from sapwood.cli import main
from sapwood.report.bench import render_latex, render_markdown
from tests.report.bench_pages import page_of
from tests.report.bench_rows import contest, forms, write


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "rows", contest("zsl", (5,), seeds=2) + forms()[:6])


@pytest.fixture
def run(capsys):
    def run(*arguments):
        capsys.readouterr()
        code = 0
        try:
            main([str(a) for a in arguments])
        except SystemExit as stop:
            code = stop.code or 0
        return code, *capsys.readouterr()

    return run


def test_markdown_has_the_tables_of_the_page(page):
    text, _ = render_markdown(page)
    for section in page["sections"]:
        assert f"\n## {section['title']}\n" in text
    table = page["sections"][1]["blocks"][0]
    assert f"| {' | '.join(table['columns'])} |" in text
    first = [table["rows"][0][0], *(f"**{cell}**" for cell in table["rows"][0][1:])]
    assert f"| {' | '.join(first)} |" in text
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line[:2] == "| "]
    assert min(widths) >= 3


def test_every_plot_is_a_file_in_plain_colours(page):
    text, drawings = render_markdown(page)
    links = re.findall(r"!\[[^]]+\]\(plots/([^)]+)\)", text)
    assert sorted(links) == sorted(drawings)
    assert len(drawings) > 10
    for svg in drawings.values():
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(--" not in svg


def test_data_sets_of_similar_names_have_plots_of_their_own():
    rows = contest("zsl", (5,), data="my data") + contest("zsl", (5,), data="my-data")
    text, drawings = render_markdown(page_of(rows))
    names = ["zsl-my-data-paper.svg", "zsl-my-data-paper-2.svg"]
    assert list(drawings) == names
    assert re.findall(r"\(plots/([^)]+)\)", text) == names
    assert ["my data" in svg for svg in drawings.values()] == [True, False]


def test_a_few_plots_are_the_first_of_each_section(page):
    text, drawings = render_markdown(page, most=3)
    assert list(drawings) == [
        "zsl-cub-paper.svg",
        "gzsl-cub-paper.svg",
        "external-cub-web-listed.svg",
    ]
    assert text.count("![") == 3
    text, drawings = render_markdown(page, most=0)
    assert drawings == {}
    assert "Bands are one standard deviation" not in text


def test_what_a_table_is_of_does_not_go_with_its_plot(page):
    text, _ = render_markdown(page, most=0)
    ablation = text.partition("## Ablation")[2].partition("\n## ")[0]
    for preset in ("as printed in the paper", "the default"):
        after = ablation.partition(f"### CUB, the paper's split, {preset}\n")[2]
        assert after.startswith("\n| method |")
    assert "SAP-I + BPL against BPL" in ablation
    mixed_up = text.partition("## Unseen classes that are mixed up")[2]
    assert mixed_up.split("\n\n")[2].startswith("### CUB")
    assert "images are named correctly" in mixed_up


def test_marks_of_markdown_are_text():
    block = {"kind": "table", "columns": ["a|b", "c"], "rows": [["*x*", "<b>"]]}
    section = {"id": "a", "title": "A", "text": ["[x](y)"], "blocks": [block]}
    page = {"title": "T", "lead": [], "facts": [], "sections": [section], "footer": ""}
    text, _ = render_markdown(page)
    assert r"| a\|b | c |" in text
    assert r"| \*x\* | \<b> |" in text
    assert r"\[x\](y)" in text


def test_latex_is_balanced_and_bold_where_the_page_is(page):
    text = render_latex(page)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") > 10
    first = page["sections"][1]["blocks"][0]["rows"][0]
    bold = first[1].replace("±", r"$\pm$").replace("†", r"$^\dagger$")
    assert rf"sapwood & \textbf{{{bold}}} & " in text
    labels = re.findall(r"\\label\{([^}]+)\}", text)
    assert len(set(labels)) == len(labels)
    body = [line for line in text.splitlines() if not line.startswith("%")]
    assert not any(re.search(r"(?<!\\)[#%_]", line) for line in body if "label" not in line)


def test_the_command_writes_all_files(folder, run):
    code, out, err = run("report", folder, "--latex")
    assert (code, err) == (0, "")
    for name in ("report.html", "report.md", "tables.tex"):
        assert (folder / name).stat().st_size > 1000
        assert str(folder / name) in out
    assert (folder / "report.html").stat().st_size < 4_000_000
    for link in re.findall(r"\(plots/([^)]+)\)", (folder / "report.md").read_text()):
        assert (folder / "plots" / link).exists()
    again = (folder / "report.html").read_bytes()
    run("report", folder)
    assert (folder / "report.html").read_bytes() == again


def test_the_command_for_programs(folder, run, tmp_path):
    target = tmp_path / "docs" / "results.md"
    target.parent.mkdir()
    code, out, _ = run("report", folder, "--json", "--out", target, "--plots", 1)
    found = json.loads(out)
    assert code == 0
    assert found["sections"]["zsl"] > 0
    assert found["rows"] == 22
    assert "report" not in found
    assert sorted(p.name for p in target.parent.iterdir()) == ["plots", "results.md"]
    assert [p.name for p in (target.parent / "plots").iterdir()] == ["zsl-cub-paper.svg"]


def test_markdown_alone_may_have_its_end_in_capitals(folder, run, tmp_path):
    target = tmp_path / "docs" / "RESULTS.MD"
    target.parent.mkdir()
    code, _, err = run("report", folder, "--out", target, "--plots", 0)
    assert (code, err) == (0, "")
    assert target.read_text().startswith("# ")
    assert list(target.parent.iterdir()) == [target]


def test_a_file_in_the_place_of_the_plots_is_told_before_anything_is_written(folder, run):
    (folder / "plots").write_text("mine")
    before = sorted(folder.iterdir())
    code, _, err = run("report", folder)
    assert code == 2
    assert f"{folder / 'plots'} is a file; " in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "broken", [{"annotated": "five"}, {"seed": None}, {"method": ["rpl"]}, {"data": 3}]
)
def test_what_is_no_row_is_left_out(tmp_path, run, broken):
    rows = contest("zsl", (5,), seeds=2)
    folder = write(tmp_path / "rows", [*rows, {**rows[0], **broken}])
    code, out, _ = run("report", folder, "--json", "--out", tmp_path / "results.md")
    assert (code, json.loads(out)["rows"]) == (0, len(rows))


def test_wrong_folders_are_one_line(run, tmp_path):
    code, out, err = run("report", tmp_path / "nothing")
    assert (code, out) == (2, "")
    assert re.fullmatch(r"error: .*nothing: no such folder; give the one .*\n", err)
    (tmp_path / "empty").mkdir()
    code, _, err = run("report", tmp_path / "empty")
    assert code == 2
    assert "no rows of a benchmark in it; write some into a folder of their own with" in err
    # Rows do not belong among somebody's data.
    assert f"--out {tmp_path}" not in err
    folder = write(tmp_path / "rows", contest("zsl", (5,)))
    code, _, err = run("report", folder, "--out", tmp_path / "no" / "where.html")
    assert code == 2
    assert "make it first" in err


def test_the_report_never_replaces_the_rows(run, folder, tmp_path):
    before = (folder / "zsl.jsonl").read_bytes()
    (tmp_path / "link.html").symlink_to(folder / "zsl.jsonl")
    for out in (folder / "zsl.jsonl", tmp_path / "link.html"):
        code, _, err = run("report", folder, "--out", out)
        assert code == 2
        assert "would replace the rows of a benchmark" in err
    assert (folder / "zsl.jsonl").read_bytes() == before
    code, _, err = run("report", folder, "--out", tmp_path / "tables.tex", "--latex")
    assert code == 2
    assert "--out and --latex name one file" in err
