import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sapwood.data

DOC = Path(__file__).parents[2] / "docs" / "data-format.md"


def test_importing_reads_nothing_heavy():
    code = (
        "import sys, sapwood; before = set(sys.modules); import sapwood.data;"
        "new = {m.split('.')[0] for m in set(sys.modules) - before} | {m for m in sys.modules"
        " if m.startswith('scipy.io.')} - before;"
        "print(sorted(new & {'h5py', 'pyarrow', 'pandas', 'torch', 'sklearn', 'scipy.io.matlab'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sapwood.data.__all__)
def test_every_public_name_has_an_example(name):
    thing = getattr(sapwood.data, name)
    if name != "CARDS":
        text = inspect.getdoc(thing)
        assert ">>>" in text


def test_the_document_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), flags=re.S)
    assert blocks
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(DOC), "exec"), scope)
