import pytest

VECTORS = """\
small 1 0 0 0.1
large -1 0 0 0.1
red 0 1 0 0.1
blue 0 -1 0 0.1
bird 0 0 1 0.2
Crown 0 0.5 1 0
crown 0.5 0.5 1 0
"""


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "tiny.vec"
    path.write_text(VECTORS)
    return path
