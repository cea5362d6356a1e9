"""What is printed, on whatever it is printed."""

import contextlib
import io
import json
import sys

import numpy as np
import pytest
from typer.main import get_command

from sapwood.cli import main
from sapwood.cli.app import app


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


def test_lines_for_programs_end_where_their_text_does(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path))
    _, out, _ = run("data", "info", "cub")
    lines = out.splitlines()
    assert max(map(len, lines)) > 200
    assert [line for line in lines if line != line.rstrip()] == []


def test_help_breaks_no_line_inside_a_paragraph(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run("bench", "--help")
    assert " the folder already are not found again" in out
    program = get_command(app)
    every = [*program.commands.values(), *program.commands["data"].commands.values()]
    for command in every:
        assert all("\n" not in part for part in command.help.split("\n\n")), command.name
