"""From a dictionary to an HTML page in one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from sapwood.atomic import write_atomically
from sapwood.errors import InputError

#: Kinds of blocks, each a macro of ``templates/blocks.html``.
KINDS = ("text", "table", "figure", "figures", "cards", "heat", "strips", "code", "panels")


def render_page(page: Mapping[str, Any]) -> str:
    """Make one self-contained HTML page of a dictionary.

    No script and no other file is needed; every text is escaped, and only figures, which
    :func:`sapwood.report.line_plot` made, go in as they are.

    Parameters
    ----------
    page : dict
        ``title``, ``lead`` (list of sentences), ``facts`` (list of ``value``, ``label`` and
        ``note``), ``sections`` (list of ``id``, ``title``, ``text``, ``blocks``) and ``footer``;
        a block's ``kind`` is one of :data:`KINDS`.

    Examples
    --------
    >>> text = {"kind": "text", "paragraphs": ["1 < 2"]}
    >>> section = {"id": "a", "title": "A", "text": [], "blocks": [text]}
    >>> "1 &lt; 2" in render_page({"title": "T", "lead": [], "facts": [], "sections": [section]})
    True
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    for section in page["sections"]:
        for block in section["blocks"]:
            if block["kind"] not in KINDS:
                raise InputError(f"a block is of kind {block['kind']!r}; give one of {KINDS}")
    environment = Environment(
        loader=PackageLoader("sapwood.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = (resources.files("sapwood.report") / "templates" / "style.css").read_text("utf-8")
    return environment.get_template("page.html").render(
        page={"footer": "", "hero": [], **page}, style=Markup(style), as_is=Markup
    )


def write_page(page: Mapping[str, Any], path: str | os.PathLike[str]) -> Path:
    """Render a page and write it to a file, at once or not at all.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = {"title": "T", "lead": [], "facts": [], "sections": []}
    ...     write_page(page, folder + "/report.html").name
    'report.html'
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file to write")
    write_atomically(path, render_page(page).encode())
    return path
