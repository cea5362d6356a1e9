"""The menu of the documentation's site has every page."""

import importlib.util
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def pages():
    spec = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "hooks" / "pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def listed(pages):
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    return pages.pages_of(menu)


def test_every_page_is_in_the_menu_once(listed):
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert written - set(listed) == set()
    assert len(listed) == len(set(listed))


def test_every_entry_leads_to_a_page(pages, listed):
    assert [page for page in listed if not pages.exists(page)] == []
    assert not pages.exists("no-such.md")
    assert not pages.exists("api/no_such.md")


def test_links_of_the_readme_lead_to_pages_of_the_site(pages, listed):
    import re

    for source in pages.COPIED:
        text = pages.relinked((ROOT / source).read_text(encoding="utf-8"))
        links = re.findall(r"""(?:\]\(|src=")(?!https?:|#)([^)#"]+)""", text)
        missing = [
            link for link in links if link not in listed and not (ROOT / "docs" / link).exists()
        ]
        assert missing == [], source
