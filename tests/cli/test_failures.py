"""What happens when something goes wrong: exit codes, kills, interrupts, odd names."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest


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
        (["evaluate", "{data}", "{data}"], "models come first"),
        (["predict", "absent.sap", "{data}"], "absent.sap"),
        (["fitt"], "fitt"),
    ],
)
def test_the_users_mistakes_exit_with_2(run, data_file, monkeypatch, arguments, message):
    monkeypatch.chdir(data_file.parent)
    code, _, err = run(*(a.format(data=data_file) for a in arguments))
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_our_mistakes_exit_with_1(run, model_file, data_file, monkeypatch):
    def bug(*args, **kwargs):
        raise ValueError("operands could not be broadcast")

    monkeypatch.setattr("sapwood.models.sap.prototype_scores", bug)
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


def test_the_reader_of_a_pipe_may_leave_early(model_file, data_file):
    command = f"{sys.executable} -m sapwood predict {model_file} {data_file} --json | head -c 10"
    run = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr.replace("prediction ...\n", "")) == (0, "")


def test_an_input_is_never_overwritten(run, data_file, model_file):
    before = data_file.read_bytes()
    assert run("fit", data_file, "--out", data_file)[0] == 2
    assert run("predict", model_file, data_file, "--out", data_file)[0] == 2
    assert run("predict", model_file, data_file, "--out", model_file)[0] == 2
    assert data_file.read_bytes() == before


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
    _, _, err = run("fit", data_file, "--annotated", 999, "--out", tmp_path / "m.sap", "-q")
    assert err == "note: 6 seen classes have fewer than 999 images to annotate\n"


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
    code, _, err = run("fit", path, "--out", tmp_path / "m.sap", "--quiet")
    assert code == 0
    assert err.startswith("note: class_attributes has 1 missing values")
    assert len(err.splitlines()) == 1
