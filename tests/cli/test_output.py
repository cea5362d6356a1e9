"""What is printed, on whatever it is printed."""

import contextlib
import io
import json
import sys

import numpy as np
import pytest

from sapwood.cli import main


@pytest.fixture
def told_in(monkeypatch):
    """What a command writes to a stdout of some encoding."""

    def told_in(encoding, *arguments):
        stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stdout)
        with contextlib.suppress(SystemExit):
            main([str(argument) for argument in arguments])
        stdout.flush()
        return stdout.buffer.getvalue().decode(encoding)

    return told_in


@pytest.fixture
def owls(data_file):
    """Data with names that need more than ASCII."""
    with np.load(data_file) as arrays:
        held = {**arrays, "class_names": [f"Käuzchen «{i}» 🦉" for i in range(8)]}
    np.savez(data_file, **held)
    return data_file


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_no_letter_makes_a_command_fail(told_in, owls, tmp_path, capsys, encoding):
    model = tmp_path / "m.sap"
    for command in (
        ["fit", owls, "--annotated", 2, "--out", model],
        ["data", "check", owls],
        ["data", "info", owls],
        ["evaluate", model, owls],
        ["explain", model, owls, "--limit", 1],
        ["predict", model, owls],
        ["bench", "--help"],
    ):
        assert told_in(encoding, *command)
        assert "error:" not in capsys.readouterr().err, command
    assert "\\U0001f989" in told_in(encoding, "explain", model, owls, "--limit", 1)
    said = json.loads(told_in(encoding, "predict", model, owls, "--json"))
    assert {row["class"][-1] for row in said} == {"🦉"}
