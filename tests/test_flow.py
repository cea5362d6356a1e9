"""Packages import only what stands before them in the flow."""

import ast
from pathlib import Path

import pytest

import sapwood

FLOW = """
errors extras progress atomic _version solvers metrics data features text graph propagation
projection models baselines tags evaluation benchmark report cli
""".split()
ROOT = Path(sapwood.__file__).parent
FILES = sorted(p for p in ROOT.rglob("*.py") if p.parent != ROOT)


def imported_packages(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sapwood."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.ImportFrom) and node.module == "sapwood":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("sapwood."))


def against_the_flow(package, source):
    place = FLOW.index(package)
    return [p for p in imported_packages(source) if p not in FLOW or FLOW.index(p) > place]


def test_there_is_something_to_check():
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_arrow_points_back(path):
    package = path.relative_to(ROOT).parts[0]
    assert package in FLOW, f"{package} has no place in the flow"
    assert against_the_flow(package, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("package", "line", "wrong"),
    [
        ("graph", "from sapwood.models import x", ["models"]),
        ("graph", "import sapwood.cli.main", ["cli"]),
        ("graph", "from sapwood import SparseAttributePropagation", ["SparseAttributePropagation"]),
        ("graph", "from . import x", ["a relative import"]),
        ("graph", "from sapwood.solvers import Eigen", []),
        ("cli", "from sapwood.models import x", []),
    ],
)
def test_the_check_itself(package, line, wrong):
    assert against_the_flow(package, line) == wrong
