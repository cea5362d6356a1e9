"""The rows that are committed, and the commands that the report gives for them."""

import shlex
from pathlib import Path

import pytest

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import Asked
from sapwood.benchmark.jobs import plan
from sapwood.report.bench import read_results, write_report
from sapwood.report.bench.sections.reproduce import CASE, commands

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


def planned(command):
    """Return what a command of the report would run: a case and a method each."""
    _, _, bench, *options = shlex.split(command)
    given = {
        name: tuple(text.split(",")) for name, text in zip(options[::2], options[1::2], strict=True)
    }
    asked = Asked(
        given["--data"],
        splits=given["--split"],
        annotated=tuple(map(int, given.get("--annotated", ()))) or None,
        seeds=int(given["--seeds"][0]),
        methods=given.get("--methods"),
    )
    for job in plan([BENCHES[bench]], asked):
        case = tuple(getattr(job.case, name) for name in CASE)
        yield from ((*case, method) for method in job.methods)


@pytest.mark.usefixtures("shared_data")
def test_the_commands_of_the_report_give_just_its_rows():
    results = read_results(RESULTS)
    rows = [row for row in results.rows + results.skipped if row["bench"] in BENCHES]
    there = {(*(row[name] for name in CASE), row["method"]) for row in rows}
    assert len(there) > 7000
    assert {one for command in commands(rows, "out") for one in planned(command)} == there


def test_the_report_in_the_documentation_is_that_of_the_rows(tmp_path, monkeypatch):
    """Run `make docs-tables` where it is not."""
    monkeypatch.chdir(RESULTS.parents[1])
    write_report(Path("benchmarks/results"), tmp_path / "results.md", plots=3)
    told = Path("docs/results.md").read_text(encoding="utf-8")
    assert (tmp_path / "results.md").read_text(encoding="utf-8") == told
