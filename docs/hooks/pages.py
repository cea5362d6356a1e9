"""Pages that are made from elsewhere: the README, the changelog, and the docstrings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: Files of the repository that are pages of the site, too.
COPIED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made."""
    from mkdocs.structure.files import File

    for source, page in COPIED.items():
        text = relinked((ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    for page in filter(is_reference, pages_of(config.nav)):
        files.append(File.generated(config, page, content=f"::: {module_of(page)}\n"))
    return files


def relinked(text: str) -> str:
    """Let links of a file at the repository's root lead to the site's pages.

    >>> relinked("[a](docs/trust.md#b) [c](CHANGELOG.md) <img src='docs/images/d.png'>")
    "[a](trust.md#b) [c](changelog.md) <img src='images/d.png'>"
    """
    text = re.sub(r"""(\]\(|src=["'])docs/""", r"\1", text)
    for source, page in COPIED.items():
        text = text.replace(f"]({source}", f"]({page}")
    return text


def exists(page: str) -> bool:
    """Tell whether a page is written, or what it is made from is there."""
    if is_reference(page):
        place = ROOT / module_of(page).replace(".", "/")
        return (place / "__init__.py").exists() or place.with_suffix(".py").exists()
    return page in COPIED.values() or (ROOT / "docs" / page).exists()


def is_reference(page: str) -> bool:
    """Tell whether a page is made from docstrings."""
    return page.startswith("api/")


def module_of(page: str) -> str:
    """Return ``sapwood.data`` for ``api/data.md``."""
    name = Path(page).stem
    return name if name == "sapwood" else f"sapwood.{name}"


def pages_of(nav: list[Any]) -> list[str]:
    """Return the pages of a menu, in its order."""
    found: list[str] = []
    for entry in nav:
        for target in entry.values():
            found += pages_of(target) if isinstance(target, list) else [target]
    return found
