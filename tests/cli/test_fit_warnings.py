"""``sapwood fit`` repeats what ``sapwood data check`` warns of, less what is often meant."""

import json

import numpy as np
import pytest


@pytest.fixture
def odd(data_file, tmp_path):
    """A data set with an identifier among its features, and two classes described alike."""
    with np.load(data_file) as arrays:
        content = dict(arrays)
    ids = 1000 + np.arange(len(content["features"]), dtype=np.float32)
    content["features"] = np.column_stack([ids, content["features"]])
    content["attributes"][7] = content["attributes"][6]
    np.savez(tmp_path / "odd.npz", **content)
    return tmp_path / "odd.npz"


def test_the_warnings_of_data_check_are_notes(run, odd, tmp_path):
    checked = run("data", "check", odd)[1].splitlines()
    _, _, err = run("fit", odd, "--out", tmp_path / "m.sap")
    notes = [line for line in err.splitlines() if line.startswith(f"note: {odd}: ")]
    assert [line.removeprefix("note: ") for line in notes] == checked[: len(notes)]
    assert "column 0 looks like an identifier" in notes[0]
    assert "same row for another class as for 'bird g'" in notes[1]
    assert run("fit", odd, "--out", tmp_path / "m.sap", "-q")[2] == ""


def test_programs_are_told_with_or_without_notes(run, odd, tmp_path):
    for more in ([], ["-q"]):
        _, out, _ = run("fit", odd, "--out", tmp_path / "m.sap", "--json", *more)
        told = json.loads(out)["warnings"]
        assert [one["where"] for one in told] == [f"{odd}: features", f"{odd}: attributes"]
        assert {one["severity"] for one in told} == {"warning"}


def test_what_is_often_meant_is_left_to_data_check(run, data_file, tmp_path):
    with np.load(data_file) as arrays:
        content = dict(arrays)
    content["labels"][content["labels"] >= 6] = -1
    content["image_files"][1] = content["image_files"][0]
    np.savez(tmp_path / "plain.npz", **content)
    assert "no annotated image of" in run("data", "check", tmp_path / "plain.npz")[1]
    code, out, _ = run("fit", tmp_path / "plain.npz", "--out", tmp_path / "m.sap", "--json")
    assert (code, json.loads(out)["warnings"]) == (0, [])
