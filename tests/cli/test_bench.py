"""``sapwood bench``: options, errors, resuming, plugins, Ctrl-C."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import sapwood
from sapwood.benchmark import Case, datasets, methods, plugins, read_rows
from sapwood.benchmark.benches import BENCHES
from sapwood.benchmark.cases import IDENTITY
from sapwood.cli.bench import NAMES
from sapwood.report.bench.sections.reproduce import commands

DOCS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


@pytest.fixture(autouse=True)
def _own_names(monkeypatch):
    """What plugins register is forgotten after each test."""
    for module, name in (
        (datasets, "_data"),
        (datasets, "_web"),
        (methods, "_own"),
        (plugins, "_ran"),
    ):
        monkeypatch.setattr(module, name, {})
    yield
    datasets.get_data.cache_clear()
    datasets.get_web.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zsll"], "did you mean 'zsl'"),
        (["zsl", "--data", "absent"], "absent: no such file"),
        (["zsl", "--data", "{data}", "--split", "propsed"], "split 'propsed'"),
        (["zsl", "--data", "{data}", "--methods", "rpl9"], "--methods rpl9: no such method"),
        (["zsl", "--data", "{data}", "--annotated", "500"], "--annotated 500: the largest seen"),
        (["zsl", "--data", "{data}", "--annotated", "x"], "--annotated x: not a number"),
        (["zsl", "--data", "{data}", "--preset", "papre"], "--preset papre"),
        (["zsl", "--data", "{data}", "--out", "{data}"], "is a file"),
        (["zsl", "--data", "{data}", "--plugin", "absent.py"], "no such file"),
        (["external", "--data", "{data}"], "nothing to run"),
        (["external", "--data", "{data}", "--web", "absent"], "absent"),
        (["external", "--data", "demo", "--split", "proposed"], "nothing to run"),
    ],
)
def test_the_users_mistakes_are_one_line_and_exit_with_2(
    run, data_file, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("bench", *(a.format(data=data_file) for a in arguments))
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert out == ""
    assert not Path("sapwood-bench").exists()


def test_rows_are_found_once_and_the_summary_is_for_programs(run, data_file, tmp_path):
    out = tmp_path / "out"
    asked = ["bench", "zsl", "--data", data_file, "--annotated", "2,3", "--seeds", 1, "--out", out]
    code, said, _ = run(*asked, "--methods", "sapwood", "--methods", "sapwood-annotated", "--json")
    assert code == 0
    files = [str(out / "zsl.jsonl")]
    told = {"wanted": 4, "found": 0, "added": 4, "skipped": [], "files": files}
    assert json.loads(said) == told
    code, said, err = run(*asked, "--methods", "sapwood-annotated,sapwood-paper", "--json")
    assert (json.loads(said)["found"], json.loads(said)["added"]) == (2, 2)
    assert "resuming: 2 of 4 rows found" in err
    code, said, _ = run(*asked, "--methods", "sapwood")
    assert said.splitlines() == [
        f"2 rows were asked for, and are in {files[0]}",
        f"Next: sapwood report {out}",
    ]
    rows = read_rows(out / "zsl.jsonl")
    assert {(row["data"], row["split"], row["annotated"]) for row in rows} == {
        ("birds", "paper", 2),
        ("birds", "paper", 3),
    }
    assert run("report", out)[0] == 0
    assert f"sapwood bench zsl --data {data_file} --split paper" in (out / "report.md").read_text()


def test_what_was_skipped_is_told_in_the_end(run, data_file, tmp_path):
    plugin = tmp_path / "refusing.py"
    plugin.write_text(
        "from sapwood.benchmark import register_method\n"
        "from sapwood.errors import InputError\n"
        "class Refusing:\n"
        "    def fit(self, X, y, *, class_attributes):\n"
        "        raise InputError('too few images')\n"
        "register_method('refusing', Refusing)\n"
    )
    asked = ["--data", data_file, "--annotated", 2, "--plugin", plugin, "--out", tmp_path / "out"]
    asked += ["--methods", "refusing,sapwood-annotated", "--seeds", 2]
    code, said, _ = run("bench", "zsl", *asked)
    assert code == 0
    assert "2 of them were skipped; the first: refusing: too few images" in said.splitlines()


def test_the_help_names_every_benchmark():
    assert tuple(BENCHES) == NAMES
    assert [name for name in NAMES if BENCHES[name].hidden] == list(NAMES[-2:])


@pytest.fixture
def planned(run, monkeypatch):
    """The rows that a command would find."""

    def planned(*arguments):
        jobs = []
        none = {"wanted": 0, "found": 0, "added": 0, "skipped": [], "files": []}
        monkeypatch.setattr(
            "sapwood.benchmark.run.run_jobs", lambda todo, *rest: jobs.extend(todo) or none
        )
        code, _, err = run(*arguments)
        assert code == 0, err
        return [job.row(method) for job in jobs for method in job.methods]

    return planned


def some_rows(K, seeds, methods, bench="zsl", data="demo"):
    return [
        {**Case(bench, data, "paper", K, seed, True).told(), "method": method}
        for seed in range(seeds)
        for method in methods
    ]


@pytest.mark.parametrize(
    "rows",
    [
        some_rows(2, 1, methods.known_methods()),
        some_rows(2, 2, ["sapwood", "rpl"]) + some_rows(2, 1, ["sse"]) + some_rows(5, 1, ["rpl"]),
        some_rows(2, 1, BENCHES["ablation"].methods(None), "ablation"),
    ],
)
def test_the_commands_of_a_report_give_its_rows_and_no_others(planned, rows):
    def key(row):
        return [str(row[name]) for name in IDENTITY]

    found = [
        one for command in commands(rows, "my folder") for one in planned(*shlex.split(command)[1:])
    ]
    assert sorted(map(key, found)) == sorted(map(key, rows))


def test_two_plugins_may_have_one_file_name(planned, data_file, tmp_path):
    files = [tmp_path / "a" / "mine.py", tmp_path / "b" / "mine.py"]
    for file in files:
        file.parent.mkdir()
        file.write_text(
            "from sapwood.benchmark import register_method\n"
            f"register_method('of-{file.parent.name}', list)\n"
        )
    asked = ["bench", "zsl", "--data", data_file, "--annotated", 2, "--seeds", 1]
    both = ["--methods", "of-a,of-b"]
    for given in (
        ["--plugin", files[0], "--plugin", files[1]],
        ["--plugin", f"{files[0]},{files[1]}"],
    ):
        rows = planned(*asked, *both, *given)
        assert [row["method"] for row in rows] == ["of-a", "of-b"]


def test_data_that_is_named_needs_no_other(planned, data_file, monkeypatch):
    def refuse():
        raise PermissionError("somebody else's folder")

    monkeypatch.setattr(datasets, "data_at_hand", refuse)
    assert planned("bench", "zsl", "--data", data_file, "--methods", "sapwood")


@pytest.mark.parametrize(("name", "shown"), [("zsl", True), ("suggest", False)])
def test_only_what_the_report_shows_is_sent_there(planned, run, data_file, tmp_path, name, shown):
    planned("bench", name, "--data", data_file)
    _, said, _ = run("bench", name, "--data", data_file, "--out", tmp_path / "my out")
    assert (said.splitlines()[-1] == f"Next: sapwood report '{tmp_path / 'my out'}'") == shown


@pytest.fixture
def found(run, monkeypatch, tmp_path):
    """Rows found and added by a command in a process of its own, or what it says."""

    def found(name, *asked):
        for forgotten in ("_data", "_web"):
            monkeypatch.setattr(datasets, forgotten, {})
        datasets.get_data.cache_clear()
        datasets.get_web.cache_clear()
        few = ["--annotated", 2, "--seeds", 1, "--methods", "rpl0", "--quick"]
        code, said, err = run("bench", name, *asked, *few, "--out", tmp_path / "out", "--json")
        return err if code == 2 else (json.loads(said)["found"], json.loads(said)["added"])

    return found


def test_another_file_of_the_same_name_is_not_taken_for_the_first(found, data_file, tmp_path):
    other = tmp_path / "other" / "birds.npz"
    other.parent.mkdir()
    with np.load(data_file) as arrays:
        np.savez_compressed(other, **arrays)
        same, changed = found("zsl", "--data", data_file), {**arrays}
    assert (same, found("zsl", "--data", other)) == ((0, 1), (1, 0))
    np.savez(other, **{**changed, "features": changed["features"] ** 2})
    said = found("zsl", "--data", other)
    assert f"rows of birds that were found with other data than --data {other} has now;" in said
    assert "choose another --out" in said
    assert len(said.splitlines()) == 1


def test_other_web_images_are_not_taken_for_the_first(found, data_file, tmp_path):
    with np.load(data_file) as arrays:
        X = arrays["features"]
    for name, images in (("web", X[:9]), ("same", X[:9]), ("photos", X[:8])):
        np.savez(tmp_path / f"{name}.npz", features=images)
    asked = ["external", "--data", data_file, "--web"]
    assert found(*asked, tmp_path / "web.npz") == (0, 1)
    assert found(*asked, tmp_path / "same.npz") == (1, 0)
    photos = tmp_path / "photos.npz"
    assert f"found with other images than --web {photos} has now; choose" in found(*asked, photos)


def test_an_edited_split_file_is_not_taken_for_the_first(found, data_file, tmp_path):
    split, another = tmp_path / "unseen.txt", tmp_path / "another.txt"
    split.write_text("bird g\nbird h\n", encoding="utf-8")
    another.write_text("bird a\nbird h\n", encoding="utf-8")
    asked = ["zsl", "--data", data_file, "--split"]
    assert (found(*asked, split), found(*asked, another)) == ((0, 1), (0, 1))
    split.write_text("bird a\nbird b\n", encoding="utf-8")
    edited = f"another content than --split {split} has now"
    assert f"birds that were found with {edited}; choose" in found(*asked, split)
    assert found(*asked, another) == (1, 0)
    with np.load(data_file) as arrays:
        np.savez(data_file, **{**arrays, "features": arrays["features"] ** 2})
    both = f"found with other data than --data {data_file} has now, and {edited}; choose"
    assert both in found(*asked, split)


def test_a_folder_may_have_brackets_in_its_name(run, data_file, tmp_path):
    asked = ["bench", "zsl", "--data", data_file, "--annotated", 2, "--seeds", 1]
    for _ in range(2):
        code, _, err = run(*asked, "--methods", "sapwood", "--out", tmp_path / "q[/b]")
        assert code == 0, err
    assert f"rows found in {tmp_path / 'q[/b]'}" in err


def test_a_preset_can_be_asked_for(run, data_file, tmp_path):
    asked = ["bench", "zsl", "--data", data_file, "--annotated", 2, "--seeds", 1]
    names = "sapwood,sapwood-paper,sapwood-annotated"
    run(*asked, "--methods", names, "--preset", "paper", "--out", tmp_path / "out")
    assert [row["method"] for row in read_rows(tmp_path / "out" / "zsl.jsonl")] == ["sapwood-paper"]


def plugin_of_the_page():
    """The example in the documentation."""
    return re.search(r"```py\n(# my_method\.py\n.*?)```", DOCS.read_text(), re.DOTALL).group(1)


def test_the_plugin_of_the_documentation_works_also_in_other_processes(run, data_file, tmp_path):
    plugin = tmp_path / "my_method.py"
    plugin.write_text(plugin_of_the_page(), encoding="utf-8")
    assert len(plugin_of_the_page().strip().splitlines()) <= 25
    asked = ["--data", data_file, "--annotated", 2, "--seeds", 2, "--methods", "mine,sapwood"]
    code, said, err = run(
        "bench", "zsl", *asked, "--plugin", plugin, "--jobs", 2, "--out", tmp_path / "out", "--json"
    )
    assert (code, json.loads(said)["added"]) == (0, 4), err
    rows = read_rows(tmp_path / "out" / "zsl.jsonl")
    found = {(row["method"], row["seed"]) for row in rows}
    assert found == {(method, seed) for method in ("mine", "sapwood") for seed in (0, 1)}
    needed = {row["method"]: row.get("plugins") for row in rows}
    assert needed == {"mine": [str(plugin)], "sapwood": None}


def test_a_plugin_that_fails_is_the_users(run, data_file, tmp_path):
    plugin = tmp_path / "broken_plugin.py"
    plugin.write_text("import nothing_of_this_name")
    code, _, err = run("bench", "zsl", "--data", data_file, "--plugin", plugin)
    assert code == 2
    assert "ModuleNotFoundError" in err


SLEEPING = """
import time
from pathlib import Path
from sapwood.benchmark import register_method

class Sleeping:
    def fit(self, X, y, *, class_attributes):
        Path(__file__).with_name("begun").touch()
        time.sleep(60)

register_method("sleeping", Sleeping)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_one_line_and_130(data_file, tmp_path, jobs):
    plugin, begun = tmp_path / "sleeping.py", tmp_path / "begun"
    plugin.write_text(SLEEPING, encoding="utf-8")
    asked = ["zsl", "--data", str(data_file), "--annotated", "2", "--methods", "sleeping"]
    where = ["--plugin", str(plugin), "--out", str(tmp_path / "out"), "--jobs", str(jobs)]
    command = subprocess.Popen(
        [sys.executable, "-m", "sapwood", "bench", *asked, *where],
        env={**os.environ, "PYTHONPATH": str(Path(sapwood.__file__).parents[1])},
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, Ctrl-C is ignored by what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    limit = time.monotonic() + 60
    while not begun.exists():
        assert time.monotonic() < limit
        time.sleep(0.02)
    command.send_signal(signal.SIGINT)
    _, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1] == (
        "stopped after 0 of 5 cases; run it again for the others"
    )
