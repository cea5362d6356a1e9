"""A benchmark killed inside a case and resumed has the rows of one that was left alone."""

import importlib.util
from pathlib import Path

import pytest

from sapwood.benchmark import read_rows

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "kill_and_resume.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("kill_and_resume", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_two_commands_share_a_folder(script, tmp_path):
    plugin = tmp_path / "tiny.py"
    plugin.write_text(script.PLUGIN, encoding="utf-8")
    both = [script.Command(tmp_path / "rows", plugin, seeds=10, jobs=1) for _ in range(2)]
    assert [one.process.wait(timeout=120) for one in both] == [0, 0]
    rows = read_rows(tmp_path / "rows" / "zsl.jsonl")
    assert len({(row["seed"], row["method"]) for row in rows}) == len(rows) == 40


def test_five_kills_lose_nothing_and_double_nothing(script, tmp_path):
    found = script.kill_and_resume(5, tmp_path)
    assert found == {"kills": 5, "rows": 5 * script.SEEDS_A_KILL * 4}
