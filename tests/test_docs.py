"""The documentation runs: every block of Python in it, in a folder of its own."""

import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def test_there_is_something_to_run():
    assert sum(len(blocks(page)) for page in PAGES) >= 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for block in blocks(page):
        exec(compile(block, str(page), "exec"), names)


def test_an_original_folder_can_be_made_twice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in 2 * blocks(ROOT / "docs" / "data-sets.md"):
        exec(compile(block, "data-sets.md", "exec"), {})


@pytest.fixture
def features_of_pictures(tmp_path, monkeypatch):
    """The guide's lines from pictures to features, with a network of which nothing is installed."""
    monkeypatch.chdir(tmp_path)
    torchvision = MagicMock()
    network = torchvision.models.resnet50.return_value.eval.return_value
    network.return_value.numpy.return_value = np.ones((3, 2))
    stubs = {"torch": MagicMock(), "PIL": MagicMock(), "torchvision": torchvision}
    for name, stub in {**stubs, "torchvision.models": torchvision.models}.items():
        monkeypatch.setitem(sys.modules, name, stub)
    page = (ROOT / "docs" / "your-own-data.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return snippet


def test_pictures_of_any_ending_get_features(features_of_pictures):
    Path("photos/jay").mkdir(parents=True)
    for name in ("owl.png", "jay/1.JPG", "jay/2.jpeg", "jay/._2.jpeg", "notes.txt"):
        Path("photos", name).touch()
    exec(features_of_pictures, {})
    assert set(np.load("features.npz")["image_files"]) == {"owl.png", "jay/1.JPG", "jay/2.jpeg"}


def test_a_folder_without_pictures_is_named(features_of_pictures):
    with pytest.raises(SystemExit, match="photos"):
        exec(features_of_pictures, {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_placeholder_is_left(page):
    assert re.findall(r"@[A-Z]+@", page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing == []


def test_what_the_tests_read_travels_with_them():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    (shipped,) = [line for line in lines if line.startswith("include = ")]
    assert {"tests", "docs", "benchmarks", "mkdocs.yml"} <= set(re.findall(r'"([^"]+)"', shipped))
