"""Files that are there already: replaced only where sapwood wrote one of the same kind."""

from __future__ import annotations

from pathlib import Path

from sapwood.errors import InputError
from sapwood.models.files import kind_of_model

#: Columns that tables written by commands have beside image, and tables that are read never have.
OWN_COLUMNS = {"rank", "decision", "reason"}
#: How pages, in whatever form, that sapwood wrote can be known, and how far in; those of before
#: there was a generator by their title.
MARKS = (
    b'<meta name="generator" content="sapwood">',
    b"<title>How sapwood compares</title>",
    b"<title>Refined tags</title>",
    b"# How sapwood compares\n",
    b"% Made by sapwood report.",
)
FAR = 1000


def refuse_to_replace(option: str, out: Path, model: str | None = None) -> None:
    """Refuse to replace what is there, unless it is of the kind that will be written.

    Parameters
    ----------
    option : str
    out : Path
        The file it names.
    model : str, optional
        The kind of model that will be written; without it, a table or a page.
    """
    if not out.exists() or not out.stat().st_size:
        return
    try:
        kind = kind_of_model(out)
        fits = kind == model if model is not None else kind is None and _is_ours(out)
    except OSError as error:
        raise InputError(f"{option} {out} exists and cannot be read: {error}") from None
    if not fits:
        found = f"holds a {kind}" if kind else f"was not written as {_words(model)} by sapwood"
        raise InputError(
            f"{option} {out} exists and {found}; choose another name, or remove it first"
        )


def _words(model: str | None) -> str:
    return "a table or a page" if model is None else f"a {model}"


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(FAR)
    if any(mark in start for mark in MARKS):
        return True
    first = start.decode("utf-8-sig", "replace").partition("\n")[0]
    columns = first.rstrip("\r").split(",")
    return columns[:1] == ["image"] and bool(OWN_COLUMNS & set(columns))
