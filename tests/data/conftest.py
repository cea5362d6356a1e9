import os
from pathlib import Path

import pytest


@pytest.fixture
def real():
    """Return a function that gives the path of a real file, or skips the test."""

    def find(name: str) -> Path:
        folder = os.environ.get("SAPWOOD_DATA")
        if not folder:
            pytest.skip("SAPWOOD_DATA is not set: no real data here")
        path = Path(folder) / name
        if not path.exists():
            pytest.skip(f"{name} is not in SAPWOOD_DATA")
        return path

    return find
