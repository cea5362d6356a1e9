"""What happens when something goes wrong: exit codes, kills, interrupts, odd names."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from sapwood.cli.targets import check_targets
from sapwood.errors import InputError
from sapwood.models.files import write_model
from sapwood.report import write_page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "absent.npz", "--out", "m.sap"], "absent.npz"),
        (["fit", "{data}", "--out", "."], "is a folder"),
        (["fit", "{data}", "--out", "no/such/m.sap"], "there is no folder"),
        (["fit", "{data}"], "--out"),
        (["fit", "{data}", "--out", "m.sap", "--annotated", "0"], "--annotated"),
        (["fit", "{data}", "--out", "m.sap", "--split", "propsed"], "did you mean 'proposed'"),
        (["fit", "{data}", "--out", "m.sap", "--holdout", "1.5"], "1.5"),
        (["fit", "{data}", "--out", "m.sap", "--preset", "robus"], "did you mean 'robust'"),
        (["evaluate", "{data}", "{data}"], "and no model; the model comes first"),
        (["predict", "web.csv", "m.sap"], "web.csv is a table or an archive of arrays, and no"),
        (["explain", "web.csv", "m.sap"], "the model comes first, then the images or the data"),
        (["suggest", "web.csv", "m.sap"], "the model comes first, then the images or the data"),
        (["predict", "absent.sap", "{data}"], "absent.sap"),
        (["fitt"], "fitt"),
    ],
)
def test_the_users_mistakes_exit_with_2(run, data_file, monkeypatch, arguments, message):
    monkeypatch.chdir(data_file.parent)
    (data_file.parent / "web.csv").write_text("image,f1\na.jpg,1\n")
    code, _, err = run(*(a.format(data=data_file) for a in arguments))
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_our_mistakes_exit_with_1(run, model_file, data_file, monkeypatch):
    def bug(*args, **kwargs):
        raise ValueError("operands could not be broadcast")

    monkeypatch.setattr("sapwood.models.sap.compared_scores", bug)
    code, _, err = run("evaluate", model_file, data_file)
    assert code == 1
    assert "this is a mistake in sapwood" in err
    assert "Traceback" not in err
    code, _, err = run("evaluate", model_file, data_file, "--debug")
    assert code == 1
    assert "Traceback" in err


KILLED = """
import os, signal, sys
from sapwood.cli import main
from sapwood.cli.demo import SHARES

real = os.replace

def die(*arguments):
    if sys.argv[1] == "after":
        real(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

os.replace = die
main(["fit", *sys.argv[2:]])
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_kill_9_while_fit_writes_leaves_the_old_model_or_the_new_one(
    run, model_file, data_file, moment
):
    options = [str(data_file), "--annotated", "1", "--out", str(model_file), "--quiet"]
    old = model_file.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, moment, *options], check=False)
    assert killed.returncode == -signal.SIGKILL
    left = model_file.read_bytes()
    code, _, _ = run("fit", *options)
    assert code == 0
    assert left == (old if moment == "before" else model_file.read_bytes())
    assert old != model_file.read_bytes()


def test_ctrl_c_leaves_no_file_and_says_so(tmp_path, draw_world):
    world = draw_world(n=6000, d=500)
    path, out = tmp_path / "big.npz", tmp_path / "m.sap"
    np.savez(path, features=world.X, labels=world.labels, attributes=world.Z)
    command = [sys.executable, "-m", "sapwood", "fit", str(path), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "features ...\n"
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert process.returncode == 130
    assert "error: interrupted" in err
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == ["big.npz"]


#: The first library that the commands need is one whose import the user interrupts.
EARLY = """
import sys
from sapwood.cli import main

class Impatient:
    def find_spec(self, name, *rest):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
main(["--version"])
"""


def test_ctrl_c_before_the_program_is_loaded_is_no_traceback_either():
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr == "error: interrupted before anything began\n"


@pytest.mark.parametrize("asked", ["predict {} {} --json", "suggest --help"])
def test_the_reader_of_a_pipe_may_leave_early(model_file, data_file, asked):
    command = f"{sys.executable} -m sapwood {asked.format(model_file, data_file)} | head -c 10"
    run = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr.replace("prediction ...\n", "")) == (0, "")


@pytest.fixture
def inputs(tmp_path):
    """Files that commands read; most are in one folder, which is a data set as well."""
    folder, apart = tmp_path / "own", {"data": tmp_path / "d.npz", "model": tmp_path / "m.sap"}
    folder.mkdir()
    named = "features.csv annotations.csv attributes.csv web.npz unseen.txt said.csv v.vec tags.csv"
    for path in [*apart.values(), *(folder / name for name in (*named.split(), "e.csv", "p.jpg"))]:
        path.write_text("precious")
    return {**apart, "own": folder}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("fit {data} --out {data}", "is the file to be read"),
        ("fit {data} --out {own}/../d.npz", "is the file to be read"),
        ("fit {data} --unlabelled {own}/web.npz --out {own}/web.npz", "is the file to be read"),
        ("fit {data} --split {own}/unseen.txt --out {own}/unseen.txt", "is the file to be read"),
        ("fit {data} --descriptions {own}/said.csv --out {own}/said.csv", "is the file to be read"),
        ("fit {data} --encoder {own}/v.vec --out {own}/v.vec", "is the file to be read"),
        ("fit {own} --features e.csv --out {own}/e.csv", "is the file to be read"),
        ("fit {own} --out {own}/features.csv", "may be a part of"),
        ("fit {own} --out {own}/attributes.npz", "may be a part of"),
        ("fit {own} --out {own}/p.jpg", "may be a part of"),
        ("fit {data} --out {own}/new --usage {own}/new", "--out and --usage name one file"),
        ("fit {data} --out {own}/new --usage {own}/../own/new", "--out and --usage name one file"),
        ("predict {model} {data} --out {data}", "is the file to be read"),
        ("predict {model} {data} --out {model}", "is the file to be read"),
        ("predict {model} {data} --describe {own}/said.csv --out {own}/said.csv", "to be read"),
        ("annotate {data} --out {own}/new --save {own}/new", "--out and --save name one file"),
        ("refine {data} --out {own}/a --save {own}/z --page {own}/z", "--page and --save name one"),
        ("refine {data} --tags {own}/tags.csv --page {own}/tags.csv", "is the file to be read"),
    ],
)
def test_no_input_and_no_other_output_is_overwritten(run, inputs, arguments, message):
    files = [path for path in inputs["own"].parent.rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    code, _, err = run(*(part.format(**inputs) for part in arguments.split()))
    assert code == 2
    assert message in err
    assert {path: path.read_bytes() for path in files} == before
    assert not (inputs["own"] / "new").exists()


@pytest.mark.parametrize(
    ("command", "option", "name", "message"),
    [
        ("fit {data}", "--out", "e.csv", "was not written as a SparseAttributePropagation by"),
        ("fit {data} --out {own}/new", "--usage", "e.csv", "was not written as a table or a page"),
        ("predict {model} {data}", "--out", "e.csv", "was not written as a table or a page"),
        ("suggest {model} {data}", "--out", "e.csv", "was not written as a table or a page"),
        ("explain {model} {data}", "--out", "e.csv", "was not written as a table or a page"),
        ("refine {data}", "--save", "r.tags", "holds a SocialImageAnnotator"),
        ("annotate {data}", "--save", "e.csv", "was not written as a SocialImageAnnotator"),
        ("refine {data}", "--page", "r.tags", "holds a SocialImageAnnotator"),
        ("report {own}", "--out", "notes.md", "was not written as a table or a page"),
    ],
)
def test_what_sapwood_did_not_write_is_not_replaced(run, inputs, command, option, name, message):
    elsewhere = inputs["own"].parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "e.csv").write_text("image,class\na.jpg,owl\n")
    (elsewhere / "notes.md").write_text("# How to water plants\n")
    write_model(elsewhere / "r.tags", "SocialImageAnnotator", {})
    target = elsewhere / name
    before = target.read_bytes()
    arguments = command.format(**inputs).split()
    code, _, err = run(*arguments, option, target)
    assert code == 2
    assert f"{option} {target} exists and {message}" in err
    assert "choose another name, or remove it first" in err
    assert target.read_bytes() == before


def test_what_sapwood_wrote_is_replaced(tmp_path):
    kinds = {"--out": "TagRefiner"}
    write_model(tmp_path / "model", "TagRefiner", {})
    check_targets({"--out": tmp_path / "model"}, models=kinds)
    (tmp_path / "empty").touch()
    check_targets({"--out": tmp_path / "empty"}, models=kinds)
    for text in ("image,rank,class,probability,score\n", "image,weight,reason\n",
                 "image,tag,decision,score,rank\n", "\ufeffimage,rank,class\r\n",
                 "<title>Refined tags</title>", "# How sapwood compares\n"):  # fmt: skip
        (tmp_path / "table").write_text(text, encoding="utf-8", newline="")
        check_targets({"--out": tmp_path / "table"})
    write_page({"title": "T", "lead": [], "facts": [], "sections": []}, tmp_path / "page.html")
    check_targets({"--out": tmp_path / "page.html"})


@pytest.mark.parametrize("content", [b"\xff\xd8\xff\x00\r12", b"image,class\ra.jpg,owl\r", b"a"])
def test_any_other_file_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError, match="choose another name, or remove it first"):
        check_targets({"--out": tmp_path / "x"})


def test_the_markdown_beside_a_report_is_not_lost(run, tmp_path):
    row = {"bench": "zsl", "data": "d", "split": "s", "annotated": 1, "seed": 0, "method": "rpl"}
    rows = tmp_path / "rows"
    rows.mkdir()
    (rows / "zsl.jsonl").write_text(json.dumps({**row, "accuracy": 0.5}) + "\n")
    assert run("report", rows)[0] == 0
    assert run("report", rows)[0] == 0
    for notes, more in ((rows / "report.md", ()), (tmp_path / "n.md", ("--out", "n.html"))):
        notes.write_text("my own notes\n")
        code, _, err = run("report", rows, *(tmp_path / m if m == "n.html" else m for m in more))
        assert code == 2
        assert f"the Markdown of --out {notes} exists" in err
        assert notes.read_text() == "my own notes\n"


@pytest.mark.parametrize(
    "name", ["report.html", "data", "data/README.txt", "data/tables/features.csv", "data/web/0.png"]
)
def test_a_demo_replaces_nothing_but_a_demo(run, tmp_path, name):
    own = tmp_path / "out" / name
    own.parent.mkdir(parents=True)
    own.write_text("precious")
    code, out, err = run("demo", "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert f" of --out {tmp_path / 'out'}" in err
    assert "exists and was not written" in err
    assert "or remove it first" in err
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [own]
    assert own.read_text() == "precious"


def test_a_hidden_file_is_in_no_demos_way(run, tmp_path, monkeypatch):
    def told(out, seed, progress):
        raise InputError("the demo began")

    monkeypatch.setattr("sapwood.report.demo.run_demo", told)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ".DS_Store").touch()
    assert "the demo began" in run("demo", "--out", tmp_path)[2]


def test_a_data_set_known_by_its_name_is_not_overwritten(run, data_file, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(data_file.parent))
    code, _, err = run("fit", "birds", "--out", data_file)
    assert code == 2
    assert "is the file to be read" in err


def test_models_and_answers_may_lie_in_the_folder_of_the_data(inputs):
    for name in ("model.sap", "answers.csv", "p.sap"):
        (inputs["own"] / "answers.csv").touch()
        check_targets({"--out": inputs["own"] / name}, inputs["own"])


def test_where_nothing_can_be_written_is_told_before_the_work(run, data_file, tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "absent" / "m.sap")
    for out, message in (("/dev/null", "is a device"), (tmp_path / "dangling", "is no folder")):
        code, _, err = run("fit", data_file, "--out", out)
        assert code == 2
        assert message in err
        assert "features ..." not in err


def test_a_link_to_what_is_not_there_yet_can_be_written(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "m.sap")
    check_targets({"--out": tmp_path / "link"})


def test_names_are_printed_as_they_are(run, tmp_path, world):
    path = tmp_path / "d.npz"
    names = [":dog: [red]", "Tern, Arctic", *"cdefgh"]
    np.savez(path, features=world.X, labels=world.labels, attributes=world.Z, class_names=names)
    run("fit", path, "--out", tmp_path / "m.sap")
    _, out, _ = run("predict", tmp_path / "m.sap", path, "--classes", ":dog: [red]")
    assert ":dog: [red]" in out
    options = ["--classes", "Tern, Arctic", "--classes", "c,d", "--json"]
    code, out, _ = run("predict", tmp_path / "m.sap", path, *options)
    assert code == 0
    assert {row["class"] for row in json.loads(out)} <= {"Tern, Arctic", "c", "d"}


def test_fewer_images_than_asked_for_is_told(run, data_file, tmp_path):
    _, _, err = run("fit", data_file, "--annotated", 999, "--out", tmp_path / "m.sap")
    assert "note: 6 seen classes have fewer than 999 images to annotate\n" in err


def test_the_last_seen_class_may_have_no_image(run, tmp_path, world):
    path = tmp_path / "gap.npz"
    Z = np.vstack([world.Z, world.Z[:1] + 0.01])
    arrays = {"features": world.X, "labels": world.labels, "attributes": Z}
    np.savez(path, **arrays, paper_unseen_classes=[0, 1])
    code, _, err = run("fit", path, "--annotated", 2, "--out", tmp_path / "m.sap")
    assert code == 0, err
    assert "note: 3 seen classes have fewer than 2 images to annotate" in err


def test_progress_goes_to_stderr_and_quiet_means_quiet(run, data_file, tmp_path):
    out = tmp_path / "m.sap"
    _, stdout, _ = run("fit", data_file, "--out", out, "--json")
    json.loads(stdout)
    _, _, err = run("fit", data_file, "--out", out, "--quiet")
    assert err == ""


@pytest.mark.filterwarnings("default")
def test_notes_are_lines_not_tracebacks(run, data_file, tmp_path, world):
    with np.load(data_file) as arrays:
        changed = dict(arrays)
    changed["attributes"][0, 0] = np.nan
    path = tmp_path / "gaps.npz"
    np.savez(path, **changed)
    code, _, err = run("fit", path, "--out", tmp_path / "m.sap")
    assert code == 0
    told = [line for line in err.splitlines() if not line.endswith(" ...")]
    assert len(told) == 1
    assert told[0].startswith("note: class_attributes has 1 missing value in 1 class;")
    assert run("fit", path, "--out", tmp_path / "m.sap", "--quiet")[2] == ""
