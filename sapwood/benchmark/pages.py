"""Tables in a Markdown page, rewritten between their markers."""

from __future__ import annotations

import re
from pathlib import Path

from sapwood.atomic import write_atomically


def fill_page(page: Path, name: str, text: str, maker: str) -> bool:
    r"""Replace what stands between the markers of `name`; a page without them stays as it is.

    Parameters
    ----------
    page : Path
    name, maker : str
        The markers are ``<!-- name: made by maker -->`` and ``<!-- end of name -->``.
    text : str

    Returns
    -------
    bool
        Whether the page has the markers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "page.md")
    ...     _ = page.write_text("<!-- a: made by me --> old <!-- end of a -->")
    ...     fill_page(page, "a", "new", "me"), page.read_text()
    (True, '<!-- a: made by me -->\nnew\n<!-- end of a -->')
    """
    start, end = f"<!-- {name}: made by {maker} -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    old = page.read_text(encoding="utf-8")
    new, found = pattern.subn(lambda _: f"{start}\n{text}\n{end}", old)
    if new != old:
        write_atomically(page, new.encode())
    return bool(found)
