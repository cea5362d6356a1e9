import subprocess
import sys

import pytest

# Not pandas and pyarrow: scikit-learn itself imports them where they are installed.
HEAVY = {"torch", "dask", "fastapi", "matplotlib", "jinja2", "h5py", "PIL"}


@pytest.mark.parametrize(
    "statement",
    ["from sapwood import SparseAttributePropagation", "import sapwood.data", "import sapwood.cli"],
)
def test_importing_stays_light(statement):
    code = f"{statement}\nimport sys\nprint(*sorted(set(sys.modules) & {HEAVY!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
