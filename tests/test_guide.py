"""The guide runs: every command of docs/your-own-data.md, in its order, on a small demo."""

import importlib.util
import os
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from sapwood.cli import explain, main, suggest
from sapwood.cli.usage import HELD_OUT
from sapwood.data import make_attribute_world, write_attribute_world
from sapwood.models.parts import REASONS, WEIGHTLESS
from sapwood.text import PackagedEncoder

PAGE = Path(__file__).resolve().parent.parent / "docs" / "your-own-data.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)


class StandIn:
    """Counts letters: what stands in for the default encoder where it is not installed."""

    def embed(self, texts):
        return np.array([[text.count(letter) for letter in "abcdefghij"] for text in texts])


def commands(page):
    """Yield each command of the page and what is written after it, up to END."""
    for block in BLOCK.findall(page):
        while block:
            line, _, rest = block.partition("\n")
            text = ""
            if line.endswith("<<'END'"):
                text, _, rest = rest.partition("\nEND\n")
                line = line.removesuffix("<<'END'").strip()
            yield line, text + "\n"
            block = rest


def run(line, text):
    """Do what a shell would do with the commands of a guide."""
    name, *rest = shlex.split(line)
    if line == "sapwood demo --out sapwood-demo":
        world = make_attribute_world(seen=12, unseen=4, per_class=8, web=1, size=32)
        write_attribute_world(world, "sapwood-demo/data")
    elif name == "sapwood":
        with pytest.raises(SystemExit) as stop:
            main([*rest])
        assert not stop.value.code, line
    elif name == "python":
        exec(compile(text, line, "exec"), {"__name__": "__main__"})
    elif name == "cat":
        Path(rest[-1]).write_text(text)
    elif name == "mkdir":
        Path(rest[-1]).mkdir()
    elif name == "rm":
        Path(rest[-1]).unlink()
    else:
        assert name == "cp", line
        copy = shutil.copytree if "-r" in rest else shutil.copy
        copy(*rest[-2:])


def test_the_guide_tells_every_reason():
    page = PAGE.read_text("utf-8")
    # On the command line no image is given a weight of its own.
    for reason in [*np.delete(REASONS, WEIGHTLESS), HELD_OUT]:
        assert f"\n| `{reason.split(':')[0]}` |" in page


@pytest.mark.filterwarnings("default")
def test_every_command_of_the_guide_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if importlib.util.find_spec("wordllama") is None and not os.environ.get("CI"):
        monkeypatch.setattr(PackagedEncoder, "_model", StandIn())
    done = [line for line, text in commands(PAGE.read_text("utf-8")) if not run(line, text)]
    used = {word for line in done for word in shlex.split(line) if word.startswith("--")}
    assert {"--descriptions", "--describe", "--encoder", "--with-attributes", "--classes"} <= used
    assert len(done) >= 15
    assert "class" in Path("answers.csv").read_text()
    assert f"\n{','.join(explain.COLUMNS)}\n" in PAGE.read_text("utf-8")
    assert Path("to_annotate.csv").read_text().startswith(",".join(suggest.COLUMNS))
    assert "images named correctly" in capsys.readouterr().out
