"""Studies, costs, settings and commands on the page of benchmarks."""

import pytest

from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import Case
from sapwood.errors import InputError
from sapwood.models.parameters import PRESETS
from sapwood.report.bench import bench_page, read_results
from sapwood.report.bench.sections.reproduce import commands
from tests.report.bench_pages import page_of, row_of, section, tables, words
from tests.report.bench_rows import contest, row, write


def test_studies_tell_what_each_part_gains(page):
    assert "SAP-I + BPL against BPL (± standard error): K = 1: +2.0 ± 0.0" in words(
        page, "ablation"
    )
    assert "Single L1 against No L1 (± standard error): K = 1: −1.0" in words(page, "propagation")
    ranges = {tuple(cells[:2]): cells[2:] for cells in tables(page, "sensitivity")[0]["rows"]}
    printed = "CUB, the paper's split, as printed in the paper"
    assert ranges[printed, "k_g"] == ["5", "30.1 at 100", "36.1 at 500", "6.0", "yes"]
    assert ranges[printed, "λ1"][3:] == ["0.2", "no"]
    assert f"{printed}: insensitive to λ1; sensitive to k_g." in words(page, "sensitivity")
    panels = [b for b in section(page, "sensitivity")["blocks"] if b["kind"] == "figures"]
    assert [len(block["items"]) for block in panels] == [2, 1]
    assert all("default" in item["svg"] for block in panels for item in block["items"])


def test_convergence_is_held_against_the_paper(page):
    rows = {cells[0]: cells[1:] for cells in tables(page, "convergence")[0]["rows"]}
    start = "CUB, the paper's split, "
    assert rows[start + "as printed in the paper"] == [
        "5",
        "1",
        "10",
        "5",
        "more than 10",
        "1 of 1",
        "27.8 → 30.0",
    ]
    run_on = rows[start + "the default's rounds, run on"]
    assert run_on[:-1] == ["5", "1", "10", "more than 10", "–", "0 of 1"]
    held, not_held = section(page, "convergence")["text"][1:]
    assert held == f"It holds in every fit: {start}as printed in the paper, K = 5."
    assert not_held == f"It does not hold: {start}the default's rounds, run on, K = 5."
    assert page["facts"][-1]["value"] == "1 of 1"


def test_rows_from_before_a_setting_of_the_default_are_told():
    today = contest("zsl", (5,), seeds=2)
    ours = [one for one in today if one["method"] == "sapwood"]
    for one in ours:
        one.update(preset="robust", parameters=dict(PRESETS["robust"]))
    assert "older than" not in words(page_of(today), "zsl")
    for one in ours:
        del one["parameters"]["error_whitening"]
    del ours[0]["parameters"]["remoteness"]
    told = words(page_of(today), "zsl")
    assert "error_whitening in 2 of 2 (CUB, the paper's split); remoteness in 1 of 2 (CUB" in told


def test_cost_is_a_ratio_to_rpl(page):
    table = tables(page, "cost")[0]
    assert table["rows"][0][:2] == ["rpl", "1.00"]
    assert table["rows"][row_of(table, "sapwood")][1:] == ["2.50", "0.50", "2.00", "50.0"]


def test_times_of_other_machines_are_not_compared():
    rows = contest("zsl", (5,), seeds=2)
    for one in rows:
        one["cpu"] = "another" if one["method"] == "sapwood" else "A processor"
    table = tables(page_of(rows), "cost")[0]
    assert table["rows"][row_of(table, "sapwood")][1:3] == ["–", "0.50"]


def test_features_are_those_that_somebody_told(tmp_path):
    folder = write(tmp_path, contest("zsl", (5,), seeds=2))
    (folder / "features.json").write_text('{"cub": "ResNet-101, finetuned"}')
    compared = tables(bench_page(read_results(folder)), "paper")[0]
    assert any(cells[3].startswith("ResNet-101, finetuned, 1280") for cells in compared["rows"])
    (folder / "features.json").write_text('["ResNet-101"]')
    with pytest.raises(InputError, match="names and words"):
        read_results(folder)
    (folder / "features.json").write_text("{")
    with pytest.raises(InputError, match=r"features\.json: not JSON"):
        read_results(folder)


def test_settings_commands_and_reasons(page):
    table = tables(page, "parameters")[0]
    assert table["rows"][row_of(table, "rpl")][1:] == ["chosen", "ridge 1 (6), 10 (4)", "10"]
    (skipped,) = tables(page, "skipped")
    assert skipped["rows"] == [
        ["rn", "zsl", "CUB, the paper's split", "5", "1", "torch is not installed"]
    ]
    code = section(page, "reproduce")["blocks"][0]["lines"]
    assert any(
        line.startswith("sapwood bench external --data cub --split drawn --annotated 1,5 --seeds 5")
        for line in code
    )
    assert "A processor" in words(page, "reproduce")


def test_the_usual_methods_need_not_be_named():
    usual = BENCHES["ablation"].methods(Case("ablation", "cub", "paper", 5, 0))
    rows = [row("ablation", method, 5, 0, accuracy=0.5) for method in usual]
    (command,) = commands(rows, "out")
    assert "--methods" not in command
    assert "--methods" in commands(rows[:1], "out")[0]
    every = [m for m in BENCHES["zsl"].methods(Case("zsl", "cub", "paper", 5, 0)) if m != "mine"]
    assert "--methods" not in commands([row("zsl", m, 5, 0) for m in every], "out")[0]
    fresh = [row("zsl", method, 5, 0, "cub", "fresh") for method in every]
    assert "rn" in commands(fresh, "out")[0].split("--methods")[1]
    own = [*rows, row("ablation", "mine", 5, 0, accuracy=0.5)]
    assert commands(own, "out")[0].endswith("mine --plugin FILE.py --out out")


def test_commands_name_the_plugins_that_rows_were_found_with():
    rows = [row("zsl", "sapwood", 5, 0, "world-21", plugins=["benchmarks/worlds.py"])]
    assert "--plugin benchmarks/worlds.py --out" in commands(rows, "out")[0]


def test_commands_are_ones_that_the_program_takes():
    begun_with_none = [row("suggest", "suggested", K, 0, accuracy=0.5) for K in (0, 1)]
    (command,) = commands(begun_with_none, "out")
    assert "--annotated" not in command
    assert commands([row("text", "words", 1, 0, accuracy=0.5)], "out") == []


def test_commands_name_the_unlabelled_images_of_data_that_comes_with_none():
    for data, named in (("cub", False), ("demo", False), ("birds", True)):
        (command,) = commands([row("external", "sapwood", 5, 0, f"{data}+web", "drawn")], "out")
        assert f"--data {data} --split drawn" in command
        assert ("--web FILE" in command) == named
    assert "--web" not in commands([row("zsl", "sapwood", 5, 0, "birds")], "out")[0]
