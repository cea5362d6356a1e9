"""Opening what the user named: a file, not empty, readable, text where text belongs."""

from __future__ import annotations

from pathlib import Path

from sapwood.data.problems import Report


def require_file(path: Path, report: Report, where: str = "") -> None:
    """Stop with the reason unless `path` is a regular file with something in it.

    Examples
    --------
    >>> require_file(Path("no-such.csv"), Report("no-such.csv"))
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: no-such.csv: no such file; check the path
    """
    try:
        if path.is_dir():
            raise report.fatal(where, "a directory where a file belongs", "name the file inside it")
        if not path.exists():
            raise report.fatal(where, "no such file", "check the path")
        if not path.is_file():
            raise report.fatal(where, "not a regular file", "give a file on disk")
        if path.stat().st_size == 0:
            raise report.fatal(where, "the file is empty", "write it or copy it again")
    except OSError as error:
        raise report.fatal(
            where, f"cannot be opened ({error.strerror})", "check the path"
        ) from error


def read_bytes(path: Path, report: Report, where: str = "") -> bytes:
    """Return the bytes of a file that passed :func:`require_file`."""
    require_file(path, report, where)
    try:
        return path.read_bytes()
    except OSError as error:
        raise report.fatal(
            where, f"cannot be read ({error.strerror})", "check its permissions"
        ) from error


def read_text(path: Path, report: Report, where: str = "") -> str:
    """Return the text of a UTF-8 file, with or without a byte-order mark."""
    raw = read_bytes(path, report, where)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise report.fatal(where, "the text is UTF-16", "save it as UTF-8")
    if b"\0" in raw[:65536]:
        raise report.fatal(where, "a binary file where text belongs", "give a text or CSV file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise report.fatal(
            where, f"line {line} is not UTF-8 text", "save the file as UTF-8"
        ) from error
    if not text.strip():
        raise report.fatal(where, "the file has only blanks", "write it or copy it again")
    return text
