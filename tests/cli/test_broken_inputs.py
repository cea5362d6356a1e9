"""Every broken input that the loaders know ends the command with one line and exit code 2."""

import re

import pytest

from sapwood.cli import main
from tests.data.broken_inputs import BROKEN


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_one_line_and_exit_code_2(case, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path / "nowhere"))
    given = case.write(tmp_path)
    arguments = ["fit", str(given.source), "--out", str(tmp_path / "m.sap"), "--quiet"]
    if given.attributes is not None:
        arguments += ["--attributes", given.attributes]
    if given.split is not None:
        arguments += ["--split", str(given.split)]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert stop.value.code == 2
    assert len(lines) == 1
    message = case.message.replace("{}", re.escape(str(tmp_path)))
    assert re.match(message, lines[0].removeprefix("error: ")), lines[0]
    assert not (tmp_path / "m.sap").exists()
