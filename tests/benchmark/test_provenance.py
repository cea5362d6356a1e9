"""Which commit found a row."""

import subprocess
import sys
from types import SimpleNamespace

from sapwood.benchmark.provenance import accelerator, commit_of


def git(root, *arguments):
    named = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(root), *named, *arguments], check=True, capture_output=True)


def test_a_commit_is_marked_where_the_package_was_changed_and_not_where_rows_were(tmp_path):
    package, rows = tmp_path / "sapwood" / "code.py", tmp_path / "results" / "zsl.jsonl"
    assert commit_of(tmp_path) is None
    for path in (package, rows):
        path.parent.mkdir()
        path.write_text("first\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    clean = commit_of(tmp_path)
    rows.write_text("second\n")
    assert commit_of(tmp_path) == clean
    package.write_text("second\n")
    assert commit_of(tmp_path) == f"{clean}-dirty"


def test_a_graphics_processor_is_told_where_torch_has_one(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert accelerator() == {}
    cuda = SimpleNamespace(is_available=lambda: True, get_device_name=lambda: "A card")
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))
    assert accelerator() == {"gpu": "A card"}
    cuda.is_available = lambda: False
    assert accelerator() == {}
